//! Long runs of appends against a reference that remembers every batch, and counts.

use super::*;

/// A random number generator, so that a seed names a run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A batch that the log has accepted.
#[derive(Clone, Copy)]
struct Accepted {
    producer: i64,
    sequences: (i32, i32),
    offsets: (i64, i64),
}

/// A transaction: first offset, marker.
type Span = (i64, Option<i64>);

#[derive(Default)]
struct Reference {
    batches: Vec<Accepted>,
    transactions: Vec<(i64, Span)>,
}

impl Reference {
    fn of(&self, producer: i64) -> impl DoubleEndedIterator<Item = &Accepted> {
        self.batches.iter().filter(move |batch| batch.producer == producer)
    }

    fn open(&mut self, producer: i64) -> Option<&mut Span> {
        let mut own = self.transactions.iter_mut().filter(|(owner, _)| *owner == producer);
        own.find(|(_, span)| span.1.is_none()).map(|(_, span)| span)
    }

    /// The oldest transaction that is open, or whose marker is not replicated.
    fn first_unstable(&self, high_watermark: i64) -> Option<i64> {
        let spans = self.transactions.iter().map(|(_, span)| span);
        let unstable = spans.filter(|span| span.1.is_none_or(|marker| marker >= high_watermark));
        unstable.map(|span| span.0).min()
    }
}

#[test]
fn a_reference_that_remembers_everything_agrees() {
    for seed in 0..200 {
        let mut random = Random(seed);
        let (mut log, mut reference) = (Log::default(), Reference::default());
        for step in 0..120 {
            let producer = random.below(4) as i64;
            let at = format!("seed {seed}, step {step}");
            match random.below(8) {
                0 => log
                    .replicated_to(log.high_watermark + random.below((log.end - log.high_watermark) as u64 + 1) as i64),
                1 | 2 => end(&mut log, &mut reference, producer, random.below(2) == 0),
                _ => write(&mut log, &mut reference, producer, &mut random, &at),
            }
            assert_eq!(
                log.first_unstable(),
                reference.first_unstable(log.high_watermark),
                "{at}"
            );
        }
    }
}

fn end(log: &mut Log, reference: &mut Reference, producer: i64, commit: bool) {
    let at = log.end;
    log.append(marker(producer, 0, commit, 0))
        .expect("epochs do not change");
    let open = reference.open(producer);
    let expected = open.map(|span| {
        span.1 = Some(at);
        (span.0, at)
    });
    if let Some((first, marker)) = expected.filter(|_| !commit) {
        let others = reference.transactions.iter().filter(|(_, span)| span.1.is_none());
        let stable = others.map(|(_, span)| span.0).min().unwrap_or(marker + 1);
        let entry = log.aborted.last().expect("an entry");
        let numbers = (entry.first_offset, entry.last_offset, entry.last_stable_offset);
        assert_eq!(numbers, (first, marker, stable));
    }
}

/// Sends the next batch, an old one again, or one behind a gap.
fn write(log: &mut Log, reference: &mut Reference, producer: i64, random: &mut Random, at: &str) {
    let sent: Vec<Accepted> = reference.of(producer).copied().collect();
    let next = sent.last().map_or(0, |batch| batch.sequences.1 + 1);
    let (first, records) = match random.below(6) {
        0 if !sent.is_empty() => {
            let old = sent[random.below(sent.len() as u64) as usize].sequences;
            (old.0, old.1 - old.0 + 1)
        }
        1 => (next + 1 + random.below(3) as i32, 1),
        _ => (next, 1 + random.below(3) as i32),
    };
    let open = reference.open(producer).is_some();
    let within = random.below(2) == 0 || open;
    let batch = if within {
        transactional(producer, 0, first, records)
    } else {
        data(producer, 0, first, records)
    };
    let repeated = sent
        .iter()
        .rev()
        .take(BATCHES_RETAINED)
        .find(|old| old.sequences == (first, first + records - 1));
    let known = log.state.entry(id(producer)).is_some();
    let begins = log.end;
    match (log.append(batch), repeated) {
        (Ok(Some(duplicate)), Some(old)) => {
            assert_eq!((duplicate.first_offset(), duplicate.last_offset), old.offsets, "{at}");
        }
        (Ok(None), None) => {
            assert!(first == next || !known, "{at}");
            if within && !open {
                reference.transactions.push((producer, (begins, None)));
            }
            reference.batches.push(Accepted {
                producer,
                sequences: (first, first + records - 1),
                offsets: (begins, log.end - 1),
            });
        }
        (Err(ProducerError::OutOfOrderSequence(check)), None) => {
            assert!(first != next, "{at}: {check}");
            assert_eq!(check.expected(), Some(next), "{at}");
        }
        (answer, _) => panic!("{at}: {answer:?}"),
    }
}

#[test]
fn no_snapshot_and_no_index_of_any_bytes_panics() {
    for seed in 0..2_000 {
        let mut random = Random(seed);
        let length = random.below(200) as usize;
        let mut bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        // Half of them pass the version, and the count.
        if let [first, second, ..] = bytes.as_mut_slice() {
            (*first, *second) = (0, (seed % 2) as u8);
        }
        if let Some(count) = bytes.get_mut(6..9) {
            count.fill(0);
        }
        let _ = decode_snapshot(&bytes);
        let index = crate::format::index::TransactionIndex::new(Offset::ZERO, &bytes);
        let _ = (
            index.check_sanity(),
            index.truncate_to(offset(5)),
            index.entries().count(),
        );
    }
}
