//! The bytes of a file, wherever they lie.

use core::ops::Deref;

#[cfg(feature = "std")]
use super::real::Backing;

/// The written part of a file. It is looked at through windows, so that no more of it has to be in memory than is needed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bytes<'a> {
    /// What lies on a disk, and how many bytes of it count; those in memory follow.
    #[cfg(feature = "std")]
    backed: Option<(&'a Backing, u64)>,
    memory: &'a [u8],
}

/// A part of a file's bytes, borrowed where the file is in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window<'a>(Held<'a>);

#[cfg(feature = "std")]
type Held<'a> = std::borrow::Cow<'a, [u8]>;
#[cfg(not(feature = "std"))]
type Held<'a> = &'a [u8];

impl Deref for Window<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Bytes<'a> {
    fn from(bytes: &'a T) -> Bytes<'a> {
        Bytes {
            #[cfg(feature = "std")]
            backed: None,
            memory: bytes.as_ref(),
        }
    }
}

impl<'a> Bytes<'a> {
    /// A file on a disk, and what was added behind its end.
    #[cfg(feature = "std")]
    pub(super) fn backed(backing: &'a Backing, added: &'a [u8]) -> Bytes<'a> {
        Bytes {
            backed: Some((backing, backing.len())),
            memory: added,
        }
    }

    /// Those that lie on a disk.
    fn on_disk(self) -> u64 {
        #[cfg(feature = "std")]
        if let Some((_, length)) = self.backed {
            return length;
        }
        0
    }

    /// How many there are.
    pub fn len(self) -> u64 {
        self.on_disk() + self.memory.len() as u64
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// All of them.
    pub fn whole(self) -> Window<'a> {
        self.window(0, self.len())
    }

    /// All of them, copied.
    pub fn to_vec(self) -> Vec<u8> {
        self.whole().to_vec()
    }

    /// So many from a position on, or as many as there are.
    pub fn window(self, position: u64, length: u64) -> Window<'a> {
        let end = position.saturating_add(length);
        #[cfg(feature = "std")]
        if let Some((backing, on_disk)) = self.backed
            && position < on_disk
        {
            let end = end.min(self.len());
            let mut read = vec![0; (end - position) as usize];
            let (from_disk, added) = read.split_at_mut((end.min(on_disk) - position) as usize);
            backing.read(position, from_disk);
            added.copy_from_slice(&self.memory[..added.len()]);
            return Window(read.into());
        }
        let within = |at: u64| (at.saturating_sub(self.on_disk())).min(self.memory.len() as u64) as usize;
        #[allow(clippy::useless_conversion, reason = "there is one kind of window without a disk")]
        Window(self.memory[within(position)..within(end)].into())
    }

    /// `N` bytes from a position on; zeros where there are none, as behind the end of what was written to a file that was
    /// made at its full length.
    pub fn array<const N: usize>(self, position: u64) -> [u8; N] {
        let found = self.window(position, N as u64);
        let whole = <[u8; N]>::try_from(&*found);
        whole.unwrap_or_else(|_| {
            let mut out = [0; N];
            out[..found.len()].copy_from_slice(&found);
            out
        })
    }

    /// Those before a position, or all.
    pub fn up_to(self, end: u64) -> Bytes<'a> {
        let added = end.saturating_sub(self.on_disk()).min(self.memory.len() as u64);
        Bytes {
            #[cfg(feature = "std")]
            backed: self.backed.map(|(backing, on_disk)| (backing, on_disk.min(end))),
            memory: &self.memory[..added as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_ends_with_the_file() {
        let bytes = Bytes::from(&[1, 2, 3]);
        assert_eq!(&*bytes.window(1, 1), [2]);
        assert_eq!(&*bytes.window(1, u64::MAX), [2, 3]);
        assert!(bytes.window(4, 1).is_empty());
        assert_eq!(bytes.array::<2>(2), [3, 0]);
        assert_eq!(&*bytes.up_to(1).window(0, 9), [1]);
    }
}
