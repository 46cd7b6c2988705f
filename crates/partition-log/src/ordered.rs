//! A map: pairs in the order of their keys. May know nothing of the crate.
//!
//! Segments come at the end and go at the front, so a sorted queue finds them as fast as a B-tree does, moves no more than
//! a few pairs, and takes 20 kB less of WebAssembly. Pairs are moved by swaps, for the queue's own `insert` and `remove` are
//! ten times that code for each type of pair.

use core::cmp::Ordering;
use std::collections::VecDeque;

/// Pairs at the end that are looked at first.
const TAIL: usize = 8;

/// Pairs in the order of their keys, each key once.
#[derive(Debug, PartialEq, Eq)]
pub struct OrderedMap<K, V> {
    pairs: VecDeque<(K, V)>,
}

impl<K, V> Default for OrderedMap<K, V> {
    fn default() -> OrderedMap<K, V> {
        OrderedMap { pairs: VecDeque::new() }
    }
}

/// Pair by pair: the queue's own copy is many times that code.
impl<K: Copy, V: Clone> Clone for OrderedMap<K, V> {
    fn clone(&self) -> OrderedMap<K, V> {
        let mut pairs = VecDeque::with_capacity(self.pairs.len());
        for (key, value) in &self.pairs {
            pairs.push_back((*key, value.clone()));
        }
        OrderedMap { pairs }
    }
}

impl<K: Copy + Ord, V> OrderedMap<K, V> {
    /// How many pairs have a key below this one, and whether the next one has this key.
    fn find(&self, key: K) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.pairs.len());
        // Whoever writes asks for the last few over and over.
        let tail = high.saturating_sub(TAIL);
        if self.pairs.get(tail).is_some_and(|(known, _)| *known <= key) {
            low = tail;
        } else {
            high = tail;
        }
        while low < high {
            let middle = (low + high) / 2;
            match self.pairs[middle].0.cmp(&key) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok(middle),
                Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    /// How many pairs have a key below this one.
    pub fn below(&self, key: K) -> usize {
        self.find(key).unwrap_or_else(|place| place)
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The value of a key.
    pub fn get(&self, key: K) -> Option<&V> {
        self.find(key).ok().map(|place| &self.pairs[place].1)
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.find(key).ok().map(|place| &mut self.pairs[place].1)
    }

    /// Gives a key a value, in place of the one it has.
    pub fn insert(&mut self, key: K, value: V) {
        match self.find(key) {
            Ok(place) => self.pairs[place].1 = value,
            Err(place) => {
                self.pairs.push_back((key, value));
                for at in (place..self.pairs.len() - 1).rev() {
                    self.pairs.swap(at, at + 1);
                }
            }
        }
    }

    /// Takes a key out, with its value.
    pub fn remove(&mut self, key: K) -> Option<V> {
        let place = self.find(key).ok()?;
        let behind = self.pairs.len() - 1 - place;
        let (_, value) = if place < behind {
            (0..place).rev().for_each(|at| self.pairs.swap(at, at + 1));
            self.pairs.pop_front()?
        } else {
            (place..place + behind).for_each(|at| self.pairs.swap(at, at + 1));
            self.pairs.pop_back()?
        };
        Some(value)
    }

    /// The key that so many others are below.
    pub fn key_at(&self, place: usize) -> Option<K> {
        self.pairs.get(place).map(|(key, _)| *key)
    }

    /// The keys from that place on, in order.
    pub fn keys_from(&self, place: usize) -> impl Iterator<Item = K> + '_ {
        self.pairs.range(place.min(self.pairs.len())..).map(|(key, _)| *key)
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + '_ {
        self.pairs.iter().map(|(key, _)| *key)
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.pairs.iter().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::OrderedMap;

    #[test]
    fn pairs_stand_in_the_order_of_their_keys_and_a_key_has_one_value() {
        let mut map = OrderedMap::default();
        for (key, value) in [(6, 'b'), (0, 'a'), (11, 'c'), (6, 'd')] {
            map.insert(key, value);
        }
        assert!(map.keys().eq([0, 6, 11]) && map.values().eq(&['a', 'd', 'c']));
        assert_eq!((map.below(6), map.below(7), map.get(7)), (1, 2, None));
        assert_eq!((map.remove(6), map.remove(6), map.len()), (Some('d'), None, 2));
    }

    #[test]
    fn every_key_is_found_however_far_from_the_end() {
        for length in 0..40 {
            let mut map = OrderedMap::default();
            (0..length).for_each(|key| map.insert(2 * key, key));
            for key in 0..length {
                assert_eq!((map.get(2 * key), map.get(2 * key - 1)), (Some(&key), None), "{length}");
                assert_eq!(
                    (map.below(2 * key), map.key_at(key as usize)),
                    (key as usize, Some(2 * key))
                );
            }
            assert_eq!(
                (map.below(2 * length), map.key_at(length as usize)),
                (length as usize, None)
            );
            assert!(map.keys_from(3).eq((3..length).map(|key| 2 * key)), "{length}");
        }
    }
}
