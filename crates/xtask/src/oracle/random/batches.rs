//! Random batches, as producers, coordinators and leaders send them, and as none of them should.

use fastrand::Rng;
use partition_log::format::batch::{
    BatchSpec, Codec, EndTransaction, LegacyFormat, MessageSpec, RecordHeader, RecordSpec, end_transaction_marker,
};

use super::packed::compressed;

/// A producer that is idempotent or transactional, as it sees itself.
struct Producer {
    id: i64,
    epoch: i16,
    next: i32,
    coordinator_epoch: i32,
    in_transaction: bool,
    /// What it has sent, to send it again.
    sent: Vec<Vec<u8>>,
}

/// Everyone who appends.
pub struct Sender {
    producers: Vec<Producer>,
    /// The clock, in milliseconds.
    pub now: i64,
}

impl Sender {
    pub fn new(rng: &mut Rng) -> Sender {
        let producer = |id: i64| Producer {
            id,
            epoch: 0,
            // Sequence numbers start at 0; one of them is about to begin again.
            next: if rng.u8(..12) == 0 { i32::MAX - 4 } else { 0 },
            coordinator_epoch: 0,
            in_transaction: false,
            sent: Vec::new(),
        };
        Sender {
            producers: (7..10).map(producer).collect(),
            now: 0,
        }
    }

    /// What a client sends.
    pub fn sent(&mut self, rng: &mut Rng, producers: bool, refused: bool) -> Vec<u8> {
        if producers && rng.u8(..8) == 0 {
            let producer = rng.choice(&self.producers).filter(|producer| !producer.sent.is_empty());
            if let Some(again) = producer.and_then(|producer| rng.choice(&producer.sent)) {
                return again.clone();
            }
        }
        let mut batch = self.batch(rng);
        let by = if producers && rng.u8(..4) > 0 {
            self.signed(rng, &mut batch)
        } else {
            None
        };
        let bytes = match rng.u8(..6) {
            0 => compressed(rng, &batch),
            _ => encoded(&batch),
        };
        if let Some(producer) = by.and_then(|index| self.producers.get_mut(index)) {
            producer.sent.push(bytes.clone());
        }
        if refused { self.wrong(rng, batch, bytes) } else { bytes }
    }

    /// The marker of a coordinator.
    pub fn marker(&mut self, rng: &mut Rng, base_offset: i64, leader_epoch: i32) -> Vec<u8> {
        let now = self.now;
        let index = rng.usize(..self.producers.len());
        let producer = &mut self.producers[index];
        match rng.u8(..12) {
            0 => producer.coordinator_epoch += 1,
            1 => producer.coordinator_epoch = (producer.coordinator_epoch - 1).max(0),
            2 | 3 => {
                producer.epoch += 1;
                producer.next = 0;
            }
            4 => producer.epoch = (producer.epoch - 1).max(0),
            _ => {}
        }
        producer.in_transaction = false;
        end_transaction_marker(&EndTransaction {
            base_offset,
            leader_epoch,
            timestamp: now,
            producer_id: producer.id,
            producer_epoch: producer.epoch,
            coordinator_epoch: producer.coordinator_epoch,
            commit: rng.bool(),
        })
    }

    /// What a follower gets from its leader, whose log ends at `end`.
    pub fn replicated(&mut self, rng: &mut Rng, end: i64, epoch: i32, producers: bool) -> Vec<u8> {
        let mut all = Vec::new();
        let mut base = end;
        for _ in 0..rng.usize(1..4) {
            match rng.u8(..14) {
                0 => base += rng.i64(1..5),
                1 if base == end => base -= rng.i64(0..3),
                _ => {}
            }
            let base_now = base.max(0);
            let leader_epoch = match rng.u8(..12) {
                0 => -1,
                1 => epoch + 1,
                2 => (epoch - 1).max(0),
                _ => epoch,
            };
            match rng.u8(..10) {
                0 => {
                    all.extend(self.message(rng, base_now));
                    base = base_now + 1;
                }
                1 if producers => {
                    all.extend(self.marker(rng, base_now, leader_epoch));
                    base = base_now + 1;
                }
                _ => {
                    let mut batch = self.batch(rng);
                    if producers && rng.u8(..4) > 0 {
                        self.signed(rng, &mut batch);
                    }
                    batch.base_offset = base_now;
                    batch.leader_epoch = leader_epoch;
                    // Compaction leaves fewer records than offsets.
                    let last = batch.records.len() as i32 - 1 + if rng.u8(..8) == 0 { rng.i32(1..4) } else { 0 };
                    batch.last_offset_delta = Some(last);
                    all.extend(match rng.u8(..6) {
                        0 => compressed(rng, &batch),
                        _ => encoded(&batch),
                    });
                    base = base_now + i64::from(last) + 1;
                }
            }
        }
        all
    }

    fn batch(&self, rng: &mut Rng) -> BatchSpec {
        let records = (0..rng.i32(1..6)).map(|offset_delta| RecordSpec {
            offset_delta,
            timestamp: self.timestamp(rng),
            key: rng.bool().then(|| vec![b'k', b'0' + rng.u8(..4)]),
            value: (rng.u8(..6) > 0).then(|| vec![b'v'; rng.usize(..40)]),
            headers: (0..rng.usize(..2))
                .map(|_| RecordHeader {
                    key: b"h".to_vec(),
                    value: rng.bool().then(|| b"1".to_vec()),
                })
                .collect(),
        });
        BatchSpec {
            records: records.collect(),
            ..BatchSpec::default()
        }
    }

    fn timestamp(&self, rng: &mut Rng) -> i64 {
        match rng.u8(..10) {
            0 => -1,
            1 => (self.now - rng.i64(0..30_000)).max(0),
            2 => self.now + rng.i64(0..60_000),
            _ => self.now,
        }
    }

    /// Signs a batch as one of the producers, mostly as it should be; which one.
    fn signed(&mut self, rng: &mut Rng, batch: &mut BatchSpec) -> Option<usize> {
        let index = rng.usize(..self.producers.len());
        let producer = self.producers.get_mut(index)?;
        match rng.u8(..30) {
            0 => {
                producer.epoch += 1;
                producer.next = 0;
            }
            1 => producer.next = producer.next.wrapping_add(1).max(0),
            2 => producer.epoch = (producer.epoch - 1).max(0),
            3 => producer.next = 0,
            _ => {}
        }
        batch.producer_id = producer.id;
        batch.producer_epoch = producer.epoch;
        batch.base_sequence = producer.next;
        batch.transactional = match rng.u8(..12) {
            0 => !producer.in_transaction,
            _ => producer.in_transaction || rng.u8(..3) == 0,
        };
        producer.in_transaction = batch.transactional;
        let count = batch.records.len() as i64;
        producer.next = ((i64::from(producer.next) + count) % (i64::from(i32::MAX) + 1)) as i32;
        Some(index)
    }

    /// A message in a format before v2.
    fn message(&self, rng: &mut Rng, offset: i64) -> Vec<u8> {
        let message = MessageSpec {
            format: if rng.u8(..4) == 0 {
                LegacyFormat::V0
            } else {
                LegacyFormat::V1
            },
            offset,
            timestamp: self.timestamp(rng),
            append_time: false,
            codec: Codec::None,
            key: rng.bool().then(|| b"k0".to_vec()),
            value: Some(vec![b'v'; rng.usize(..40)]),
        };
        message.encode().expect("a small message")
    }

    /// A batch that a leader does not take as it is.
    fn wrong(&self, rng: &mut Rng, mut batch: BatchSpec, mut bytes: Vec<u8>) -> Vec<u8> {
        match rng.u8(..14) {
            // Another byte anywhere: size, magic, checksum, a record.
            0 | 1 => {
                let at = rng.usize(..bytes.len());
                bytes[at] = rng.u8(..);
                bytes
            }
            2 => {
                bytes.truncate(rng.usize(..bytes.len()));
                bytes
            }
            3 => {
                bytes.extend((0..rng.usize(1..30)).map(|_| rng.u8(..)));
                bytes
            }
            4 => {
                batch.base_offset = rng.i64(0..5);
                encoded(&batch)
            }
            5 => {
                batch.control = true;
                encoded(&batch)
            }
            // One whose last offset may lie below its first.
            6 | 12 | 13 => {
                batch.last_offset_delta = Some(rng.i32(-1..8));
                encoded(&batch)
            }
            7 => {
                if let Some(record) = rng.choice(batch.records.iter_mut()) {
                    record.offset_delta = rng.i32(-1..9);
                }
                encoded(&batch)
            }
            8 => [bytes, encoded(&self.batch(rng))].concat(),
            9 => {
                batch.base_sequence = -1;
                batch.producer_epoch = rng.i16(-1..1);
                encoded(&batch)
            }
            10 => {
                batch.records.clear();
                encoded(&batch)
            }
            _ => (0..rng.i64(1..3))
                .flat_map(|offset| self.message(rng, offset))
                .collect(),
        }
    }
}

fn encoded(batch: &BatchSpec) -> Vec<u8> {
    batch.encode().expect("a small batch")
}
