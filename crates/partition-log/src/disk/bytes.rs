//! The bytes of a file, wherever they lie.

use core::ops::Deref;

/// The written part of a file. It is looked at through windows, so that no more of it has to be in memory than is needed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bytes<'a> {
    memory: &'a [u8],
}

/// A part of a file's bytes, borrowed where the file is in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window<'a>(&'a [u8]);

impl Deref for Window<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0
    }
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Bytes<'a> {
    fn from(bytes: &'a T) -> Bytes<'a> {
        Bytes { memory: bytes.as_ref() }
    }
}

impl<'a> Bytes<'a> {
    /// How many there are.
    pub fn len(self) -> u64 {
        self.memory.len() as u64
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
        let within = |at: u64| at.min(self.len()) as usize;
        Window(&self.memory[within(position)..within(position.saturating_add(length))])
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
        Bytes {
            memory: &self.memory[..end.min(self.len()) as usize],
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
