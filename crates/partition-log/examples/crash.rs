//! Kills the broker in the middle of a batch, and starts it again: what is recovered, and what is lost.

use partition_log::config::Settings;
use partition_log::format::batch::NewBatch;
use partition_log::operations::load::StartOptions;
use partition_log::{LogError, Partition, Step};

fn main() -> Result<(), LogError> {
    let mut partition = Partition::create(Settings::default(), 0)?;
    let message = NewBatch::message(40);
    for _ in 0..3 {
        partition.append(&message)?;
    }
    partition.crash(10)?; // the last 10 B never reached the disk
    partition.start(StartOptions::default())?;
    assert_eq!(partition.state().log_end().get(), 2, "the torn message is gone");
    for step in partition.steps().iter().filter(|step| matches!(step, Step::Load(_))) {
        println!("{step}");
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), LogError> {
    main()
}
