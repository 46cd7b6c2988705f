//! What an append has to satisfy before a byte is written (Kafka: `UnifiedLog.analyzeAndValidateRecords`,
//! `LogValidator.validateTimestamp`).

use crate::config::Settings;
use crate::error::LogError;
use crate::units::TimestampMs;

/// The checks of one batch that a producer sends, in Kafka's order.
///
/// # Errors
///
/// [`LogError::RecordTooLarge`], [`LogError::InvalidTimestamp`], [`LogError::RecordBatchTooLarge`].
pub fn check(
    settings: &Settings,
    size: u64,
    timestamps: &[Option<TimestampMs>],
    now: TimestampMs,
) -> Result<(), LogError> {
    if size > settings.max_message_bytes as u64 {
        return Err(LogError::RecordTooLarge {
            size,
            max: settings.max_message_bytes as u64,
        });
    }
    if !settings.log_append_time() {
        for timestamp in timestamps.iter().copied().flatten() {
            let before = i128::from(now.get()) - i128::from(timestamp.get());
            let (distance, limit, key) = if before >= 0 {
                (
                    before,
                    settings.message_timestamp_before_max_ms,
                    "message.timestamp.before.max.ms",
                )
            } else {
                (
                    -before,
                    settings.message_timestamp_after_max_ms,
                    "message.timestamp.after.max.ms",
                )
            };
            if distance > i128::from(limit) {
                return Err(LogError::InvalidTimestamp {
                    timestamp,
                    now,
                    key,
                    limit_ms: limit,
                });
            }
        }
    }
    if size > settings.segment_bytes as u64 {
        return Err(LogError::RecordBatchTooLarge {
            size,
            segment_bytes: settings.segment_bytes as u64,
        });
    }
    Ok(())
}
