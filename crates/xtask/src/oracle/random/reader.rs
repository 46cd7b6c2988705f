//! A random consumer.

use fastrand::Rng;
use partition_log::rules::fetch::Isolation;
use partition_trace::{Answer, Consumed, ConsumerAct};

/// Bytes at most that a fetch of a small partition brings: less than a batch, a few, and all.
const MAX_BYTES: [u32; 5] = [0, 100, 300, 1_000, 1_048_576];

/// A consumer that acts on what it was answered.
#[derive(Default)]
pub struct Reader {
    joined: bool,
    /// Where it stood before its last poll.
    before: Option<i64>,
    /// What came of the act before, if the last operation was its own.
    last: Option<Consumed>,
    polled: bool,
}

impl Reader {
    /// Takes in what the last operation came to.
    pub fn take(&mut self, last: &Answer) {
        self.last.clone_from(&last.consumer);
    }

    /// Whether it goes on at once: it polls until nothing comes.
    pub fn goes_on(&self, rng: &mut Rng) -> bool {
        let moved = |last: &Consumed| !last.records.is_empty() || last.position != self.before;
        self.polled && self.last.as_ref().is_some_and(moved) && rng.u8(..5) > 0
    }

    /// What it does next, in a log from `start` to `end`.
    pub fn act(&mut self, rng: &mut Rng, going_on: bool, start: i64, end: i64, now: i64) -> ConsumerAct {
        if let Some(last) = &self.last {
            self.before = last.position;
        }
        self.polled = false;
        if !self.joined || (!going_on && rng.u8(..10) == 0) {
            self.joined = true;
            return join(rng, now);
        }
        match rng.u8(..20) {
            _ if going_on => self.poll(),
            0..=2 => ConsumerAct::Seek {
                offset: rng.i64((start - 2).max(0)..end + 3),
            },
            3..=5 => ConsumerAct::Commit,
            6..=8 => ConsumerAct::FindTime {
                target: match rng.u8(..4) {
                    0 => -1,
                    1 => -2,
                    _ => rng.i64(0..now + 20_000),
                },
            },
            _ => self.poll(),
        }
    }

    fn poll(&mut self) -> ConsumerAct {
        self.polled = true;
        ConsumerAct::Poll
    }
}

fn join(rng: &mut Rng, now: i64) -> ConsumerAct {
    let reset = match rng.u8(..5) {
        0 => "latest".to_string(),
        1 => "none".to_string(),
        // A time of the log, mostly.
        2 => format!("by_duration:PT{}S", rng.i64(0..now / 1_000 + 10)),
        _ => "earliest".to_string(),
    };
    ConsumerAct::Join {
        isolation: if rng.bool() {
            Isolation::HighWatermark
        } else {
            Isolation::TxnCommitted
        },
        reset,
        max_bytes: MAX_BYTES[rng.usize(..MAX_BYTES.len())],
        check_crcs: true,
    }
}
