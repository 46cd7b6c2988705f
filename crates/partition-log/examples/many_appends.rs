//! Appends 100,000 batches, and looks at the segments without decoding them.

use partition_log::config::Settings;
use partition_log::format::batch::NewBatch;
use partition_log::{LogError, Partition};

fn main() -> Result<(), LogError> {
    let settings = Settings {
        segment_bytes: 1 << 20,
        ..Settings::default()
    };
    let mut partition = Partition::create(settings, 0)?;
    for offset in 0..100_000 {
        partition.append(&NewBatch::message(100).at_ms(offset))?;
    }
    let segments = partition.state().log_segments();
    let sizes: Vec<u64> = segments.map(|segment| segment.size()).collect();
    assert_eq!(sizes.iter().sum::<u64>(), 10_000_000);
    println!("{} segments, {:?} B", sizes.len(), sizes);
    Ok(())
}

#[test]
fn runs() -> Result<(), LogError> {
    main()
}
