//! Reads: look at every batch.

use super::{Batch, Found, Log, Refusal, Reset, Segment};

impl Log {
    /// A fetch at an offset.
    pub fn fetch(&mut self, offset: i64, limit: Option<i64>) -> Result<Found, Refusal> {
        (self.consumer, self.looks_for) = (Some(offset), None);
        if offset < self.start {
            return Err("offset-out-of-range");
        }
        self.find_high_watermark();
        if offset > self.end {
            return Err("offset-out-of-range");
        }
        let nothing = Found {
            next: Some(offset),
            ..Found::default()
        };
        if offset >= self.high_watermark() {
            return Ok(nothing);
        }
        let limit = limit.unwrap_or(self.settings.max_partition_fetch_bytes);
        let holder = (0..self.segments.len()).find(|at| self.segments[*at].batches.iter().any(|b| b.last >= offset));
        let Some(at) = holder else { return Ok(nothing) };
        self.segments[at].has_index = true;
        let readable = self.readable(at);
        let segment = &self.segments[at];
        let number = batch_number(segment, |batch| batch.last >= offset).expect("the segment holds the offset");
        let position = segment.position(number);
        let sent = (readable - position)
            .max(0)
            .min(limit.max(segment.batches[number].size));
        let whole: Vec<&Batch> = segment.batches[number..]
            .iter()
            .enumerate()
            .take_while(|(after, batch)| segment.position(number + after) + batch.size <= position + sent)
            .map(|(_, batch)| batch)
            .collect();
        let found = Found {
            answer: whole.first().map(|batch| batch.first.max(offset)),
            time: whole.first().and_then(|batch| batch.time),
            segment: Some(segment.base),
            position: Some(position),
            records: whole.iter().map(|batch| batch.last - batch.first.max(offset) + 1).sum(),
            bytes: whole.iter().map(|batch| batch.size).sum(),
            slice: sent,
            skipped: position - segment.start_for(offset - segment.base),
            next: Some(whole.last().map_or(offset, |batch| batch.last + 1)),
        };
        self.consumer = found.next;
        Ok(found)
    }

    /// A reader looks where a high watermark is in the files that was set by hand; within a batch, or before one, it moves to
    /// the batch's start.
    fn find_high_watermark(&mut self) {
        let Some(pinned) = self.pinned.filter(|pinned| *pinned < self.end) else {
            return;
        };
        let floor = self.segments.iter().rposition(|segment| segment.base <= pinned);
        for segment in &mut self.segments[floor.unwrap_or(0)..] {
            segment.has_index = true;
            if let Some(batch) = segment.batches.iter().find(|batch| batch.last >= pinned) {
                self.pinned = Some(batch.first);
                return;
            }
        }
    }

    /// Bytes of a segment that consumers may read: none of a batch that reaches the high watermark.
    fn readable(&self, at: usize) -> i64 {
        let below = self.segments[at]
            .batches
            .iter()
            .take_while(|batch| batch.last < self.high_watermark());
        below.map(|batch| batch.size).sum()
    }

    /// A fetch at the committed offset.
    pub fn fetch_committed(&mut self, limit: Option<i64>) -> Result<Found, Refusal> {
        self.resume(self.committed, limit)
    }

    /// A fetch at the consumer's offset, or at the committed one before its first.
    pub fn fetch_next(&mut self, limit: Option<i64>) -> Result<Found, Refusal> {
        match self.looks_for {
            Some(refusal) => self.look_for_offset(refusal),
            None => self.resume(self.consumer.or(self.committed), limit),
        }
    }

    fn resume(&mut self, offset: Option<i64>, limit: Option<i64>) -> Result<Found, Refusal> {
        let refusal = match offset {
            None => "no-offset-for-partition",
            Some(offset) => match self.fetch(offset, limit) {
                Ok(found) => return Ok(found),
                Err(refusal) => refusal,
            },
        };
        self.look_for_offset(refusal)
    }

    fn look_for_offset(&mut self, refusal: Refusal) -> Result<Found, Refusal> {
        let target = match self.reset {
            Reset::None => return Err(refusal),
            Reset::Earliest => self.start,
            Reset::Latest => self.high_watermark(),
            Reset::ByDuration(ms) => {
                let Some(found) = self.find_time((self.clock - ms).max(0)).answer else {
                    (self.consumer, self.looks_for) = (None, Some(refusal));
                    return Ok(Found::default());
                };
                found
            }
        };
        (self.consumer, self.looks_for) = (Some(target), None);
        Ok(Found {
            next: Some(target),
            ..Found::default()
        })
    }

    /// The first readable record at or after a time, in the first segment that reaches it.
    pub fn find_time(&mut self, time: i64) -> Found {
        let (start, high_watermark) = (self.start, self.high_watermark());
        for segment in &mut self.segments {
            if segment.newest().is_none() {
                segment.has_time_index = true;
            }
            if segment.newest_or_file_time() < time {
                continue;
            }
            segment.has_index = true;
            segment.has_time_index = true;
            let young = |batch: &Batch| batch.time >= Some(time) && batch.last >= start;
            let Some(number) = batch_number(segment, young) else {
                return Found::default();
            };
            let batch = &segment.batches[number];
            let answer = batch.first.max(start);
            if answer >= high_watermark {
                return Found::default();
            }
            let led = segment.time_entries().into_iter().rfind(|(entry, _)| *entry <= time);
            let led = segment.base + led.map_or(0, |(_, relative)| relative);
            let position = segment.position(number);
            return Found {
                answer: Some(answer),
                time: batch.time,
                segment: Some(segment.base),
                position: Some(position),
                skipped: position - segment.start_for(led.max(start) - segment.base),
                ..Found::default()
            };
        }
        Found::default()
    }

    /// The first record with the largest timestamp of all.
    pub fn find_max_timestamp(&mut self) -> Found {
        let newest = self.segments.iter().filter_map(Segment::newest).max();
        let high_watermark = self.high_watermark();
        // Each is asked, and the first that reaches the newest time is searched; the very first if none has a time.
        for segment in &mut self.segments {
            segment.has_time_index |= segment.newest().is_none();
        }
        let Some(segment) = self.segments.iter_mut().find(|segment| segment.newest() == newest) else {
            return Found::default();
        };
        segment.has_index = true;
        let Some(number) = batch_number(segment, |batch| batch.time == newest) else {
            return Found::default();
        };
        let batch = &segment.batches[number];
        if batch.first >= high_watermark {
            return Found::default();
        }
        let position = segment.position(number);
        let led = if newest.is_some() { batch.last - segment.base } else { 0 };
        Found {
            answer: Some(batch.first),
            time: newest,
            segment: Some(segment.base),
            position: Some(position),
            skipped: position - segment.start_for(led),
            ..Found::default()
        }
    }
}

fn batch_number(segment: &Segment, wanted: impl Fn(&Batch) -> bool) -> Option<usize> {
    segment.batches.iter().position(wanted)
}
