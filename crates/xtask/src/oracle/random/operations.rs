//! Random operations, one after the other: what comes next depends on the seed and on what the log answered so far.
//!
//! These reach what no scenario can say: batches with any header, bytes that are no batch, damaged files.

use std::collections::BTreeMap;

use clap::ValueEnum;
use fastrand::Rng;
use partition_log::Offset;
use partition_log::rules::fetch::Isolation;
use partition_log::rules::validate::AppendOrigin;
use partition_story::language::Written;
use partition_story::language::commands::{
    CheckRetention, Crash, DeleteRecords, ExpireProducers, Flush, HighWatermark, LeaderEpoch, Roll, Stop, Truncate,
    TruncateFully,
};
use partition_trace::{Answer, Listing, Request, Turn};

use super::batches::Sender;
use super::damage;
use super::reader::Reader;

/// How many operations a sequence has.
const LENGTH: std::ops::Range<usize> = 15..70;
/// How many with a consumer, which takes its part of them.
const LENGTH_WITH_CONSUMER: std::ops::Range<usize> = 30..120;

/// What a sequence may do besides plain appends, reads and retention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Feature {
    /// Idempotent producers and transactions.
    Producers,
    /// Appends of a follower, with gaps and every format.
    Replication,
    /// What a leader refuses.
    Refused,
    /// Leader epochs and truncation.
    Epochs,
    /// Rolls, flushes, stops, crashes and starts.
    Restarts,
    /// Files that change while the broker is down.
    Damage,
    /// A consumer that polls, seeks, commits and looks up times. It is asked for by a word of its own.
    #[value(skip)]
    Consumer,
}

impl Feature {
    /// All but damage: a broken log can hold offsets below 0, which the model cannot express.
    pub const SOUND: [Feature; 5] = [
        Feature::Producers,
        Feature::Replication,
        Feature::Refused,
        Feature::Epochs,
        Feature::Restarts,
    ];
}

/// A sequence of operations under way.
pub struct Operations {
    rng: Rng,
    features: Vec<Feature>,
    now: i64,
    left: usize,
    epoch: i32,
    up: bool,
    clean: bool,
    /// Whether the last operation was a start.
    started: bool,
    sender: Sender,
    listing: Listing,
    reader: Reader,
}

impl Operations {
    /// The sequence of a seed, within these features; each sequence has some of them, and the one that is always there.
    pub fn new(seed: u64, within: &[Feature], always: Option<Feature>) -> (Operations, Turn) {
        let mut rng = Rng::with_seed(seed);
        let some = within.iter().copied().filter(|_| rng.u8(..3) > 0);
        let features: Vec<Feature> = some.chain(always).collect();
        let left = rng.usize(if features.contains(&Feature::Consumer) {
            LENGTH_WITH_CONSUMER
        } else {
            LENGTH
        });
        let mut operations = Operations {
            sender: Sender::new(&mut rng),
            rng,
            features,
            now: 0,
            left,
            epoch: 0,
            up: true,
            clean: true,
            started: false,
            listing: Listing::default(),
            reader: Reader::default(),
        };
        let request = operations.create();
        (
            operations,
            Turn {
                request,
                at: 0,
                high_watermark: None,
            },
        )
    }

    /// The next operation, if there is one.
    pub fn next(&mut self, last: &Answer) -> Option<Turn> {
        self.listing.take(&last.files);
        self.reader.take(last);
        if self.started {
            self.up = last.error.is_none();
        }
        // A broker that is down is started once more, so that what was done to its files shows.
        if self.left == 0 && (self.up || self.started) {
            return None;
        }
        self.started = false;
        self.left = self.left.saturating_sub(1);
        let request = if self.up { self.running(last) } else { self.down() };
        Some(Turn {
            request,
            at: self.now,
            high_watermark: None,
        })
    }

    fn may(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    fn create(&mut self) -> Request {
        let rng = &mut self.rng;
        let mut settings = BTreeMap::new();
        let mut set = |key: &str, value: String| settings.insert(key.to_string(), value);
        set("internal.segment.bytes", rng.u32(250..1_500).to_string());
        set("segment.ms", rng.u32(1_000..90_000).to_string());
        set("index.interval.bytes", rng.u32(0..400).to_string());
        // Mostly small, as nothing of their full size matters.
        set(
            "segment.index.bytes",
            if rng.u8(..8) == 0 { 10_485_760 } else { rng.u32(12..400) }.to_string(),
        );
        set("retention.ms", retention_ms(rng));
        set("retention.bytes", retention_bytes(rng));
        set("file.delete.delay.ms", rng.u32(0..40_000).to_string());
        set(
            "message.timestamp.type",
            if rng.u8(..6) == 0 {
                "LogAppendTime"
            } else {
                "CreateTime"
            }
            .to_string(),
        );
        set(
            "message.timestamp.after.max.ms",
            if rng.u8(..3) == 0 {
                rng.u32(0..60_000).into()
            } else {
                i64::MAX
            }
            .to_string(),
        );
        set(
            "message.timestamp.before.max.ms",
            if rng.u8(..6) == 0 {
                rng.u32(0..60_000).into()
            } else {
                i64::MAX
            }
            .to_string(),
        );
        set(
            "max.message.bytes",
            if rng.u8(..6) == 0 { rng.u32(70..400) } else { 1_048_588 }.to_string(),
        );
        if self.features.contains(&Feature::Producers) {
            set("producer.id.expiration.ms", rng.u32(1_000..200_000).to_string());
            set(
                "producer.id.expiration.check.interval.ms",
                rng.u32(1_000..100_000).to_string(),
            );
        }
        Request::Create {
            settings,
            first_check: rng.u32(1_000..60_000).into(),
            check_interval: rng.u32(3_000..120_000).into(),
            leader_epoch: None,
        }
    }

    fn running(&mut self, last: &Answer) -> Request {
        let end = last.log_end.unwrap_or(0);
        if self.may(Feature::Consumer) {
            let going_on = self.reader.goes_on(&mut self.rng);
            if going_on || self.rng.u8(..5) < 2 {
                let start = last.log_start.unwrap_or(0);
                return Request::Consumer(self.reader.act(&mut self.rng, going_on, start, end, self.now));
            }
        }
        match self.rng.u8(..100) {
            0..=44 => self.append(end),
            45..=54 => {
                self.now += [500, 1_000, 2_000, 5_000, 7_000, 40_000, 200_000][self.rng.usize(..7)];
                if self.rng.u8(..3) == 0 {
                    Request::Settle
                } else {
                    Request::Advance
                }
            }
            55..=62 => Request::Fetch {
                offset: self.offset(last),
                max_bytes: self.rng.i64(0..700),
                isolation: [Isolation::LogEnd, Isolation::HighWatermark, Isolation::TxnCommitted][self.rng.usize(..3)],
                min_one: self.rng.u8(..4) > 0,
            },
            63..=68 => Request::FindTime {
                below: None,
                target: if self.rng.bool() {
                    self.rng.i64(-6..0)
                } else {
                    self.rng.i64(0..self.now + 20_000)
                },
            },
            69..=71 => CheckRetention.into(),
            72..=74 => DeleteRecords(Some(at(self.offset(last)))).into(),
            75..=77 => self.set(),
            78..=82 => {
                let to = self.rng.bool().then(|| self.rng.i64(last.log_start.unwrap_or(0)..=end));
                HighWatermark(to.map(at)).into()
            }
            83..=89 if self.may(Feature::Epochs) => self.epochs(last),
            90..=99 if self.may(Feature::Restarts) => self.restarts(),
            _ => self.append(end),
        }
    }

    fn append(&mut self, end: i64) -> Request {
        let producers = self.may(Feature::Producers);
        let refused = self.may(Feature::Refused) && self.rng.u8(..8) == 0;
        self.sender.now = self.now;
        match self.rng.u8(..10) {
            0 | 1 if producers => {
                let bytes = self.sender.marker(&mut self.rng, 0, -1);
                Request::Append {
                    origin: AppendOrigin::Coordinator,
                    leader_epoch: self.epoch,
                    transaction_version: Some([1, 2][self.rng.usize(..2)]),
                    bytes,
                }
            }
            2 | 3 if self.may(Feature::Replication) => Request::Append {
                origin: AppendOrigin::Replication,
                leader_epoch: self.epoch,
                transaction_version: None,
                bytes: self.sender.replicated(&mut self.rng, end, self.epoch, producers),
            },
            _ => Request::Append {
                origin: if refused && self.rng.u8(..4) == 0 {
                    AppendOrigin::Coordinator
                } else {
                    AppendOrigin::Client
                },
                leader_epoch: self.epoch,
                transaction_version: None,
                bytes: self.sender.sent(&mut self.rng, producers, refused),
            },
        }
    }

    fn epochs(&mut self, last: &Answer) -> Request {
        let end = last.log_end.unwrap_or(0);
        match self.rng.u8(..8) {
            0..=2 => {
                self.epoch += self.rng.i32(0..3);
                LeaderEpoch(self.epoch.into()).into()
            }
            3 => Request::EndOffset {
                epoch: self.rng.i32(-1..self.epoch + 2),
            },
            4 => {
                let to = self.rng.i64(0..end + 10);
                TruncateFully(at(to)).into()
            }
            _ => Truncate(at(self.rng.i64((end - 12).max(0)..end + 2))).into(),
        }
    }

    fn restarts(&mut self) -> Request {
        match self.rng.u8(..10) {
            0..=2 => Roll.into(),
            3..=5 => Flush.into(),
            6 if self.may(Feature::Producers) => ExpireProducers.into(),
            6..=7 => {
                (self.up, self.clean) = (false, true);
                Stop.into()
            }
            _ => {
                (self.up, self.clean) = (false, false);
                let lose = (self.rng.u8(..3) == 0).then(|| self.rng.u64(0..300).into());
                Crash { lose }.into()
            }
        }
    }

    fn down(&mut self) -> Request {
        if self.may(Feature::Damage)
            && self.rng.bool()
            && let Some(damage) = damage::any(&mut self.rng, &self.listing)
        {
            return damage;
        }
        if self.rng.u8(..4) == 0 {
            self.now += self.rng.i64(0..100_000);
            return Request::Advance;
        }
        self.started = true;
        Request::Start {
            clean: self.clean,
            saved_recovery_point: None,
            saved_log_start: None,
            saved_high_watermark: None,
        }
    }

    fn set(&mut self) -> Request {
        let rng = &mut self.rng;
        let (key, value) = match rng.u8(..5) {
            0 => ("retention.ms", retention_ms(rng)),
            1 => ("retention.bytes", retention_bytes(rng)),
            2 => ("internal.segment.bytes", rng.u32(250..1_500).to_string()),
            3 => ("index.interval.bytes", rng.u32(0..400).to_string()),
            _ => ("segment.ms", rng.u32(1_000..90_000).to_string()),
        };
        Request::Set {
            settings: BTreeMap::from([(key.to_string(), value)]),
        }
    }

    /// Mostly in the log, often at one of its marks.
    fn offset(&mut self, last: &Answer) -> i64 {
        let (start, end) = (last.log_start.unwrap_or(0), last.log_end.unwrap_or(0));
        let marks = [last.high_watermark, last.last_stable, last.log_end];
        if self.rng.u8(..5) == 0
            && let Some(mark) = marks[self.rng.usize(..3)]
        {
            return mark;
        }
        self.rng.i64((start - 2).max(0)..end + 3)
    }
}

fn at(offset: i64) -> Written<Offset> {
    Offset::new(offset).unwrap_or_default().into()
}

fn retention_ms(rng: &mut Rng) -> String {
    if rng.u8(..4) == 0 { -1 } else { rng.i64(0..150_000) }.to_string()
}

fn retention_bytes(rng: &mut Rng) -> String {
    if rng.bool() { -1 } else { rng.i64(0..4_000) }.to_string()
}
