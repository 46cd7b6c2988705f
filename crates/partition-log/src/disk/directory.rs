//! The files of a directory by name.
//!
//! All files of a segment bear its base offset, so they are kept together: a search goes over the segments, then over a
//! few files, and a file that goes does not move those of other segments.

use crate::disk::FileName;
use crate::ordered::OrderedMap;
use crate::units::Offset;

/// Values by file name, in the order of the names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Directory<V> {
    /// No group is empty, and each is in the order of the names.
    groups: OrderedMap<Offset, Vec<(FileName, V)>>,
}

impl<V> Default for Directory<V> {
    fn default() -> Directory<V> {
        Directory {
            groups: OrderedMap::default(),
        }
    }
}

impl<V> Directory<V> {
    /// The value of a name.
    pub(crate) fn get(&self, name: FileName) -> Option<&V> {
        let group = self.groups.get(name.base)?;
        group.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The value of a name, to be changed.
    pub(crate) fn get_mut(&mut self, name: FileName) -> Option<&mut V> {
        let group = self.groups.get_mut(name.base)?;
        group
            .iter_mut()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// Gives a name a value, in place of the one it has.
    pub(crate) fn insert(&mut self, name: FileName, value: V) {
        let Some(group) = self.groups.get_mut(name.base) else {
            self.groups.insert(name.base, vec![(name, value)]);
            return;
        };
        match group.binary_search_by_key(&name, |(known, _)| *known) {
            Ok(place) => group[place].1 = value,
            Err(place) => group.insert(place, (name, value)),
        }
    }

    /// Takes a name out, with its value.
    pub(crate) fn remove(&mut self, name: FileName) -> Option<V> {
        let group = self.groups.get_mut(name.base)?;
        let place = group.iter().position(|(known, _)| *known == name)?;
        let (_, value) = group.remove(place);
        if group.is_empty() {
            self.groups.remove(name.base);
        }
        Some(value)
    }

    /// Gives a value another name, in place of the value that has it; `None` where there is none of the first name.
    pub(crate) fn rename(&mut self, from: FileName, to: FileName) -> Option<()> {
        let value = self.remove(from)?;
        self.insert(to, value);
        Some(())
    }

    /// The names, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = FileName> + '_ {
        self.groups.values().flatten().map(|(name, _)| *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::FileKind;

    fn name(base: i64, kind: FileKind) -> FileName {
        FileName::live(Offset::new(base).expect("not negative"), kind)
    }

    #[test]
    fn names_stand_in_order_and_a_name_has_one_value() {
        let mut files = Directory::default();
        let names = [
            name(6, FileKind::Index),
            name(0, FileKind::Snapshot),
            name(6, FileKind::Log),
            name(0, FileKind::Log),
        ];
        for name in names {
            files.insert(name, name.base.get());
        }
        files.insert(names[0], 7);
        let mut sorted = names;
        sorted.sort();
        assert!(files.names().eq(sorted));
        assert_eq!(files.remove(names[0]), Some(7));
        assert_eq!((files.remove(names[0]), files.get(names[0])), (None, None));
    }

    #[test]
    fn a_file_takes_the_place_of_another_of_its_new_name() {
        let (log, deleted) = (name(6, FileKind::Log), name(6, FileKind::Log).as_deleted());
        let mut files = Directory::default();
        files.insert(log, 1);
        files.insert(deleted, 2);
        assert_eq!(
            (files.rename(log, deleted), files.rename(log, deleted)),
            (Some(()), None)
        );
        assert_eq!((files.get(deleted), files.names().count()), (Some(&1), 1));
    }

    #[test]
    fn directories_with_the_same_files_are_equal_whatever_was_there_before() {
        let mut files = Directory::default();
        files.insert(name(0, FileKind::Log), 1);
        files.remove(name(0, FileKind::Log));
        assert_eq!(files, Directory::default());
    }
}
