//! Creates a partition, appends until it rolls, and shows each decision on the way.

use partition_log::config::Settings;
use partition_log::format::batch::NewBatch;
use partition_log::{LogError, Partition, Step};

fn main() -> Result<(), LogError> {
    let settings = Settings {
        segment_bytes: 100,
        ..Settings::default()
    };
    let mut partition = Partition::create(settings, 0)?;
    let message = NewBatch::message(40);
    for _ in 0..3 {
        let appended = partition.append(&message)?;
        println!(
            "offset {} at byte {} of segment {}",
            appended.first_offset, appended.position, appended.segment
        );
    }
    let rolled = partition.steps().iter().any(|step| matches!(step, Step::Rolled { .. }));
    assert!(rolled, "80 + 40 = 120 > 100");
    for step in partition.steps() {
        println!("  {step}");
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), LogError> {
    main()
}
