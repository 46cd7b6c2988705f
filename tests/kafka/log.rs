//! A log as Kafka's tests handle one: plain numbers, milliseconds, batches built by hand.

use partition_log::config::Settings;
use partition_log::disk::{FileKind, FileName, Suffix, Vfs};
use partition_log::format::batch::{BatchSpec, EndTransaction, end_transaction_marker};
use partition_log::format::index::TransactionIndex;
use partition_log::operations::load::{Damage, StartOptions};
use partition_log::rules::fetch::Isolation;
use partition_log::rules::validate::AppendOrigin;
use partition_log::{
    AppendOptions, Appended, FetchOptions, LogError, Offset, Partition, PartitionState, ReadOutcome, Step, TimeTarget,
    TimestampMs,
};
use partition_tests::orders::{done, offset};

use crate::batches::at;

/// A time in milliseconds.
pub fn ms(value: i64) -> TimestampMs {
    TimestampMs::new(value).expect("a time is not negative")
}

/// No limit of age or size, no check of its own accord, no roll by time: a test asks for what it is about.
pub fn unhurried() -> Settings {
    Settings {
        initial_task_delay_ms: i64::MAX,
        retention_ms: -1,
        segment_ms: i64::MAX,
        ..Settings::default()
    }
}

/// A log and the operations of its tests.
#[derive(Clone, Debug)]
pub struct Log {
    pub partition: Partition,
}

impl Log {
    pub fn new(settings: Settings) -> Log {
        Log {
            partition: done(Partition::create(settings, 0)),
        }
    }

    /// A log whose first segment, still empty, has this base.
    pub fn at(base: i64, settings: Settings) -> Log {
        let mut log = Log::new(settings);
        done(log.partition.truncate_fully(offset(base)));
        log
    }

    pub fn state(&self) -> &PartitionState {
        self.partition.state()
    }

    // --- the clock ---------------------------------------------------------------------------------------------------

    pub fn now(&self) -> i64 {
        self.state().clock().get()
    }

    pub fn sleep(&mut self, span_ms: i64) {
        let to = ms(self.now() + span_ms);
        done(self.partition.advance_to(to));
    }

    // --- appends -----------------------------------------------------------------------------------------------------

    pub fn try_append(&mut self, bytes: &[u8], origin: AppendOrigin) -> Result<Appended, LogError> {
        let options = AppendOptions {
            origin,
            transaction_version: (origin == AppendOrigin::Coordinator).then_some(1),
        };
        self.partition.append_records(bytes, options)
    }

    /// As a client.
    pub fn append(&mut self, batch: &BatchSpec) -> Appended {
        self.try_send(batch).unwrap_or_else(|error| panic!("refused: {error}"))
    }

    /// As a client; first and last offset.
    pub fn offsets_of(&mut self, batch: &BatchSpec) -> (i64, i64) {
        let appended = self.append(batch);
        (appended.first_offset.get(), appended.last_offset.get())
    }

    pub fn try_send(&mut self, batch: &BatchSpec) -> Result<Appended, LogError> {
        self.try_append(&batch.encode().expect("a small batch"), AppendOrigin::Client)
    }

    /// As a follower, batches as they are.
    pub fn replicate(&mut self, bytes: &[u8]) -> Appended {
        self.try_append(bytes, AppendOrigin::Replication)
            .unwrap_or_else(|error| panic!("refused: {error}"))
    }

    /// As a follower, a batch at an offset and under an epoch.
    pub fn replicate_at(&mut self, base_offset: i64, leader_epoch: i32, batch: BatchSpec) -> Appended {
        self.replicate(&at(base_offset, leader_epoch, batch))
    }

    /// As a transaction coordinator; the offset of the marker.
    pub fn end(&mut self, marker: &EndTransaction) -> i64 {
        let ended = self.try_end(marker);
        ended
            .unwrap_or_else(|error| panic!("refused: {error}"))
            .first_offset
            .get()
    }

    pub fn try_end(&mut self, marker: &EndTransaction) -> Result<Appended, LogError> {
        self.try_append(&end_transaction_marker(marker), AppendOrigin::Coordinator)
    }

    /// As a follower, and what was decided on the way.
    pub fn steps_of(&mut self, bytes: &[u8]) -> Vec<Step> {
        let options = AppendOptions {
            origin: AppendOrigin::Replication,
            transaction_version: None,
        };
        let trace = self
            .partition
            .trace(|partition| partition.append_records(bytes, options));
        let _ = trace.outcome.unwrap_or_else(|error| panic!("refused: {error}"));
        trace.steps
    }

    // --- reading -----------------------------------------------------------------------------------------------------

    pub fn fetch(&mut self, from: i64, options: FetchOptions) -> Result<ReadOutcome, LogError> {
        self.partition.fetch_with(offset(from), options)
    }

    /// As a follower reads: up to the log end, the first batch whole.
    pub fn read(&mut self, from: i64, limit: u64) -> ReadOutcome {
        let options = FetchOptions {
            isolation: Isolation::LogEnd,
            ..FetchOptions::limited(Some(limit))
        };
        self.fetch(from, options)
            .unwrap_or_else(|error| panic!("refused: {error}"))
    }

    /// First offset and number of records that a follower gets.
    pub fn got(&mut self, from: i64, limit: u64) -> (Option<i64>, u32) {
        let outcome = self.read(from, limit);
        (outcome.answer.map(Offset::get), outcome.records)
    }

    /// Looks up one of the special targets, as the log itself answers it.
    pub fn ask(&mut self, target: TimeTarget) -> Result<ReadOutcome, LogError> {
        self.partition.find_time_with(target, Isolation::LogEnd)
    }

    /// Offset and timestamp that a search finds.
    pub fn find(&mut self, timestamp: i64) -> Option<(i64, i64)> {
        let outcome = done(self.partition.find_time(ms(timestamp)));
        Some((outcome.answer?.get(), outcome.timestamp?.get()))
    }

    /// Every offset in the log, as its files have them.
    pub fn offsets(&self) -> Vec<i64> {
        let view = self.state().view();
        let batches = view.segments.iter().flat_map(|segment| &segment.batches);
        let records = batches.flat_map(|batch| &batch.records);
        records.map(|record| record.offset.get()).collect()
    }

    // --- what it is --------------------------------------------------------------------------------------------------

    pub fn bases(&self) -> Vec<i64> {
        self.state().bases().map(Offset::get).collect()
    }

    pub fn segments(&self) -> usize {
        self.state().bases().count()
    }

    pub fn log_start(&self) -> i64 {
        self.state().log_start().get()
    }

    pub fn high_watermark(&self) -> i64 {
        self.state().high_watermark().get()
    }

    pub fn log_end(&self) -> i64 {
        self.state().log_end().get()
    }

    pub fn first_unstable(&self) -> Option<i64> {
        self.state().first_unstable().map(Offset::get)
    }

    pub fn last_stable(&self) -> i64 {
        self.state().last_stable().get()
    }

    /// Each leader epoch and its first offset.
    pub fn epochs(&self) -> Vec<(i32, i64)> {
        let epochs = self.state().leader_epochs().entries();
        epochs.iter().map(|entry| (entry.epoch, entry.start.get())).collect()
    }

    /// Offsets of the snapshots in use.
    pub fn snapshots(&self) -> Vec<i64> {
        self.files(FileKind::Snapshot, Suffix::None)
    }

    /// The offsets in the names of all files of a kind.
    pub fn files(&self, kind: FileKind, suffix: Suffix) -> Vec<i64> {
        let files = self.state().files().list().into_iter();
        let named = files.filter(|file| file.kind == kind && file.suffix == suffix);
        let mut bases: Vec<i64> = named.map(|file| file.base.get()).collect();
        bases.sort_unstable();
        bases
    }

    /// The length of a live file, as a directory lists it.
    pub fn length(&self, base: i64, kind: FileKind) -> Option<u64> {
        self.state().files().apparent_size(FileName::live(offset(base), kind))
    }

    /// Offset and position of each entry of an offset index.
    pub fn index(&self, base: i64) -> Vec<(i64, u32)> {
        let entries = self.state().offset_entries(offset(base));
        let absolute = |relative: u32| base + i64::from(relative);
        entries
            .iter()
            .map(|entry| (absolute(entry.relative.get()), entry.position.get()))
            .collect()
    }

    /// Timestamp and offset of each entry of a time index.
    pub fn time_index(&self, base: i64) -> Vec<(i64, i64)> {
        let entries = self.state().time_entries(offset(base));
        let absolute = |relative: u32| base + i64::from(relative);
        entries
            .iter()
            .map(|entry| (entry.timestamp.get(), absolute(entry.relative.get())))
            .collect()
    }

    /// The aborted transactions of a segment: producer, first offset, marker, last stable offset.
    pub fn aborted(&self, base: i64) -> Vec<(i64, i64, i64, i64)> {
        let file = FileName::live(offset(base), FileKind::TxnIndex);
        let bytes = self.state().files().used(file).unwrap_or_default();
        let entries = TransactionIndex::new(offset(base), bytes).entries();
        let entries = entries.map(|entry| entry.expect("an entry").1);
        entries
            .map(|entry| {
                let producer = entry.producer_id.get();
                (
                    producer,
                    entry.first_offset,
                    entry.last_offset,
                    entry.last_stable_offset,
                )
            })
            .collect()
    }

    // --- what is done to it ------------------------------------------------------------------------------------------

    /// Moves the high watermark, and keeps it there.
    pub fn set_high_watermark(&mut self, to: i64) {
        done(self.partition.pin_high_watermark(offset(to)));
    }

    pub fn truncate_to(&mut self, to: i64) {
        done(self.partition.truncate_to(offset(to)));
    }

    pub fn roll(&mut self) {
        done(self.partition.roll());
    }

    pub fn delete_records(&mut self, before: i64) {
        done(self.partition.delete_records(offset(before)));
    }

    /// Shuts down cleanly and starts again; what a start is told beside is up to the caller.
    pub fn reopen(&mut self, options: StartOptions) {
        if self.state().running() {
            done(self.partition.stop());
        }
        done(self.partition.start(options));
    }

    /// Closes the files in order and starts as after a crash, all below the recovery point being on disk. That is how
    /// Kafka's tests crash.
    pub fn recover_from(&mut self, recovery_point: i64) {
        self.reopen(unclean(recovery_point));
    }

    /// Changes a live file of a broker that is down.
    pub fn damage(&mut self, base: i64, kind: FileKind, damage: &Damage) {
        done(self.partition.damage(FileName::live(offset(base), kind), damage));
    }

    /// Removes all live files of a kind, the broker being down.
    pub fn remove_all(&mut self, kind: FileKind) {
        for base in self.files(kind, Suffix::None) {
            self.damage(base, kind, &Damage::Remove);
        }
    }

    /// A retention check; how many segments went.
    pub fn delete_old_segments(&mut self) -> usize {
        done(self.partition.check_retention()).deleted.len()
    }
}

/// A start after a crash.
pub fn unclean(recovery_point: i64) -> StartOptions {
    StartOptions {
        clean: Some(false),
        recovery_point: Some(offset(recovery_point)),
        ..StartOptions::default()
    }
}

/// Kafka's name for a refusal.
pub fn refused<T>(outcome: Result<T, impl Into<LogError>>) -> Option<&'static str> {
    outcome.err().and_then(|error| error.into().kafka_name())
}
