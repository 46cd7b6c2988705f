//! An append of what is built here: of its batch only the size and the timestamps can be refused, so nothing else is looked
//! at. [`Partition::append_records`](crate::Partition::append_records) takes the same batch as it is sent, and comes to the
//! same end by way of every check.

use crate::error::LogError;
use crate::format::batch::{self, NewBatch};
use crate::operations::append::{AppendOptions, Appended, Arrival};
use crate::operations::recorder::Recorder;
use crate::rules::validate::{AppendOrigin, ValidationError, ValidationRules, check_timestamps};
use crate::units::Offset;

impl Recorder<'_> {
    /// Appends a batch as its sender would have it appended. A message of format v1 is taken as a follower takes it: today
    /// no leader writes that format, and those that did looked at messages as those of today look at records.
    pub(crate) fn append(&mut self, new: &NewBatch) -> Result<Appended, LogError> {
        let count = i64::from(new.records()).max(1);
        let behind = self.state.log_end.checked_add(count);
        let end = behind.ok_or(LogError::NumberTooLarge {
            what: "the log end offset",
        })?;
        let (settings, size) = (&self.state.settings, new.size());
        // The first thing that a broker would say, before a batch of any size is made for it.
        let max = settings.max_message_bytes as u64;
        if size > max {
            return Err(ValidationError::RecordTooLarge { size, max }.into());
        }
        let origin = match new {
            NewBatch::Message { .. } => AppendOrigin::Replication,
            NewBatch::Batch { .. } => AppendOrigin::Client,
        };
        if new.producer().is_some() {
            let records = self.state.sent(new)?;
            let options = AppendOptions {
                origin,
                transaction_version: None,
            };
            return self.append_records(&records, options);
        }
        let append_time = self.state.append_time();
        let mut bytes = new.encode(self.state.log_end, append_time)?;
        let rules = ValidationRules::of(settings);
        check_timestamps(&rules, new.timestamp(), new.records(), self.state.clock)?;
        if let NewBatch::Batch { .. } = new {
            batch::set_leader_epoch(&mut bytes, self.state.leader_epoch);
        }
        self.accept(Arrival {
            first_offset: matches!(new, NewBatch::Batch { .. }).then_some(self.state.log_end),
            last_offset: Offset::new(end.get() - 1).unwrap_or_default(),
            largest: append_time.or(new.timestamp()),
            bytes,
            origin,
            transaction_version: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Partition;
    use crate::config::Settings;
    use crate::units::TimestampMs;

    fn time(ms: i64) -> Option<TimestampMs> {
        TimestampMs::new(ms)
    }

    fn batch(records: u32, size: u64, timestamp: Option<TimestampMs>) -> NewBatch {
        NewBatch::Batch {
            records,
            size,
            timestamp,
            key: Some(b"k".to_vec()),
            headers: 1,
            producer: None,
        }
    }

    fn message(size: u64, timestamp: Option<TimestampMs>) -> NewBatch {
        NewBatch::Message {
            size,
            timestamp,
            key: None,
        }
    }

    #[test]
    fn what_is_built_here_ends_as_if_it_had_arrived_and_passed_every_check() {
        let batches = [
            batch(1, 100, None),
            batch(3, 200, time(4_000)),
            batch(2, 180, time(99_000)),
            batch(2, 500, time(5_000)),
            batch(2, 350, time(5_000)),
            batch(4, 90, None),
            batch(0, 90, None),
        ];
        let usual = Settings {
            segment_bytes: 400,
            max_message_bytes: 360,
            ..Settings::default()
        };
        let mut append_time = usual.clone();
        append_time.put("message.timestamp.type", 1);
        let all = [
            usual.clone(),
            append_time,
            Settings {
                message_timestamp_before_max_ms: 500,
                message_timestamp_after_max_ms: 60_000,
                ..usual.clone()
            },
            Settings {
                segment_bytes: 150,
                ..usual
            },
        ];
        for settings in all {
            let mut built = Partition::create(settings, 0).outcome.expect("sound settings");
            built
                .advance_to(time(5_000).expect("not negative"))
                .outcome
                .expect("later");
            built.set_leader_epoch(3).outcome.expect("a new epoch");
            let mut arrived = built.clone();
            for new in &batches {
                let sent = arrived.state().sent(new);
                let expected = sent.and_then(|sent| arrived.append_records(&sent, AppendOptions::default()).outcome);
                let outcome = built.append(new).outcome;
                if new.size() > 360 {
                    assert!(
                        matches!(
                            outcome,
                            Err(LogError::Validation(ValidationError::RecordTooLarge { .. }))
                        ),
                        "{new:?}"
                    );
                    continue;
                }
                assert_eq!(outcome, expected, "{new:?}");
                assert_eq!(built, arrived, "{new:?}");
            }
        }
    }

    #[test]
    fn a_message_ends_as_if_a_leader_had_it() {
        let mut built = Partition::create(Settings::default(), 0)
            .outcome
            .expect("sound settings");
        let mut arrived = built.clone();
        let replica = AppendOptions {
            origin: AppendOrigin::Replication,
            transaction_version: None,
        };
        for new in [message(40, None), message(100, time(0))] {
            let sent = arrived.state().sent(&new).expect("large enough");
            assert_eq!(
                built.append(&new).outcome,
                arrived.append_records(&sent, replica).outcome
            );
            assert_eq!(built, arrived);
        }
    }
}
