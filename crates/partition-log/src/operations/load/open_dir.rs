//! A partition from a folder on a disk.

use std::path::Path;

use crate::config::Settings;
use crate::disk::real::{RealDirectory, read_if_there, settled};
use crate::error::LogError;
use crate::format::checkpoint::{CheckpointFault, OffsetCheckpoint};
use crate::format::clean_shutdown::CleanShutdown;
use crate::operations::load::files::file_name;
use crate::operations::partition::Partition;
use crate::state::PartitionState;
use crate::units::{Offset, TimestampMs};

impl Partition {
    /// A partition whose broker is down, with the files of a folder, such as `/var/lib/kafka/orders-0`. [`Partition::start`]
    /// without further options then loads them as the broker would: beside the folder it finds the marker of a clean
    /// shutdown, the recovery point, the log start offset and the high watermark, if they are there; without the marker it
    /// is a start after a crash, from the recovery point on. Of a folder that is not called `topic-partition` nothing is
    /// known but what its files say.
    ///
    /// **Nothing is ever written to the disk**: what an operation changes lies in memory from then on. A file is read when
    /// its bytes are asked for, in parts: a clean start reads the end of the last segment, one after a crash the batches
    /// from the recovery point on, one after the other. The folder of a broker that runs changes under the reader: take a
    /// copy. Once a file cannot be read any more, the operation that met it is refused, and so is every later one
    /// ([`MemoryVfs::fault`](crate::disk::MemoryVfs::fault)).
    ///
    /// `now`, in ms since 1970, is the time at which the partition is looked at. It is the caller's to choose, because all
    /// ages count from it: with today's clock an old directory is due for deletion as a whole, with that of the newest file
    /// it is as the broker left it. Neither opening nor starting deletes a segment: that is for
    /// [`Partition::check_retention`] and [`Partition::advance_to`]. A start forgets producers that were silent for
    /// `producer.id.expiration.ms` until then. `seed` decides the jitter of segments.
    ///
    /// ```no_run
    /// use partition_log::config::Settings;
    /// use partition_log::operations::load::StartOptions;
    /// use partition_log::{Partition, TimestampMs};
    ///
    /// let now = TimestampMs::try_from(1_767_225_600_000)?;
    /// let mut partition = Partition::open_dir("/var/lib/kafka/orders-0", Settings::default(), 0, now)?;
    /// partition.start(StartOptions::default())?;
    /// let batches = partition.state().log_segments().flat_map(|segment| segment.batches());
    /// let producers: Vec<i64> = batches.filter_map(|batch| Some(batch.ok()?.header.producer_id)).collect();
    /// # Ok::<(), partition_log::LogError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LogError::Setting`]; [`LogError::Directory`] for a folder or a file beside it that cannot be read;
    /// [`LogError::FileName`] for a name that ends like a file of the log layer and is none; [`LogError::Checkpoint`] for a
    /// file of high watermarks that cannot be read (Kafka: `LazyOffsetCheckpoints`). One of recovery points or of log start
    /// offsets that cannot be read counts as empty (Kafka: `LogManager.loadLogs`).
    pub fn open_dir(
        path: impl AsRef<Path>,
        settings: Settings,
        seed: u64,
        now: TimestampMs,
    ) -> Result<Partition, LogError> {
        settings.validate().map_err(LogError::Setting)?;
        let path = settled(path.as_ref())?;
        let (disk, listed) = RealDirectory::open(&path)?;
        let mut files = Vec::new();
        for found in listed {
            if let Some(file) = file_name(found.name)? {
                files.push((file, found.length, found.modified));
            }
        }
        let mut state = PartitionState::stopped_on_disk(settings, now, disk, files);
        if let (Some(beside), Some((topic, partition))) = (path.parent(), topic_partition(&path)) {
            let read = |name| -> Result<Result<Offset, CheckpointFault>, LogError> {
                let bytes = read_if_there(&beside.join(name))?.unwrap_or_default();
                let saved = OffsetCheckpoint::read(&bytes);
                // Below 0 is what 0 is: before all offsets.
                let offset = |saved: OffsetCheckpoint| saved.offset(topic, partition).and_then(Offset::new);
                Ok(saved.map(|saved| offset(saved).unwrap_or_default()))
            };
            let clean = read_if_there(&beside.join(CleanShutdown::NAME))?.is_some();
            let recovery_point = read(OffsetCheckpoint::RECOVERY_POINTS)?.unwrap_or_default();
            let log_start = read(OffsetCheckpoint::LOG_STARTS)?.unwrap_or_default();
            let high_watermark = read(OffsetCheckpoint::HIGH_WATERMARKS)??;
            state.find_saved(clean, recovery_point, log_start, high_watermark);
        }
        Ok(Partition::from_state(state, seed))
    }
}

/// The partition whose folder it is (Kafka: `LocalLog.parseTopicPartitionName`).
fn topic_partition(path: &Path) -> Option<(&str, i32)> {
    let (topic, partition) = path.file_name()?.to_str()?.rsplit_once('-')?;
    let partition = partition.parse().ok()?;
    (!topic.is_empty()).then_some((topic, partition))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_called_as_its_partition() {
        let name = |path| topic_partition(Path::new(path));
        assert_eq!(name("/data/orders-0"), Some(("orders", 0)));
        assert_eq!(name("a-b-17"), Some(("a-b", 17)));
        assert_eq!((name("orders"), name("-1"), name("a-b")), (None, None, None));
    }
}
