//! Which leader epoch began at which offset, and the file that keeps it (Kafka: `LeaderEpochFileCache`,
//! `LeaderEpochCheckpointFile`).

use crate::format::checkpoint::{self, CheckpointFault, CheckpointReason};
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
        LeaderEpochs::parse(checkpoint::text(bytes)?)
    }

    /// Reads the text of the file; without any text, or with the version alone, there are no epochs
    /// (Kafka: `CheckpointFile.read`, then `assign` for each entry).
    ///
    /// # Errors
    ///
    /// [`CheckpointFault`], with the line.
    pub fn parse(text: &str) -> Result<LeaderEpochs, CheckpointFault> {
        let entries = checkpoint::entries(text, |line| {
            let [epoch, start] = checkpoint::words(line)?;
            let epoch: i32 = epoch.parse().map_err(|_| CheckpointReason::Number)?;
            let start: i64 = start.parse().map_err(|_| CheckpointReason::Number)?;
            Ok((epoch, start))
        })?;
        let mut epochs = LeaderEpochs::default();
        for (line, (epoch, start)) in (checkpoint::FIRST_ENTRY..).zip(entries) {
            let start = Offset::new(start).filter(|_| epoch >= 0);
            let reason = CheckpointReason::Negative;
            let start = start.ok_or(CheckpointFault { line, reason })?;
            epochs = epochs.assigned(epoch, start).unwrap_or(epochs);
        }
        Ok(epochs)
    }
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
        assert_eq!(fault("0\n1\n0 x\n"), "line 3: a word that is no number");
        assert_eq!(fault("0\n1\n0 -1\n"), "line 3: a number below 0");
        assert_eq!(fault("0\n2\n0 0\n"), "line 2: 1 entries, where the second line says 2");
        for none in ["", "0\n", "0\n0\n"] {
            assert_eq!(LeaderEpochs::parse(none), Ok(LeaderEpochs::default()));
        }
    }
}
