//! Retention checks, the removal of files, and the clock that brings them about.

use crate::disk::{FileKind, FileName, Vfs};
use crate::error::LogError;
use crate::operations::partition::{CheckOutcome, Partition};
use crate::operations::recorder::Recorder;
use crate::rules::retention::{RetentionAnswer, RetentionDecision, RetentionLimit, RetentionOperands, RetentionRule};
use crate::rules::roll::RollCause;
use crate::state::producers::ProducerChange;
use crate::state::{DeletedSnapshot, MemoryChange, PartitionState, Segment};
use crate::step::Step;
use crate::units::{LATEST, Offset, TimestampMs};

/// Up to so many checks in a row that find nothing run one by one; a longer stretch is passed over at once.
const IDLE_CHECKS: i64 = 8;

impl Partition {
    /// Moves the clock. Work that is due before the new time, or was due at the old one, runs in order: at one instant
    /// first the removal of files, then the retention check. Work due at exactly the new time waits for the next call,
    /// or for [`Partition::settle`].
    ///
    /// # Errors
    ///
    /// [`LogError::ClockBackwards`].
    pub fn advance_to(&mut self, to: TimestampMs) -> Result<(), LogError> {
        self.record(|recorder| {
            let now = recorder.state().clock();
            if to < now {
                return Err(LogError::ClockBackwards { now, asked: to });
            }
            if to > now {
                recorder.run_due_work(|due| due < to, to)?;
                recorder.move_clock(to);
            }
            Ok(())
        })
    }

    /// Runs the work that is due at this very instant, as if the clock were about to move on.
    pub fn settle(&mut self) -> Result<(), LogError> {
        self.record(|recorder| {
            let now = recorder.state().clock();
            recorder.run_due_work(|due| due <= now, now)
        })
    }

    /// Runs a retention check now, beside the periodic ones (Kafka: `UnifiedLog.deleteOldSegments`).
    ///
    /// # Errors
    ///
    /// [`LogError::IndexTooSmall`], if a segment has to be rolled and its index has no room.
    pub fn check_retention(&mut self) -> Result<CheckOutcome, LogError> {
        self.serve(|recorder| recorder.check_retention(false))
    }
}

impl PartitionState {
    /// One retention rule asked about one segment; `log_size` is what the rule has left so far.
    pub(crate) fn retention_decision(
        &self,
        rule: RetentionRule,
        segment: &Segment,
        log_size: u64,
        now: TimestampMs,
    ) -> RetentionDecision {
        let next_base = self.next_base(segment.base);
        let segment_size = self.segment_size(segment.base);
        let operands = match rule {
            RetentionRule::LogStart => RetentionOperands::LogStart {
                next_base,
                log_start: self.log_start(),
            },
            RetentionRule::Size => RetentionOperands::Size {
                log_size,
                retention_bytes: self.settings().retention_bytes.max(0) as u64,
                segment_size,
            },
            RetentionRule::Time => RetentionOperands::Time {
                now,
                largest: self.largest_or_file_time(segment),
                from_file_time: self.largest_of(segment).is_none(),
                retention_ms: self.settings().retention_ms,
            },
        };
        RetentionDecision {
            base: segment.base,
            high_watermark: self.high_watermark(),
            end: next_base.unwrap_or(self.log_end()),
            last: next_base.is_none(),
            segment_size,
            operands,
        }
    }

    /// The limit of a rule, and what it is compared with before any segment is.
    pub(crate) fn retention_limit(&self, rule: RetentionRule) -> RetentionLimit {
        RetentionLimit {
            rule,
            log_size: self.log_size(),
            limit: match rule {
                RetentionRule::LogStart => -1,
                RetentionRule::Size => self.settings().retention_bytes,
                RetentionRule::Time => self.settings().retention_ms,
            },
        }
    }

    /// Whether a rule is asked about segments.
    pub(crate) fn retention_rule_on(&self, rule: RetentionRule) -> bool {
        self.retention_limit(rule).off().is_none()
    }
}

impl Recorder<'_> {
    pub(crate) fn move_clock(&mut self, to: TimestampMs) {
        let from = self.state().clock();
        if to > from {
            self.remember(MemoryChange::ClockMoved { from, to });
        }
    }

    /// Runs removals and checks in order of time while `is_due` holds; `horizon` bounds what may be passed over at once.
    fn run_due_work(&mut self, is_due: impl Fn(TimestampMs) -> bool, horizon: TimestampMs) -> Result<(), LogError> {
        loop {
            let removal = self.next_removal();
            let expiry = self.next_expiry();
            let check = self.state().next_check();
            match (removal, expiry) {
                (Some(removal), expiry)
                    if removal <= check && expiry.is_none_or(|expiry| removal <= expiry) && is_due(removal) =>
                {
                    self.move_clock(removal);
                    self.remove_files(removal)?;
                }
                (_, Some(expiry)) if expiry <= check && is_due(expiry) => {
                    self.move_clock(expiry);
                    self.expire_producers();
                    self.remember(MemoryChange::ProducersLookedAt { at: expiry });
                }
                _ if self.state().running() && is_due(check) && check < LATEST => {
                    let due = [removal, expiry].into_iter().flatten();
                    let until = due.fold(horizon, TimestampMs::min);
                    if !self.pass_over_idle_checks(until) {
                        self.move_clock(check);
                        self.check_in_background(check);
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// A check that fails leaves its words in the broker's own log, and the next one comes in its time
    /// (Kafka: `KafkaScheduler.schedule`).
    fn check_in_background(&mut self, check: TimestampMs) {
        if let Err(error) = self.check_retention(true) {
            self.note(Step::Refused(error));
            let interval = self.state().settings().retention_check_interval_ms;
            let at = check.checked_add(interval).unwrap_or(LATEST);
            self.remember(MemoryChange::NextCheck { at });
        }
    }

    /// When the next files are to be removed.
    fn next_removal(&self) -> Option<TimestampMs> {
        let segments = self.state().deleted().values().map(|deleted| deleted.gone_at);
        let snapshots = self.state().deleted_snapshots().keys().map(|deleted| deleted.gone_at);
        segments.chain(snapshots).min()
    }

    /// When the broker next looks for silent producers; without any it need not look
    /// (Kafka: `UnifiedLog.producerExpireCheck`).
    fn next_expiry(&self) -> Option<TimestampMs> {
        if self.state().producers().is_empty() || !self.state().running() {
            return None;
        }
        let interval = self.state().settings().producer_id_check_ms;
        let started = self.state().started();
        // A look that found nobody left no trace; what is due now may still wait for its turn.
        let after_last = self.state().looked_at().max(started).checked_add(1)?;
        let since = after_last.max(self.state().clock()) - started;
        let looks = (since - 1) / interval + 1;
        started.checked_add(looks.checked_mul(interval)?)
    }

    /// Forgets producers that were silent for too long (Kafka: `ProducerStateManager.removeExpiredProducers`).
    pub(crate) fn expire_producers(&mut self) {
        let limit = self.state().settings().producer_id_expiration_ms;
        let limit = i32::try_from(limit).expect("the setting takes no more than 31 bits");
        let changes = self.state().producers().expire(self.state().clock().get(), limit);
        changes.into_iter().for_each(|change| self.change_producers(change));
    }

    /// Removes the files whose delay is over.
    fn remove_files(&mut self, now: TimestampMs) -> Result<(), LogError> {
        let due = self.state().deleted().values().filter(|deleted| deleted.gone_at <= now);
        let due: Vec<Offset> = due.map(|deleted| deleted.segment.base).collect();
        for base in due {
            let file = |kind| FileName::live(base, kind).as_deleted();
            let size = self.state().files().used_size(file(FileKind::Log));
            let size = size.expect("a segment that waits for its removal has its .log.deleted");
            self.note(Step::FilesRemoved { base, size });
            for kind in FileKind::OF_SEGMENT {
                self.remove_if_there(file(kind))?;
            }
            if let Some(gone_at) = self.state().deleted().get(base).map(|deleted| deleted.gone_at) {
                self.remember(MemoryChange::SegmentForgotten { base, gone_at });
            }
        }
        let due = self
            .state()
            .deleted_snapshots()
            .keys()
            .filter(|deleted| deleted.gone_at <= now);
        let due: Vec<DeletedSnapshot> = due.collect();
        for DeletedSnapshot { offset, gone_at } in due {
            self.remove_if_there(FileName::live(offset, FileKind::Snapshot).as_deleted())?;
            self.remember(MemoryChange::SnapshotForgotten { offset, gone_at });
        }
        Ok(())
    }

    /// Removes a file, if there is one of that name.
    pub(crate) fn remove_if_there(&mut self, file: FileName) -> Result<(), LogError> {
        if self.state().files().apparent_size(file).is_some() {
            self.file(|files| files.remove(file))?;
        }
        Ok(())
    }

    /// Passes over a long run of checks before `until` that can find nothing; false if the next one has to run.
    ///
    /// While nothing is appended only the age of the oldest segment changes, so the first check that could delete
    /// something is the first one after that segment has expired.
    fn pass_over_idle_checks(&mut self, until: TimestampMs) -> bool {
        let first = self.state().next_check();
        let interval = self.state().settings().retention_check_interval_ms;
        let Some(oldest) = self.state().segments().values().next() else {
            return false;
        };
        let would_delete = |rule| {
            self.state().retention_rule_on(rule)
                && self
                    .state()
                    .retention_decision(rule, oldest, self.state().log_size(), self.state().clock())
                    .answer()
                    == RetentionAnswer::Delete
        };
        if would_delete(RetentionRule::LogStart) || would_delete(RetentionRule::Size) {
            return false;
        }
        let now = self.state().clock();
        let time = self.state().retention_decision(RetentionRule::Time, oldest, 0, now);
        // A check that asks a segment without any timestamp for its age makes its time index: that one has to run.
        let makes_time_index = self.state().retention_rule_on(RetentionRule::Time)
            && time.answer() != RetentionAnswer::AboveHighWatermark
            && !oldest.largest_known
            && oldest.time_entries.is_none();
        if makes_time_index {
            return false;
        }
        let can_expire = self.state().retention_rule_on(RetentionRule::Time)
            && !matches!(
                time.answer(),
                RetentionAnswer::AboveHighWatermark | RetentionAnswer::EmptyActive
            )
            && !(time.last && time.segment_size == 0);
        let expires = if can_expire {
            let largest = self.state().largest_or_file_time(oldest);
            // The inequality is strict: at exactly this age the segment stays.
            largest
                .checked_add(self.state().settings().retention_ms)
                .unwrap_or(LATEST)
        } else {
            LATEST
        };
        // Checks at first, first + interval, … that are before `until` and not after `expires`.
        let before_until = (until - first - 1).div_euclid(interval) + 1;
        let before_expiry = if expires < first {
            0
        } else {
            (expires - first).div_euclid(interval).saturating_add(1)
        };
        let count = before_until.min(before_expiry);
        if count <= IDLE_CHECKS {
            return false;
        }
        let span = interval.checked_mul(count - 1).and_then(|span| first.checked_add(span));
        let Some(last) = span else { return false };
        self.move_clock(last);
        self.note(Step::ChecksSkipped {
            count: count as u64,
            first,
            last,
        });
        self.remember(MemoryChange::NextCheck {
            at: last.checked_add(interval).unwrap_or(LATEST),
        });
        true
    }

    /// One check: the three rules, each oldest segment first, each ending at the first segment that it keeps.
    fn check_retention(&mut self, periodic: bool) -> Result<CheckOutcome, LogError> {
        let now = self.state().clock();
        self.note(Step::CheckStarted {
            now,
            periodic,
            log_size: self.state().log_size(),
        });
        let mut outcome = CheckOutcome::default();
        for rule in RetentionRule::ALL {
            let limit = self.state().retention_limit(rule);
            if limit.off().is_none() {
                let bases = self.deletable(rule)?;
                self.delete_segments(rule, &bases)?;
                outcome.deleted.extend(bases);
            } else {
                let RetentionLimit { rule, log_size, limit } = limit;
                self.note(Step::RetentionRuleOff { rule, log_size, limit });
            }
        }
        if periodic {
            let interval = self.state().settings().retention_check_interval_ms;
            let at = self.state().next_check().checked_add(interval).unwrap_or(LATEST);
            self.remember(MemoryChange::NextCheck { at });
        }
        self.note(Step::CheckFinished {
            deleted: outcome.deleted.len() as u32,
            log_size: self.state().log_size(),
            next: self.state().next_check(),
        });
        Ok(outcome)
    }

    /// The segments that a rule deletes, oldest first (Kafka: `UnifiedLog.deletableSegments`).
    fn deletable(&mut self, rule: RetentionRule) -> Result<Vec<Offset>, LogError> {
        let mut bases = Vec::new();
        let mut log_size = self.state().log_size();
        let mut next = self.state().segments().keys().next();
        while let Some(base) = next {
            let asked = self.state().high_watermark() >= self.state().segment_end(base);
            if rule == RetentionRule::Time && asked {
                // Asking a segment for its largest timestamp can open its time index.
                self.largest(base)?;
            }
            let now = self.state().clock();
            let decision = self
                .state()
                .retention_decision(rule, self.segment(base)?, log_size, now);
            self.note(Step::RetentionDecided(decision));
            if decision.answer() != RetentionAnswer::Delete {
                break;
            }
            bases.push(base);
            log_size -= decision.segment_size;
            next = self.state().next_base(base);
        }
        Ok(bases)
    }

    /// Deletes segments; if none would be left, a new empty one is rolled first (Kafka: `UnifiedLog.deleteSegments`).
    fn delete_segments(&mut self, rule: RetentionRule, bases: &[Offset]) -> Result<(), LogError> {
        let Some(newest) = bases.last().copied() else {
            return Ok(());
        };
        let mut bases = bases;
        if bases.len() == self.state().segments().len() {
            self.roll(Offset::ZERO, RollCause::Retention)?;
            if self.state().active() == Some(newest) {
                // The empty active segment made room for a new one of the same base: it is gone already.
                bases = &bases[..bases.len() - 1];
            }
        }
        let size = bases.iter().map(|base| self.state().segment_size(*base)).sum();
        let gone_at = self.deletion_time();
        self.note(Step::SegmentsDeleted {
            rule,
            bases: bases.to_vec(),
            size,
            gone_at,
        });
        if let Some(next) = bases.last().and_then(|last| self.state().next_base(*last)) {
            self.move_log_start(next)?;
        }
        for base in bases {
            self.delete_files(*base)?;
        }
        for base in bases {
            self.delete_snapshot(*base)?;
        }
        Ok(())
    }

    /// Renames the snapshot at an offset; its file goes after `file.delete.delay.ms`
    /// (Kafka: `UnifiedLog.deleteProducerSnapshots`).
    pub(crate) fn delete_snapshot(&mut self, offset: Offset) -> Result<(), LogError> {
        if self.state().producers().snapshots().binary_search(&offset).is_err() {
            return Ok(());
        }
        self.change_producers(ProducerChange::SnapshotRemoved(offset));
        let file = FileName::live(offset, FileKind::Snapshot);
        if self.state().files().apparent_size(file).is_some() {
            let gone_at = self.deletion_time();
            self.file(|files| files.rename(file, file.as_deleted()))?;
            self.remember(MemoryChange::SnapshotDeleted { offset, gone_at });
        }
        Ok(())
    }
}
