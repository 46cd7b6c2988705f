//! What brokers kept of their producers: the state that the model gets from the same batches is the one in the snapshots,
//! in the transaction indexes, and in the leader's own answers.

use std::collections::BTreeMap;

use partition_log::Offset;
use partition_log::format::batch::{RawBatch, read_records};
use partition_log::format::index::AbortedTransaction;
use partition_log::format::producers::{EndMarker, ProducerEntry, decode_snapshot, encode_snapshot};
use partition_log::rules::producers::{BatchKind, ProducerBatch};
use partition_log::rules::validate::AppendOrigin;
use partition_log::state::producers::{ProducerAppend, ProducerChange, ProducerState};
use partition_log::units::ProducerId;

use crate::kept::{End, Kept, Line, Producer};

/// `transaction.version` of a cluster that was formatted with 4.4.0.
const TRANSACTION_VERSION: i16 = 2;

/// The producers of a snapshot by id, each as a snapshot of its own: their order in the file is that of a hash map.
type Snapshot = BTreeMap<ProducerId, Vec<u8>>;

fn snapshot<'a>(entries: impl Iterator<Item = (ProducerId, &'a ProducerEntry)>) -> Snapshot {
    entries
        .map(|(id, entry)| (id, encode_snapshot([(id, entry)].into_iter())))
        .collect()
}

/// The snapshots of a directory by the offset in their names, those that wait to be deleted too.
fn snapshots(kept: &Kept) -> BTreeMap<i64, Vec<(ProducerId, ProducerEntry)>> {
    let files = kept.files.iter().filter_map(|(name, file)| {
        let (offset, _) = name.split_once(".snapshot")?;
        let producers = decode_snapshot(&file.bytes).unwrap_or_else(|error| panic!("{}, {name}: {error}", kept.name));
        Some((offset.parse().expect("an offset"), producers))
    });
    files.collect()
}

fn producer_batch(batch: &RawBatch<'_>) -> ProducerBatch {
    let header = &batch.header;
    let kind = if header.is_control() {
        let records = read_records(batch.bytes).expect("a control record");
        let record = records.first().expect("one control record");
        let marker = EndMarker::parse(record.key.as_deref(), record.value.as_deref(), header.max_timestamp);
        BatchKind::Marker(marker.expect("a marker"))
    } else {
        BatchKind::Data
    };
    ProducerBatch::of(header, kind, None).expect("a producer id")
}

/// A leader's state while its log grows by the batches of a directory.
struct Leader<'a> {
    kept: &'a Kept,
    state: ProducerState,
    /// Each aborted transaction and the base offset of the segment with its marker.
    aborted: Vec<(i64, AbortedTransaction)>,
}

impl Leader<'_> {
    fn apply(&mut self, changes: impl IntoIterator<Item = ProducerChange>) {
        changes.into_iter().for_each(|change| self.state.apply(&change));
    }

    /// Appends as the leader did: with a client's checks, or for a marker with a coordinator's.
    fn append(&mut self, base: i64, batch: &RawBatch<'_>) {
        let control = batch.header.is_control();
        let append = ProducerAppend {
            origin: if control {
                AppendOrigin::Coordinator
            } else {
                AppendOrigin::Client
            },
            transaction_version: control.then_some(TRANSACTION_VERSION),
            ..ProducerAppend::default()
        };
        if batch.header.has_producer_id() {
            let batch = producer_batch(batch);
            let planned = self.state.plan_append(&[batch], &append, &mut |_| ());
            let planned = planned.unwrap_or_else(|error| panic!("{}, {batch:?}: {error}", self.kept.name));
            assert_eq!(planned.duplicate, None, "{}: a duplicate is in no log", self.kept.name);
            self.apply(planned.changes);
            for completed in planned.completed {
                let aborted = self.state.next_stable(completed).aborted_entry();
                self.aborted.extend(aborted.map(|aborted| (base, aborted)));
                let change = self.state.complete(completed).expect("an open transaction");
                self.apply([change]);
            }
        }
        // Nobody follows this leader: its high watermark is the log end.
        let end = Offset::new(batch.header.next_offset()).expect("an offset");
        self.apply([ProducerChange::MapEnd(end)]);
        let replicated = self.state.on_high_watermark(end);
        self.apply(replicated);
    }
}

/// Replays the directory's batches up to its first restart, at which old producers are forgotten; `look` sees the state
/// before each batch and at the end.
fn replay<'a>(kept: &'a Kept, mut look: impl FnMut(i64, &Leader<'a>)) -> Leader<'a> {
    let mut leader = Leader {
        kept,
        state: ProducerState::default(),
        aborted: Vec::new(),
    };
    let mut end = 0;
    let until = kept.restarts().first().map_or(i64::MAX, |restart| restart.log_end);
    for segment in kept.segments() {
        for batch in segment
            .batches()
            .iter()
            .filter(|batch| batch.header.base_offset < until)
        {
            look(batch.header.base_offset, &leader);
            leader.append(segment.base, batch);
            end = batch.header.next_offset();
        }
    }
    look(end, &leader);
    leader
}

/// Directories whose first record is still there.
fn whole() -> Vec<Kept> {
    let mut all = Kept::all();
    all.retain(|kept| kept.segments()[0].base == 0);
    all
}

#[test]
fn each_snapshot_holds_the_state_before_its_offset() {
    let mut compared = 0;
    for kept in whole() {
        // A recovery takes the snapshots anew, and forgets producers that wrote nothing for a day.
        if kept.restarts().iter().any(|restart| restart.recovered_from.is_some()) {
            continue;
        }
        let snapshots = snapshots(&kept);
        replay(&kept, |offset, leader| {
            if let Some(found) = snapshots.get(&offset) {
                let found = snapshot(found.iter().map(|(id, entry)| (*id, entry)));
                assert_eq!(
                    found,
                    snapshot(leader.state.entries()),
                    "{}, {offset}.snapshot",
                    kept.name
                );
                compared += 1;
            }
        });
    }
    assert!(compared > 15, "{compared} snapshots");
}

#[test]
fn a_stopped_broker_leaves_a_snapshot_at_the_log_end() {
    for kept in Kept::all() {
        let newest = snapshots(&kept).keys().next_back().copied();
        let at_end = newest == Some(kept.marks.log_end);
        assert_eq!(at_end, kept.origin.ended == End::Stopped, "{}", kept.name);
    }
}

#[test]
fn the_leader_knows_of_its_producers_what_the_model_does() {
    for kept in whole().iter().filter(|kept| kept.restarts().is_empty()) {
        let leader = replay(kept, |_, _| ());
        let known = kept.lines.iter().filter_map(|line| match line {
            Line::Producer(producer) => Some(producer),
            _ => None,
        });
        let known: Vec<&Producer> = known.collect();
        assert_eq!(known.len(), leader.state.entries().count(), "{}", kept.name);
        for (producer, (id, entry)) in known.into_iter().zip(leader.state.entries()) {
            let name = format!("{}, producer {id}", kept.name);
            assert_eq!(producer.id, id.get(), "{name}");
            assert_eq!(producer.epoch, i32::from(entry.epoch), "{name}");
            assert_eq!(producer.last_sequence, entry.last_sequence(), "{name}");
            assert_eq!(producer.last_timestamp, entry.last_timestamp, "{name}");
            assert_eq!(
                producer.coordinator_epoch.unwrap_or(-1),
                entry.coordinator_epoch,
                "{name}"
            );
            assert_eq!(producer.transaction_first_offset, entry.transaction, "{name}");
        }
    }
}

#[test]
fn the_transaction_indexes_hold_what_the_model_writes() {
    let mut compared = 0;
    for kept in whole() {
        let mut expected: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for (base, aborted) in replay(&kept, |_, _| ()).aborted {
            let name = format!("{base:020}.txnindex");
            expected.entry(name).or_default().extend(aborted.to_bytes());
        }
        let found = kept.files.iter().filter(|(name, _)| name.ends_with(".txnindex"));
        let found: BTreeMap<String, Vec<u8>> = found.map(|(name, file)| (name.clone(), file.bytes.clone())).collect();
        assert_eq!(found, expected, "{}", kept.name);
        compared += found.len();
    }
    assert!(compared > 5, "{compared} indexes");
}

#[test]
fn the_last_stable_offset_is_the_models() {
    for kept in whole() {
        let leader = replay(&kept, |_, _| ());
        let log_start = Offset::new(kept.marks.log_start).expect("an offset");
        let unstable = leader.state.first_unstable(log_start).offset();
        let last_stable = unstable.map_or(kept.marks.high_watermark, Offset::get);
        assert_eq!(last_stable, kept.marks.last_stable, "{}", kept.name);
    }
}
