//! What settings come to: how many files, how long one takes to fill, how large its indexes get, how old a record can be.
//!
//! Whole-number arithmetic over a steady flow, for choosing settings. Real traffic comes in bursts: measure before relying
//! on it.

use crate::config::Settings;
use crate::rules::roll::RollCause;

/// Files of a segment in the simple case: `.log`, `.index`, `.timeindex`.
pub const FILES_PER_SEGMENT: u64 = 3;

/// Segments that hold `log_bytes` when each but the last is full; 0 for an empty log.
///
/// ```
/// use partition_log::questions::planner::segments_for;
///
/// let gib = 1 << 30;
/// assert_eq!((segments_for(gib, 64 << 20), segments_for(gib, 256 << 20)), (16, 4));
/// ```
pub const fn segments_for(log_bytes: u64, segment_bytes: u64) -> u64 {
    if segment_bytes == 0 {
        0
    } else {
        log_bytes.div_ceil(segment_bytes)
    }
}

/// Milliseconds, rounded up, in which a flow of `bytes_per_second` fills `segment_bytes`; `None` where nothing flows, or
/// past 2^63 − 1.
///
/// ```
/// use partition_log::questions::planner::fill_ms;
///
/// assert_eq!(fill_ms(256 << 20, 2 << 20), Some(128_000));
/// assert_eq!(fill_ms(256 << 20, 2 << 10), Some(131_072_000), "36 h 24 min 32 s");
/// ```
pub fn fill_ms(segment_bytes: u64, bytes_per_second: u64) -> Option<i64> {
    if bytes_per_second == 0 {
        return None;
    }
    let ms = (u128::from(segment_bytes) * 1000).div_ceil(u128::from(bytes_per_second));
    i64::try_from(ms).ok()
}

/// A segment of a steady flow: what closes it, when, and at what size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SteadySegment {
    /// What comes first: [`RollCause::Size`] or [`RollCause::Time`].
    pub cause: RollCause,
    /// Milliseconds from its first record to the roll.
    pub lasts_ms: i64,
    /// Bytes in its `.log` at the roll.
    pub bytes: u64,
}

/// The segment that a flow of `bytes_per_second` makes under these settings: closed by `segment.bytes` or by `segment.ms`,
/// whichever comes first. The jitter is not drawn. `None` where nothing flows.
///
/// ```
/// use partition_log::config::Settings;
/// use partition_log::questions::planner::steady_segment;
/// use partition_log::rules::roll::RollCause;
///
/// let settings = Settings { segment_bytes: 256 << 20, segment_ms: 6 * 3_600_000, ..Settings::default() };
/// let quiet = steady_segment(&settings, 2 << 10).expect("it flows");
/// assert_eq!((quiet.cause, quiet.bytes), (RollCause::Time, 44_236_800), "42.2 MiB in 6 h");
/// ```
pub fn steady_segment(settings: &Settings, bytes_per_second: u64) -> Option<SteadySegment> {
    let full = settings.segment_bytes.unsigned_abs();
    let filled = fill_ms(full, bytes_per_second).unwrap_or(i64::MAX);
    if bytes_per_second == 0 {
        return None;
    }
    if filled <= settings.segment_ms {
        return Some(SteadySegment {
            cause: RollCause::Size,
            lasts_ms: filled,
            bytes: full,
        });
    }
    let bytes = u128::from(bytes_per_second) * u128::from(settings.segment_ms.unsigned_abs()) / 1000;
    Some(SteadySegment {
        cause: RollCause::Time,
        lasts_ms: settings.segment_ms,
        bytes: u64::try_from(bytes).unwrap_or(full).min(full),
    })
}

/// Entries that the `.index` of a full segment has when all batches have the same size: one for every batch whose
/// predecessors since the last entry exceed the interval, and none for the first.
///
/// ```
/// use partition_log::questions::planner::index_entries;
///
/// assert_eq!(index_entries(1 << 30, 4096, 1024), 209_715, "every fifth batch of 1 KiB");
/// assert_eq!(index_entries(1 << 30, 4096, 16 << 10), 65_535, "every batch of 16 KiB but the first");
/// ```
pub const fn index_entries(segment_bytes: u64, interval: u64, batch_bytes: u64) -> u64 {
    if batch_bytes == 0 {
        return 0;
    }
    let batches = segment_bytes / batch_bytes;
    // The counter has to exceed the interval: `every` batches add up to more than it, one fewer does not.
    let every = interval / batch_bytes + 1;
    batches.saturating_sub(1) / every
}

/// The most entries that the `.index` of a segment can have, whatever its batches are: two neighbours are more than
/// `interval` bytes apart, and none is at byte 0.
pub const fn index_entries_max(segment_bytes: u64, interval: u64) -> u64 {
    segment_bytes.saturating_sub(1) / interval.saturating_add(1)
}

/// The greatest age in milliseconds at which a record can still be read, if timestamps follow the clock and the high
/// watermark follows the log end: as first of its segment it waits up to `segment.ms` for the last one, then
/// `retention.ms`, then up to one interval for the check.
/// `None` without a limit of age.
///
/// ```
/// use partition_log::config::Settings;
/// use partition_log::questions::planner::greatest_age_ms;
///
/// assert_eq!(greatest_age_ms(&Settings::default()), Some((7 + 7) * 86_400_000 + 300_000));
/// ```
pub fn greatest_age_ms(settings: &Settings) -> Option<i64> {
    if settings.retention_ms < 0 {
        return None;
    }
    let wait = settings.segment_ms.checked_add(settings.retention_check_interval_ms)?;
    settings.retention_ms.checked_add(wait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Partition;
    use crate::format::batch::NewBatch;

    #[test]
    fn files_for_a_gibibyte_a_replica() {
        let files = |segment_bytes, replicas| segments_for(1 << 30, segment_bytes) * replicas;
        assert_eq!((files(64 << 20, 600), files(256 << 20, 600)), (9_600, 2_400));
        assert_eq!(files(64 << 20, 600) * FILES_PER_SEGMENT, 28_800);
        assert_eq!(segments_for(0, 100), 0);
        assert_eq!(segments_for(101, 100), 2);
        assert_eq!(segments_for(1, 0), 0);
    }

    #[test]
    fn what_closes_a_segment_of_a_steady_flow() {
        let settings = Settings {
            segment_bytes: 256 << 20,
            ..Settings::default()
        };
        let quiet = steady_segment(&settings, 2 << 10).expect("it flows");
        assert_eq!((quiet.cause, quiet.lasts_ms), (RollCause::Size, 131_072_000));
        assert_eq!(steady_segment(&settings, 0), None);
        let trickle = steady_segment(&settings, 1).expect("it flows");
        assert_eq!((trickle.cause, trickle.bytes), (RollCause::Time, 604_800));
    }

    /// The closed formulas agree with the model that appends batch by batch.
    #[test]
    fn entries_are_those_that_the_log_writes() {
        for (batch, interval) in [(39_u64, 77_u64), (40, 40), (41, 40), (50, 0), (72, 4096)] {
            let settings = Settings {
                index_interval_bytes: interval as i64,
                ..Settings::default()
            };
            let mut partition = Partition::create(settings, 0).expect("sound settings");
            let batches = 200;
            for _ in 0..batches {
                let message = NewBatch::Message {
                    size: batch,
                    timestamp: None,
                    key: None,
                };
                let _ = partition.append(&message).expect("it fits");
            }
            let base = partition.state().active().expect("there is a segment");
            let written = partition.state().offset_entries(base).len() as u64;
            assert_eq!(
                index_entries(batch * batches, interval, batch),
                written,
                "{batch} B, {interval} B"
            );
            assert!(
                written <= index_entries_max(batch * batches, interval),
                "{batch} B, {interval} B"
            );
        }
    }

    #[test]
    fn no_limit_of_age_is_no_number() {
        let forever = Settings {
            retention_ms: -1,
            ..Settings::default()
        };
        assert_eq!(greatest_age_ms(&forever), None);
        let scaled = Settings {
            retention_ms: 60_000,
            segment_ms: 30_000,
            retention_check_interval_ms: 10_000,
            ..Settings::default()
        };
        assert_eq!(greatest_age_ms(&scaled), Some(100_000));
    }
}
