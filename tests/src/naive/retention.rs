//! Retention and the clock: every check runs, one by one.

use super::{Log, Segment, lengths};

impl Log {
    /// Moves the clock, running all that is due before the new time.
    pub fn advance_to(&mut self, to: i64) {
        if to > self.clock {
            self.run_until(to - 1);
            self.clock = to;
        }
    }

    /// Runs what is due at this instant.
    pub fn settle(&mut self) {
        self.run_until(self.clock);
    }

    /// Runs all that is due up to `last`, that moment included: at one moment removals first.
    fn run_until(&mut self, last: i64) {
        loop {
            let removal = self.removals.iter().map(|(at, _)| *at).min().unwrap_or(i64::MAX);
            let next = removal.min(self.next_check);
            if next > last {
                return;
            }
            self.clock = self.clock.max(next);
            if removal <= self.next_check {
                self.remove(removal);
            } else {
                self.check();
                self.next_check += self.settings.retention_check_interval_ms;
            }
        }
    }

    fn remove(&mut self, moment: i64) {
        let (due, left): (Vec<_>, Vec<_>) = self.removals.iter().partition(|(at, _)| *at <= moment);
        self.removals = left;
        self.deleted_files
            .retain(|(base, _), _| !due.iter().any(|(_, gone)| gone == base));
    }

    /// One retention check; gives the bases of the segments that went.
    pub fn check(&mut self) -> Vec<i64> {
        let mut gone = Vec::new();
        let start = self.start;
        gone.extend(self.delete_while(|_, next_base| next_base.is_some_and(|base| base <= start)));

        let limit = self.settings.retention_bytes;
        let total: i64 = self.segments.iter().map(Segment::size).sum();
        if limit >= 0 && total >= limit {
            let mut excess = total - limit;
            gone.extend(self.delete_while(|segment, _| {
                let fits = excess >= segment.size();
                if fits {
                    excess -= segment.size();
                }
                fits
            }));
        }

        let (now, retention_ms) = (self.clock, self.settings.retention_ms);
        if retention_ms >= 0 {
            gone.extend(self.delete_while(|segment, _| {
                if segment.newest().is_none() {
                    segment.has_time_index = true;
                }
                now - segment.newest_or_file_time() > retention_ms
            }));
        }
        gone
    }

    fn delete_while(&mut self, mut expired: impl FnMut(&mut Segment, Option<i64>) -> bool) -> Vec<i64> {
        let high_watermark = self.high_watermark();
        let count = self.segments.len();
        let mut going = 0;
        while going < count {
            let next_base = self.segments.get(going + 1).map(|next| next.base);
            if high_watermark < self.segment_end(going) || !expired(&mut self.segments[going], next_base) {
                break;
            }
            if next_base.is_none() && self.segments[going].batches.is_empty() {
                break;
            }
            going += 1;
        }
        if going == 0 {
            return Vec::new();
        }
        if going == count {
            self.roll();
        }
        let gone: Vec<Segment> = self.segments.drain(..going).collect();
        self.start = self.start.max(self.segments[0].base);
        let bases = gone.iter().map(|segment| segment.base).collect();
        for segment in gone {
            self.delete(segment);
        }
        bases
    }

    pub(super) fn delete(&mut self, segment: Segment) {
        self.removals
            .push((self.clock + self.settings.file_delete_delay_ms, segment.base));
        for (kind, length) in lengths(&segment).into_iter().enumerate() {
            if let Some(length) = length {
                self.deleted_files.insert((segment.base, kind), length);
            }
        }
    }
}
