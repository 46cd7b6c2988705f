//! What clients were answered follows from the bytes of the files. Nothing of the engine is asked here but how bytes are
//! read: each answer is found by looking at every batch.

use partition_log::Offset;
use partition_log::format::batch::{RawBatch, read_records};
use partition_log::format::epoch::LeaderEpochs;
use partition_log::format::index::{AbortedTransaction, TransactionIndex};

use crate::kept::{Consumed, Isolation, Kept, Line, List, crc32c};

/// A record, and what a search and a filter have to know of it.
struct Record {
    offset: i64,
    timestamp: i64,
    segment: i64,
    leader_epoch: i32,
    /// Whether it is a marker.
    control: bool,
    /// Whose transaction it is part of.
    transaction: Option<i64>,
}

/// A directory as a reader sees it.
struct Readable<'a> {
    kept: &'a Kept,
    /// All records, markers too, from the log start on.
    records: Vec<Record>,
    /// The batches with the base offset of their segment.
    batches: Vec<(i64, RawBatch<'a>)>,
    /// The aborted transactions with the base offset of the segment of their marker.
    aborted: Vec<(i64, AbortedTransaction)>,
}

impl<'a> Readable<'a> {
    fn of(kept: &'a Kept) -> Readable<'a> {
        let mut readable = Readable {
            kept,
            records: Vec::new(),
            batches: Vec::new(),
            aborted: Vec::new(),
        };
        for segment in kept.segments().iter().filter(|segment| !segment.deleted) {
            let base = segment.base;
            readable
                .batches
                .extend(segment.batches().into_iter().map(|batch| (base, batch)));
            if let Some(file) = segment.aborted {
                let index = TransactionIndex::new(Offset::new(base).expect("an offset"), &file.bytes);
                let entries = index.entries().map(|entry| entry.expect("a sound entry").1);
                readable.aborted.extend(entries.map(|entry| (base, entry)));
            }
        }
        for (segment, batch) in &readable.batches {
            let records = read_records(batch.bytes).expect("sound records");
            readable.records.extend(records.into_iter().map(|record| Record {
                offset: record.offset.get(),
                timestamp: record.timestamp.expect("each has one").get(),
                segment: *segment,
                leader_epoch: batch.header.leader_epoch,
                control: batch.header.is_control(),
                transaction: batch.header.is_transactional().then_some(batch.header.producer_id),
            }));
        }
        readable.records.retain(|record| record.offset >= kept.marks.log_start);
        readable
    }

    /// The first offset that a reader must not get.
    fn end(&self, isolation: Isolation) -> i64 {
        match isolation {
            Isolation::ReadUncommitted => self.kept.marks.high_watermark,
            Isolation::ReadCommitted => self.kept.marks.last_stable,
        }
    }

    /// What a consumer gets: no marker, none above the end, and at `read_committed` none of an aborted transaction.
    fn offsets(&self, isolation: Isolation) -> Vec<i64> {
        let aborted = |record: &Record| {
            isolation == Isolation::ReadCommitted
                && self.aborted.iter().any(|(_, entry)| {
                    record.transaction == Some(entry.producer_id.get())
                        && (entry.first_offset..=entry.last_offset).contains(&record.offset)
                })
        };
        let records = self.records.iter();
        let records =
            records.filter(|record| !record.control && record.offset < self.end(isolation) && !aborted(record));
        records.map(|record| record.offset).collect()
    }

    /// The first record, be it a marker, that is not older than the target, in the first segment that has such a batch.
    fn find_time(&self, target: i64, isolation: Isolation) -> Option<&Record> {
        let (segment, _) = self
            .batches
            .iter()
            .find(|(_, batch)| batch.header.max_timestamp >= target)?;
        let mut records = self.records.iter().filter(|record| record.segment == *segment);
        let found = records.find(|record| record.timestamp >= target)?;
        (found.offset < self.end(isolation)).then_some(found)
    }
}

#[test]
fn a_consumer_gets_what_its_isolation_level_allows() {
    for kept in &Kept::all() {
        let readable = Readable::of(kept);
        let got = kept.lines.iter().filter_map(|line| match line {
            Line::Committed { offset } => Some(*offset),
            _ => None,
        });
        let got: Vec<i64> = got.collect();
        assert_eq!(readable.offsets(Isolation::ReadCommitted), got, "{}", kept.name);
        for line in &kept.lines {
            match line {
                Line::Consumed(Consumed {
                    isolation,
                    records,
                    position,
                }) => {
                    let expected = (readable.offsets(*isolation).len(), readable.end(*isolation));
                    assert_eq!((*records, *position), expected, "{}, {isolation:?}", kept.name);
                }
                Line::Seek(seek) => {
                    let offsets = readable.offsets(seek.isolation);
                    let first = offsets.into_iter().find(|offset| *offset >= seek.offset);
                    assert_eq!(
                        seek.first, first,
                        "{}, {:?} from {}",
                        kept.name, seek.isolation, seek.offset
                    );
                }
                _ => {}
            }
        }
    }
}

#[test]
fn a_fetch_sends_batches_from_the_one_with_its_offset_on() {
    let mut compared = 0;
    for kept in &Kept::all() {
        let readable = Readable::of(kept);
        for line in &kept.lines {
            let Line::Fetch(fetch) = line else { continue };
            let name = format!(
                "{}, {:?} from {}, {} B",
                kept.name, fetch.isolation, fetch.offset, fetch.max_bytes
            );
            if fetch.error.is_some() {
                assert_eq!(fetch.error.as_deref(), Some("OFFSET_OUT_OF_RANGE"), "{name}");
                let range = kept.marks.log_start..=kept.marks.log_end;
                assert!(!range.contains(&fetch.offset), "{name}");
                continue;
            }
            let marks = [fetch.log_start, fetch.high_watermark, fetch.last_stable];
            let expected = [kept.marks.log_start, kept.marks.high_watermark, kept.marks.last_stable];
            assert_eq!(marks, expected, "{name}");
            let end = readable.end(fetch.isolation);
            let found = readable
                .batches
                .iter()
                .find(|(_, batch)| batch.header.last_offset() >= fetch.offset);
            let Some((segment, first)) = found.filter(|_| fetch.offset < end) else {
                assert_eq!((fetch.first_batch, fetch.length), (None, 0), "{name}");
                continue;
            };
            // Batches of one segment, back to back; the last one may be cut, but the first is whole.
            let rest = readable.batches.iter().filter(|(base, batch)| {
                base == segment && (first.position..).contains(&batch.position) && batch.header.base_offset < end
            });
            let mut sent: Vec<u8> = rest.flat_map(|(_, batch)| batch.bytes).copied().collect();
            sent.truncate(fetch.max_bytes.max(first.bytes.len()));
            assert_eq!((fetch.length, fetch.crc32c), (sent.len(), crc32c(&sent)), "{name}");
            assert_eq!(fetch.first_batch, Some(first.header.base_offset), "{name}");
            compared += 1;
        }
    }
    assert!(compared > 400, "{compared} fetches");
}

#[test]
fn a_committed_fetch_comes_with_every_aborted_transaction_that_reaches_into_it() {
    for kept in &Kept::all() {
        let readable = Readable::of(kept);
        for line in &kept.lines {
            let Line::Fetch(fetch) = line else { continue };
            let name = format!(
                "{}, {:?} from {}, {} B",
                kept.name, fetch.isolation, fetch.offset, fetch.max_bytes
            );
            let committed = fetch.isolation == Isolation::ReadCommitted;
            assert_eq!(fetch.aborted.is_some(), committed && fetch.error.is_none(), "{name}");
            let Some(told) = &fetch.aborted else { continue };
            let sent = readable
                .batches
                .iter()
                .filter(|(_, batch)| fetch.first_batch.is_some_and(|first| batch.header.base_offset >= first));
            let mut length = 0;
            let last = sent.take_while(|(_, batch)| {
                length += batch.bytes.len();
                length <= fetch.length
            });
            let last = last.last().map_or(-1, |(_, batch)| batch.header.last_offset());
            for (_, entry) in &readable.aborted {
                let reaches = entry.last_offset >= fetch.offset && entry.first_offset <= last;
                let one = (entry.producer_id.get(), entry.first_offset);
                // More of them may come, for the end of what is sent is known only as well as the index knows it.
                assert!(!reaches || told.contains(&one), "{name}: {one:?} is missing");
            }
            let known = |one: &(i64, i64)| {
                let entries = readable.aborted.iter();
                entries
                    .map(|(_, entry)| (entry.producer_id.get(), entry.first_offset))
                    .any(|entry| entry == *one)
            };
            assert!(told.iter().all(known), "{name}");
        }
    }
}

#[test]
fn a_search_by_time_finds_the_first_record_that_is_not_older() {
    for kept in &Kept::all() {
        let readable = Readable::of(kept);
        for line in &kept.lines {
            let Line::Time(time) = line else { continue };
            let found = readable.find_time(time.target, time.isolation);
            let found = found.map(|record| (record.offset, record.timestamp, record.leader_epoch));
            let answer = time.offset.zip(time.timestamp).zip(time.leader_epoch);
            let answer = answer.map(|((offset, timestamp), epoch)| (offset, timestamp, epoch));
            assert_eq!(answer, found, "{}, {:?} at {}", kept.name, time.isolation, time.target);
        }
    }
}

#[test]
fn the_offsets_that_have_names() {
    for kept in &Kept::all() {
        let readable = Readable::of(kept);
        let text =
            String::from_utf8(kept.files["leader-epoch-checkpoint"].bytes.clone()).expect("a checkpoint is text");
        let epochs = LeaderEpochs::parse(&text).expect("a checkpoint");
        let newest = epochs.latest().map(|entry| entry.epoch);
        for line in &kept.lines {
            let Line::List(List {
                isolation,
                of,
                offset,
                timestamp,
                leader_epoch,
            }) = line
            else {
                continue;
            };
            let expected = match of.as_str() {
                "earliest" | "earliest-local" => {
                    let log_start = kept.marks.log_start;
                    (
                        log_start,
                        -1,
                        epochs.epoch_of(Offset::new(log_start).expect("an offset")),
                    )
                }
                "latest" => (readable.end(*isolation), -1, newest),
                _ => {
                    // The first of the oldest: what the largest timestamp of all is looked for with.
                    let largest = readable.records.iter().map(|record| record.timestamp).max();
                    let found = largest.and_then(|largest| readable.find_time(largest, *isolation));
                    found.map_or((-1, -1, None), |record| {
                        (record.offset, record.timestamp, Some(record.leader_epoch))
                    })
                }
            };
            assert_eq!(
                (*offset, *timestamp, *leader_epoch),
                expected,
                "{}, {of} {isolation:?}",
                kept.name
            );
        }
    }
}

#[test]
fn the_end_of_a_leader_epoch() {
    for kept in &Kept::all() {
        let text =
            String::from_utf8(kept.files["leader-epoch-checkpoint"].bytes.clone()).expect("a checkpoint is text");
        let epochs = LeaderEpochs::parse(&text).expect("a checkpoint");
        let entries = epochs.entries();
        for line in &kept.lines {
            let Line::Epoch(end) = line else { continue };
            // An epoch that left no record ends where the one before it does.
            let asked = entries.iter().rposition(|entry| entry.epoch <= end.asked);
            let next = asked.map_or(0, |asked| asked + 1);
            let expected = match (asked, entries.get(next)) {
                (Some(asked), Some(next)) => (entries[asked].epoch, next.start.get()),
                (Some(last), None) if entries[last].epoch == end.asked => (end.asked, kept.marks.log_end),
                (_, _) => (-1, -1),
            };
            assert_eq!(
                (end.epoch, end.end_offset),
                expected,
                "{}, epoch {}",
                kept.name,
                end.asked
            );
        }
    }
}
