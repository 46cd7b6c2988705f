//! A set: values in order, each once.

use std::borrow::Borrow;

/// Values in order, each once. They are few, and a set of the standard library takes many times the WebAssembly, for each type
/// of value.
#[derive(Clone, Debug)]
pub(crate) struct Distinct<T>(Vec<T>);

impl<T> Default for Distinct<T> {
    fn default() -> Distinct<T> {
        Distinct(Vec::new())
    }
}

impl<T: Ord> Distinct<T> {
    /// Whether a value is in it.
    pub fn contains<Q: Ord + ?Sized>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.binary_search_by(|known| known.borrow().cmp(value)).is_ok()
    }

    /// Puts a value in; `false` if it was there.
    pub fn insert(&mut self, value: T) -> bool {
        let place = self.0.binary_search(&value);
        if let Err(place) = place {
            self.0.insert(place, value);
        }
        place.is_err()
    }

    /// The values, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }
}
