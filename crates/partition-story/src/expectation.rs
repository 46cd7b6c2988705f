//! What a scenario expected, and what was there.

use partition_log::disk::{FileKind, FileName, Suffix, Vfs};
use partition_log::error::LogError;
use partition_log::format::index::{AbortedTransaction, TransactionIndex};
use partition_log::units::{Offset, TimestampMs};
use partition_log::{Consumer, PartitionState, ReadOutcome};

use crate::language::{Amount, ExpectKey, ExpectValue, Expectation, Unit, Written, written};

/// One expectation after the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Line in the scenario, from 1.
    pub line: usize,
    /// The whole command.
    pub command: String,
    /// What was looked at: `log-end`, `index[6]`.
    pub key: String,
    /// What the scenario says.
    pub expected: String,
    /// What was there; `None` if it was not checked, since an input has another value than its default.
    pub actual: Option<String>,
    /// Whether the two are the same; true if it was not checked.
    pub met: bool,
}

/// What an expectation can ask about.
pub(crate) struct Facts<'a> {
    pub state: &'a PartitionState,
    pub consumer: &'a Consumer,
    pub read: Option<&'a ReadOutcome>,
    pub error: Option<&'a LogError>,
    /// Segments that the last start read again, each with the bytes read.
    pub recovered: &'a [(Offset, u64)],
}

/// Compares one expectation with what is there. A run is given this, or nothing: the explainer shows no results, and
/// what it never calls costs it nothing.
pub(crate) type Check = fn(&mut Checked, &Expectation, &Facts<'_>);

/// Notes one expectation.
pub(crate) fn noted(expectation: &Expectation, line: usize, command: &str) -> Checked {
    Checked {
        line,
        command: command.to_string(),
        key: expectation.key.to_string(),
        expected: expectation.value.to_string(),
        actual: None,
        met: true,
    }
}

/// Checks one expectation.
pub(crate) fn check(checked: &mut Checked, expectation: &Expectation, facts: &Facts<'_>) {
    let actual = facts.value(expectation.key);
    checked.met = actual.as_ref().is_ok_and(|actual| same(&expectation.value, actual));
    checked.actual = Some(actual.map_or_else(str::to_string, |actual| actual.to_string()));
}

/// Whether two values are the same, in whatever unit.
fn same(left: &ExpectValue, right: &ExpectValue) -> bool {
    let base = |amount: &Option<Amount>| amount.map(Amount::base);
    match (left, right) {
        (ExpectValue::Amount(left), ExpectValue::Amount(right)) => base(left) == base(right),
        (ExpectValue::Time(left), ExpectValue::Time(right)) => left.as_deref() == right.as_deref(),
        (ExpectValue::Entries(left), ExpectValue::Entries(right)) => {
            let plain = |(key, to): &(Amount, i64)| (key.base(), *to);
            left.iter().map(plain).eq(right.iter().map(plain))
        }
        (ExpectValue::TimeEntries(left), ExpectValue::TimeEntries(right)) => {
            let plain = |(key, to): &(Written<TimestampMs>, i64)| (**key, *to);
            left.iter().map(plain).eq(right.iter().map(plain))
        }
        (ExpectValue::Rows(left), ExpectValue::Rows(right)) => left == right,
        (ExpectValue::Files(left), ExpectValue::Files(right)) => left.iter().map(base).eq(right.iter().map(base)),
        _ => left == right,
    }
}

impl Facts<'_> {
    /// The value behind a key, or why it has none.
    fn value(&self, key: ExpectKey) -> Result<ExpectValue, &'static str> {
        let state = self.state;
        if state.start_failed().is_some() && key.is_kept_in_memory() {
            return Err("no running broker: its start failed");
        }
        let read =
            |part: fn(&ReadOutcome) -> Option<Offset>| ExpectValue::Number(self.read.and_then(part).map(Offset::get));
        let read_count = |part: fn(&ReadOutcome) -> u32| {
            ExpectValue::Number(Some(self.read.map_or(0, |read| i64::from(part(read)))))
        };
        let read_size = |part: fn(&ReadOutcome) -> u64| ExpectValue::Amount(Some(size(self.read.map_or(0, part))));
        Ok(match key {
            ExpectKey::Segments => ExpectValue::Offsets(state.bases().map(Offset::get).collect()),
            ExpectKey::LogStart => ExpectValue::Number(Some(state.log_start().get())),
            ExpectKey::LogEnd => ExpectValue::Number(Some(state.log_end().get())),
            ExpectKey::HighWatermark => ExpectValue::Number(Some(state.high_watermark().get())),
            ExpectKey::Size => ExpectValue::Amount(Some(size(state.log_size()))),
            ExpectKey::Deleted => ExpectValue::Amount(Some(size(state.deleted_size()))),
            ExpectKey::Clock => ExpectValue::Time(Some(written(state.clock()))),
            ExpectKey::Index(base) => {
                let entries = state.offset_entries(self.live(base)?);
                let plain = |number: u32| Amount::new(i64::from(number), None);
                let entry = |entry: partition_log::format::index::OffsetEntry| {
                    Some((plain(entry.relative.get())?, i64::from(entry.position.get())))
                };
                ExpectValue::Entries(entries.into_iter().filter_map(entry).collect())
            }
            ExpectKey::TimeIndex(base) => {
                let entries = state.time_entries(self.live(base)?);
                let entry = |entry: partition_log::format::index::TimeEntry| {
                    (written(entry.timestamp), i64::from(entry.relative.get()))
                };
                ExpectValue::TimeEntries(entries.into_iter().map(entry).collect())
            }
            ExpectKey::Files(base) => {
                let base = self.live(base)?;
                let length = |kind| state.files().apparent_size(FileName::live(base, kind)).map(size);
                ExpectValue::Files(FileKind::OF_EVERY_SEGMENT.map(length))
            }
            ExpectKey::LastStable => ExpectValue::Number(Some(state.last_stable().get())),
            ExpectKey::RecoveryPoint => ExpectValue::Number(Some(state.recovery_point().get())),
            ExpectKey::Epochs => {
                let entries = state.leader_epochs().entries().iter();
                ExpectValue::Rows(
                    entries
                        .map(|entry| vec![entry.epoch.into(), entry.start.get()])
                        .collect(),
                )
            }
            ExpectKey::Producers => {
                let entries = state.producers().entries();
                let row = entries.map(|(id, entry)| vec![id.get(), entry.epoch.into(), entry.last_sequence().into()]);
                ExpectValue::Rows(row.collect())
            }
            ExpectKey::Snapshots => {
                let mut files = state.files().list();
                files.retain(|file| file.kind == FileKind::Snapshot && file.suffix == Suffix::None);
                ExpectValue::Rows(files.into_iter().map(|file| vec![file.base.get()]).collect())
            }
            ExpectKey::Recovered => {
                ExpectValue::Rows(self.recovered.iter().map(|(base, _)| vec![base.get()]).collect())
            }
            ExpectKey::Scanned => {
                ExpectValue::Amount(Some(size(self.recovered.iter().map(|(_, scanned)| scanned).sum())))
            }
            ExpectKey::FileCount => ExpectValue::Number(i64::try_from(state.files().list().len()).ok()),
            ExpectKey::File(file) => ExpectValue::Amount(state.files().apparent_size(file).map(size)),
            ExpectKey::TxnIndex(base) => {
                let base = self.live(base)?;
                let file = FileName::live(base, FileKind::TxnIndex);
                let bytes = state.files().used(file).unwrap_or_default();
                let entries = TransactionIndex::new(base, bytes).entries().map_while(Result::ok);
                let row = |entry: AbortedTransaction| {
                    vec![
                        entry.producer_id.get(),
                        entry.first_offset,
                        entry.last_offset,
                        entry.last_stable_offset,
                    ]
                };
                ExpectValue::Rows(entries.map(|(_, entry)| row(entry)).collect())
            }
            ExpectKey::Aborted => {
                let aborted = self.read.map_or(&[][..], |read| &read.aborted);
                ExpectValue::Rows(aborted.iter().map(|(id, first)| vec![id.get(), first.get()]).collect())
            }
            ExpectKey::Answer => read(|read| read.answer),
            ExpectKey::Timestamp => ExpectValue::Time(self.read.and_then(|read| read.timestamp).map(written)),
            ExpectKey::Segment => read(|read| read.segment),
            ExpectKey::Position => {
                let position = self.read.and_then(|read| read.position);
                ExpectValue::Number(position.map(|position| i64::from(position.get())))
            }
            ExpectKey::Records => read_count(|read| read.records),
            ExpectKey::Bytes => read_size(|read| read.bytes),
            ExpectKey::Slice => read_size(|read| read.slice),
            ExpectKey::Skipped => read_size(|read| read.skipped),
            ExpectKey::Next => read(|read| read.next),
            ExpectKey::Below => read_count(|read| read.below),
            ExpectKey::Markers => read_count(|read| read.markers),
            ExpectKey::AbortedRecords => read_count(|read| read.aborted_records),
            ExpectKey::Lag => ExpectValue::Number(self.consumer.lag()),
            ExpectKey::Consumer => ExpectValue::Number(self.consumer.position().map(Offset::get)),
            ExpectKey::Committed => ExpectValue::Number(self.consumer.committed().map(Offset::get)),
            ExpectKey::Error => ExpectValue::Word(self.error.map_or("none", LogError::code).to_string()),
        })
    }

    fn live(&self, base: i64) -> Result<Offset, &'static str> {
        let found = self.state.bases().find(|live| live.get() == base);
        found.ok_or("no such segment")
    }
}

fn size(bytes: u64) -> Amount {
    let plain = i64::try_from(bytes).unwrap_or(i64::MAX);
    Amount::new(plain, Some(Unit::B)).unwrap_or(Amount::ZERO)
}
