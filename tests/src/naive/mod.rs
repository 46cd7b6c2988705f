//! The same rules once more, as plainly as they can be said: segments are lists, every answer is found by walking.
//!
//! Shares no rule with partition-log, keeps no counter, no index and no cache: entries are worked out anew from the
//! batches whenever they are asked for. It reads only the numbers of [`Settings`]. Slow on purpose.

mod read;
mod retention;

use std::collections::BTreeMap;

use partition_log::config::Settings;

/// A batch of one or more records that share a timestamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// First offset.
    pub first: i64,
    /// Last offset.
    pub last: i64,
    /// Bytes.
    pub size: i64,
    /// Timestamp in ms.
    pub time: Option<i64>,
}

/// A segment.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Base offset.
    pub base: i64,
    /// Its batches, oldest first.
    pub batches: Vec<Batch>,
    created: i64,
    written: i64,
    interval: i64,
    index_bytes: i64,
    closed: bool,
    has_index: bool,
    has_time_index: bool,
}

impl Segment {
    /// Bytes in the `.log`.
    pub fn size(&self) -> i64 {
        self.batches.iter().map(|batch| batch.size).sum()
    }

    /// Where batch number `at` starts.
    pub fn position(&self, at: usize) -> i64 {
        self.batches[..at].iter().map(|batch| batch.size).sum()
    }

    /// Largest timestamp.
    pub fn newest(&self) -> Option<i64> {
        self.batches.iter().filter_map(|batch| batch.time).max()
    }

    fn newest_or_file_time(&self) -> i64 {
        self.newest().unwrap_or(self.written)
    }

    /// Numbers of the batches with an entry: more than the interval lies between the starts of two of them, or between
    /// the start of the segment and the first.
    fn indexed(&self) -> Vec<usize> {
        let mut last = 0;
        let mut found = Vec::new();
        for at in 0..self.batches.len() {
            if self.position(at) - last > self.interval {
                last = self.position(at);
                found.push(at);
            }
        }
        found
    }

    /// The offset index: relative last offset, position.
    pub fn entries(&self) -> Vec<(i64, i64)> {
        let indexed = self.indexed().into_iter();
        indexed
            .map(|at| (self.batches[at].last - self.base, self.position(at)))
            .collect()
    }

    /// The time index: timestamp, relative offset.
    pub fn time_entries(&self) -> Vec<(i64, i64)> {
        let mut moments = self.indexed();
        if self.closed && !self.batches.is_empty() {
            moments.push(self.batches.len() - 1);
        }
        let mut entries: Vec<(i64, i64)> = Vec::new();
        for moment in moments {
            let so_far = &self.batches[..=moment];
            let Some(newest) = so_far.iter().filter_map(|batch| batch.time).max() else {
                continue;
            };
            let holder = so_far.iter().find(|batch| batch.time == Some(newest));
            if let Some(holder) = holder
                && entries.last().is_none_or(|(time, _)| *time < newest)
            {
                entries.push((newest, holder.last - self.base));
            }
        }
        entries
    }

    /// Byte at which a lookup of a relative offset starts.
    fn start_for(&self, relative: i64) -> i64 {
        let below = |(offset, _): &&(i64, i64)| *offset <= relative;
        self.entries().iter().rfind(below).map_or(0, |(_, position)| *position)
    }
}

/// Where a consumer goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// At the log start.
    Earliest,
    /// At the high watermark.
    Latest,
    /// Nowhere.
    None,
    /// At the first record of the last so many ms.
    ByDuration(i64),
}

/// What a read found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Offset.
    pub answer: Option<i64>,
    /// Its timestamp.
    pub time: Option<i64>,
    /// Base of the segment.
    pub segment: Option<i64>,
    /// Start of the batch.
    pub position: Option<i64>,
    /// Records kept.
    pub records: i64,
    /// Bytes of whole batches kept.
    pub bytes: i64,
    /// Bytes sent.
    pub slice: i64,
    /// Bytes passed over.
    pub skipped: i64,
    /// Next offset.
    pub next: Option<i64>,
}

/// A refusal, by its short name.
pub type Refusal = &'static str;

/// Which file: 0 the log, 1 the index, 2 the time index.
type Kind = usize;

const EXTENSIONS: [&str; 3] = ["log", "index", "timeindex"];

/// The partition.
#[derive(Clone, Debug)]
pub struct Log {
    /// The clock.
    pub clock: i64,
    /// Only read.
    pub settings: Settings,
    /// Live segments, oldest first.
    pub segments: Vec<Segment>,
    /// Log start offset.
    pub start: i64,
    /// The pinned high watermark, if it does not follow.
    pub pinned: Option<i64>,
    /// Log end offset.
    pub end: i64,
    /// The next periodic check.
    pub next_check: i64,
    /// The committed offset.
    pub committed: Option<i64>,
    /// The consumer's offset.
    pub consumer: Option<i64>,
    /// Why the consumer looks for an offset, if it has not found one.
    pub(super) looks_for: Option<Refusal>,
    /// The consumer's policy.
    pub reset: Reset,
    removals: Vec<(i64, i64)>,
    deleted_files: BTreeMap<(i64, Kind), i64>,
}

impl Log {
    /// An empty partition; its first segment has both indexes.
    pub fn new(settings: Settings) -> Log {
        let mut log = Log {
            clock: 0,
            next_check: settings.initial_task_delay_ms,
            settings,
            segments: Vec::new(),
            start: 0,
            pinned: None,
            end: 0,
            committed: None,
            consumer: None,
            looks_for: None,
            reset: Reset::Latest,
            removals: Vec::new(),
            deleted_files: BTreeMap::new(),
        };
        log.open();
        log.segments[0].has_index = true;
        log.segments[0].has_time_index = true;
        log
    }

    /// The high watermark.
    pub fn high_watermark(&self) -> i64 {
        self.pinned.unwrap_or(self.end)
    }

    fn open(&mut self) {
        self.segments.push(Segment {
            base: self.end,
            batches: Vec::new(),
            created: self.clock,
            written: self.clock,
            interval: self.settings.index_interval_bytes,
            index_bytes: self.settings.segment_index_bytes,
            closed: false,
            has_index: false,
            has_time_index: false,
        });
    }

    fn segment_end(&self, at: usize) -> i64 {
        self.segments.get(at + 1).map_or(self.end, |next| next.base)
    }

    /// Appends a batch; gives the base of its segment, its first offset, and its position.
    pub fn append(&mut self, records: i64, size: i64, stamp: Option<i64>) -> Result<(i64, i64, i64), Refusal> {
        let broker_time = self.settings.log_append_time();
        if size > self.settings.max_message_bytes {
            return Err("record-too-large");
        }
        if let Some(stamp) = stamp
            && !broker_time
            && (self.clock - stamp > self.settings.message_timestamp_before_max_ms
                || stamp - self.clock > self.settings.message_timestamp_after_max_ms)
        {
            return Err("invalid-timestamp");
        }
        if size > self.settings.segment_bytes {
            return Err("record-batch-too-large");
        }
        let time = if broker_time { Some(self.clock) } else { stamp };
        self.roll_if_due(size, time);
        let (first, clock) = (self.end, self.clock);
        let active = self.segments.last_mut().expect("one segment is always there");
        let position = active.size();
        active.has_index = true;
        active.has_time_index = true;
        active.written = clock;
        active.batches.push(Batch {
            first,
            last: first + records - 1,
            size,
            time,
        });
        let base = active.base;
        self.end += records;
        Ok((base, first, position))
    }

    fn roll_if_due(&mut self, size: i64, time: Option<i64>) {
        let (clock, segment_bytes, segment_ms) = (self.clock, self.settings.segment_bytes, self.settings.segment_ms);
        let active = self.segments.last_mut().expect("one segment is always there");
        if active.size() + size > segment_bytes {
            return self.roll();
        }
        if let Some(first) = active.batches.first() {
            let waited = match first.time {
                Some(first) => time.unwrap_or(-1) - first,
                None => clock - active.created,
            };
            if waited > segment_ms {
                return self.roll();
            }
        }
        active.has_index = true;
        if active.entries().len() as i64 >= active.index_bytes / 8 {
            return self.roll();
        }
        active.has_time_index = true;
        if active.time_entries().len() as i64 >= active.index_bytes / 12 - 1 {
            self.roll();
        }
    }

    fn roll(&mut self) {
        let active = self.segments.last_mut().expect("one segment is always there");
        if active.batches.is_empty() {
            let empty = self.segments.pop().expect("it was just there");
            self.delete(empty);
        } else {
            active.closed = true;
            active.has_index = true;
            active.has_time_index = true;
        }
        self.open();
    }

    /// Moves the start up, if the high watermark allows it.
    pub fn delete_records(&mut self, before: i64) -> Result<(), Refusal> {
        if before > self.high_watermark() {
            return Err("offset-out-of-range");
        }
        self.start = self.start.max(before);
        Ok(())
    }

    /// Pins the high watermark inside the log.
    pub fn pin(&mut self, offset: i64) -> Result<(), Refusal> {
        if offset < self.start || offset > self.end {
            return Err("high-watermark-out-of-range");
        }
        self.pinned = Some(offset);
        Ok(())
    }

    /// Names and lengths of all files.
    pub fn listing(&self) -> Vec<(String, i64)> {
        let live = self.segments.iter().flat_map(|segment| {
            let files = lengths(segment).into_iter().enumerate();
            files.filter_map(|(kind, length)| {
                length.map(|length| (format!("{:020}.{}", segment.base, EXTENSIONS[kind]), length))
            })
        });
        let deleted = self
            .deleted_files
            .iter()
            .map(|((base, kind), length)| (format!("{base:020}.{}.deleted", EXTENSIONS[*kind]), *length));
        let mut listing: Vec<_> = live.chain(deleted).collect();
        listing.sort();
        listing
    }
}

/// Lengths of a segment's three files, where they exist.
fn lengths(segment: &Segment) -> [Option<i64>; 3] {
    let index = |has: bool, entries: usize, entry: i64| {
        has.then(|| {
            if segment.closed {
                entries as i64 * entry
            } else {
                segment.index_bytes / entry * entry
            }
        })
    };
    [
        Some(segment.size()),
        index(segment.has_index, segment.entries().len(), 8),
        index(segment.has_time_index, segment.time_entries().len(), 12),
    ]
}
