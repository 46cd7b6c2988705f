//! Opens the folder of a partition that a broker left, lists its batches, and says why its oldest segment is still there.

use partition_log::config::Settings;
use partition_log::operations::load::StartOptions;
use partition_log::{LogError, Partition, TimestampMs};

const FOLDER: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/fixtures/broker/segments-restarted/orders-0"
);

fn main() -> Result<(), LogError> {
    let now = TimestampMs::try_from(1_767_225_600_000)?; // 2026-01-01
    let mut partition = Partition::open_dir(FOLDER, Settings::default(), 0, now)?;
    partition.start(StartOptions::default())?;
    for segment in partition.state().log_segments() {
        for batch in segment.batches() {
            let header = batch?.header;
            println!("{}: {} to {}", segment.base(), header.base_offset, header.last_offset());
        }
    }
    let oldest = partition.state().bases().next().expect("a log has a segment");
    let why = partition.state().why_kept(oldest, now).expect("it is on disk");
    println!("segment {oldest}: {:?}", why.verdict);
    why.decisions().for_each(|decision| println!("  {decision}"));
    Ok(())
}

#[test]
fn runs() -> Result<(), LogError> {
    main()
}
