//! Which leader epoch began at which offset, and the file that keeps it (Kafka: `LeaderEpochFileCache`,
//! `LeaderEpochCheckpointFile`).

use core::fmt;

use crate::units::Offset;

/// A leader epoch and the first offset that was written under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LeaderEpoch {
    /// The epoch: 0, 1, 2, … a new one with each leader.
    pub epoch: i32,
    /// Its first offset.
    pub start: Offset,
}

/// The epochs of a partition, oldest first. Both numbers rise from entry to entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LeaderEpochs(Vec<LeaderEpoch>);

/// Why the text of a checkpoint cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CheckpointFault {
    /// Line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: CheckpointReason,
}

/// What is wrong with a line of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum CheckpointReason {
    /// The first line is not the version that is known, 0.
    Version,
    /// The second line is not the number of entries.
    Count,
    /// A line is not two words.
    Entry,
    /// A line is two words that are not an epoch and an offset (Kafka: `NumberFormatException`).
    Number,
    /// An epoch, an offset or the number of entries below 0 (Kafka: `IllegalArgumentException`).
    Negative,
    /// A line is no text, but bytes that are not UTF-8.
    Text,
    /// There are more or fewer entries than the second line says.
    Entries {
        /// As it says.
        expected: i64,
        /// As counted.
        found: usize,
    },
}

impl CheckpointFault {
    /// Kafka's name for it: mostly an `IOException` in the disguise that takes the log directory offline.
    pub fn kafka_name(&self) -> &'static str {
        match self.reason {
            CheckpointReason::Number => "NumberFormatException",
            CheckpointReason::Negative => "IllegalArgumentException",
            _ => "KafkaStorageException",
        }
    }
}

impl fmt::Display for CheckpointFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match self.reason {
            CheckpointReason::Version => f.write_str("the version is not 0"),
            CheckpointReason::Count => f.write_str("no number of entries"),
            CheckpointReason::Text => f.write_str("not text"),
            CheckpointReason::Entry => f.write_str("not two words"),
            CheckpointReason::Number => f.write_str("not an epoch and an offset"),
            CheckpointReason::Negative => f.write_str("a number below 0"),
            CheckpointReason::Entries { expected, found } => {
                write!(f, "{found} entries, where the second line says {expected}")
            }
        }
    }
}

impl LeaderEpochs {
    /// The entries, oldest first.
    pub fn entries(&self) -> &[LeaderEpoch] {
        &self.0
    }

    /// The newest one.
    pub fn latest(&self) -> Option<LeaderEpoch> {
        self.0.last().copied()
    }

    /// The oldest one.
    pub fn earliest(&self) -> Option<LeaderEpoch> {
        self.0.first().copied()
    }

    /// These epochs and one more; `None` if the newest one says as much already. Entries that the new one contradicts
    /// make room for it (Kafka: `LeaderEpochFileCache.assign`).
    #[must_use]
    pub fn assigned(&self, epoch: i32, start: Offset) -> Option<LeaderEpochs> {
        let known = self
            .latest()
            .is_some_and(|latest| latest.epoch == epoch && latest.start <= start);
        if epoch < 0 || known {
            return None;
        }
        let kept = self
            .0
            .iter()
            .rposition(|entry| entry.epoch < epoch && entry.start < start);
        let mut entries = self.0[..kept.map_or(0, |last| last + 1)].to_vec();
        entries.push(LeaderEpoch { epoch, start });
        Some(LeaderEpochs(entries))
    }

    /// Without the epochs that begin at `end` or above; `None` if there are none (Kafka: `truncateFromEndAsyncFlush`).
    #[must_use]
    pub fn cut_from_end(&self, end: Offset) -> Option<LeaderEpochs> {
        let kept = self
            .0
            .iter()
            .rposition(|entry| entry.start < end)
            .map_or(0, |last| last + 1);
        (kept < self.0.len()).then(|| LeaderEpochs(self.0[..kept].to_vec()))
    }

    /// With the epochs that begin at `start` or below made one, the newest of them, which then begins at `start`; `None`
    /// if there are none (Kafka: `truncateFromStartAsyncFlush`).
    #[must_use]
    pub fn cut_from_start(&self, start: Offset) -> Option<LeaderEpochs> {
        let gone = self.0.iter().take_while(|entry| entry.start <= start).count();
        let newest = self.0[..gone].last()?;
        let mut entries = vec![LeaderEpoch {
            epoch: newest.epoch,
            start,
        }];
        entries.extend_from_slice(&self.0[gone..]);
        Some(LeaderEpochs(entries))
    }

    /// The epoch of an offset (Kafka: `epochForOffset`).
    pub fn epoch_of(&self, offset: Offset) -> Option<i32> {
        self.0
            .iter()
            .rev()
            .find(|entry| entry.start <= offset)
            .map(|entry| entry.epoch)
    }

    /// The text of the file: version 0, the number of entries, then a line each.
    ///
    /// ```
    /// use partition_log::Offset;
    /// use partition_log::format::epoch::LeaderEpochs;
    ///
    /// let epochs = LeaderEpochs::default().assigned(0, Offset::ZERO).expect("the first one");
    /// let epochs = epochs.assigned(3, Offset::new(120).expect("not negative")).expect("a newer one");
    /// assert_eq!(epochs.to_text(), "0\n2\n0 0\n3 120\n");
    /// assert_eq!(LeaderEpochs::parse(&epochs.to_text()), Ok(epochs));
    /// ```
    pub fn to_text(&self) -> String {
        let mut text = format!("0\n{}\n", self.0.len());
        for entry in &self.0 {
            text.push_str(&format!("{} {}\n", entry.epoch, entry.start));
        }
        text
    }

    /// Reads the bytes of the file, which are text; see [`LeaderEpochs::parse`].
    ///
    /// # Errors
    ///
    /// [`CheckpointFault`], with the line.
    pub fn read(bytes: &[u8]) -> Result<LeaderEpochs, CheckpointFault> {
        let text = core::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            CheckpointFault {
                line: 1 + before.iter().filter(|byte| **byte == b'\n').count(),
                reason: CheckpointReason::Text,
            }
        })?;
        LeaderEpochs::parse(text)
    }

    /// Reads the text of the file; without any text, or with the version alone, there are no epochs
    /// (Kafka: `CheckpointFile.read`, then `assign` for each entry).
    ///
    /// # Errors
    ///
    /// [`CheckpointFault`], with the line.
    pub fn parse(text: &str) -> Result<LeaderEpochs, CheckpointFault> {
        let fault = |line, reason| CheckpointFault { line, reason };
        let text = with_line_feeds(text);
        let mut lines = text.lines();
        let Some(version) = lines.next() else {
            return Ok(LeaderEpochs::default());
        };
        if version.parse::<i32>() != Ok(0) {
            return Err(fault(1, CheckpointReason::Version));
        }
        let Some(count) = lines.next() else {
            return Ok(LeaderEpochs::default());
        };
        let expected: i32 = count.parse().map_err(|_| fault(2, CheckpointReason::Count))?;
        if expected < 0 {
            return Err(fault(2, CheckpointReason::Negative));
        }
        let mut entries = Vec::new();
        for (place, line) in lines.enumerate() {
            entries.push(read_entry(line).map_err(|reason| fault(3 + place, reason))?);
        }
        let (expected, found) = (i64::from(expected), entries.len());
        if found as i64 != expected {
            return Err(fault(2, CheckpointReason::Entries { expected, found }));
        }
        let mut epochs = LeaderEpochs::default();
        for (place, (epoch, start)) in entries.into_iter().enumerate() {
            let start = Offset::new(start).filter(|_| epoch >= 0);
            let start = start.ok_or(fault(3 + place, CheckpointReason::Negative))?;
            epochs = epochs.assigned(epoch, start).unwrap_or(epochs);
        }
        Ok(epochs)
    }
}

/// The text with one line feed wherever Java ends a line: at one, at a carriage return, and at both in a row.
fn with_line_feeds(text: &str) -> String {
    // The search for a text of two letters would be 3 kB of WebAssembly.
    let mut letters = text.chars().peekable();
    let mut out = String::new();
    while let Some(letter) = letters.next() {
        if letter == '\r' {
            letters.next_if_eq(&'\n');
            out.push('\n');
        } else {
            out.push(letter);
        }
    }
    out
}

/// The two numbers of a line, which has to begin with the first.
fn read_entry(line: &str) -> Result<(i32, i64), CheckpointReason> {
    let space = |letter| matches!(letter, ' ' | '\t' | '\x0b' | '\x0c');
    let mut words = line.split(space).filter(|word| !word.is_empty());
    let (Some(epoch), Some(start), None) = (words.next(), words.next(), words.next()) else {
        return Err(CheckpointReason::Entry);
    };
    if line.starts_with(space) {
        return Err(CheckpointReason::Entry);
    }
    let epoch = epoch.parse().map_err(|_| CheckpointReason::Number)?;
    Ok((epoch, start.parse().map_err(|_| CheckpointReason::Number)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epochs(entries: &[(i32, i64)]) -> LeaderEpochs {
        let entry = |(epoch, start): &(i32, i64)| LeaderEpoch {
            epoch: *epoch,
            start: Offset::new(*start).expect("not negative"),
        };
        LeaderEpochs(entries.iter().map(entry).collect())
    }

    fn at(offset: i64) -> Offset {
        Offset::new(offset).expect("not negative")
    }

    #[test]
    fn the_newest_entry_wins_over_those_it_contradicts() {
        let known = epochs(&[(0, 0), (1, 5), (2, 10)]);
        assert_eq!(known.assigned(2, at(12)), None, "the same epoch goes on");
        assert_eq!(
            known.assigned(3, at(12)),
            Some(epochs(&[(0, 0), (1, 5), (2, 10), (3, 12)]))
        );
        assert_eq!(known.assigned(3, at(5)), Some(epochs(&[(0, 0), (3, 5)])));
        assert_eq!(known.assigned(1, at(12)), Some(epochs(&[(0, 0), (1, 12)])));
        assert_eq!(known.assigned(2, at(7)), Some(epochs(&[(0, 0), (1, 5), (2, 7)])));
    }

    #[test]
    fn the_front_keeps_the_newest_epoch_that_is_cut() {
        assert_eq!(
            epochs(&[(0, 0), (3, 12), (5, 20)]).cut_from_start(at(15)),
            Some(epochs(&[(3, 15), (5, 20)]))
        );
        assert_eq!(epochs(&[(3, 15), (5, 20)]).cut_from_start(at(10)), None);
        assert_eq!(
            epochs(&[(3, 15), (5, 20)]).cut_from_end(at(18)),
            Some(epochs(&[(3, 15)]))
        );
        assert_eq!(epochs(&[(3, 15)]).cut_from_end(at(18)), None);
    }

    #[test]
    fn a_file_that_cannot_be_read_says_where() {
        let fault = |text| LeaderEpochs::parse(text).expect_err(text).to_string();
        assert_eq!(fault("1\n0\n"), "line 1: the version is not 0");
        assert_eq!(fault("0\nx\n"), "line 2: no number of entries");
        assert_eq!(fault("0\n1\n0\n"), "line 3: not two words");
        assert_eq!(fault("0\n1\n0 x\n"), "line 3: not an epoch and an offset");
        assert_eq!(fault("0\n1\n0 -1\n"), "line 3: a number below 0");
        assert_eq!(fault("0\n2\n0 0\n"), "line 2: 1 entries, where the second line says 2");
        for none in ["", "0\n", "0\n0\n"] {
            assert_eq!(LeaderEpochs::parse(none), Ok(LeaderEpochs::default()));
        }
    }
}
