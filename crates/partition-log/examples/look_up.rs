//! Finds an offset and a time, with every look on the way, and reads as a consumer.

use partition_log::format::batch::NewBatch;
use partition_log::rules::fetch::Isolation;
use partition_log::rules::reset::ResetPolicy;
use partition_log::{Consumer, LogError, Partition, TimestampMs};

fn main() -> Result<(), LogError> {
    let mut partition = Partition::create(Default::default(), 0)?;
    for ms in [1_000, 5_000, 3_000] {
        partition.append(&NewBatch::message(45).at_ms(ms))?;
    }
    let looked_up = partition.state().lookup(2.try_into()?)?;
    looked_up.steps.iter().for_each(|step| println!("{step}"));
    assert_eq!(looked_up.outcome.map(|batch| batch.position.get()), Some(90));
    let time = TimestampMs::new(2_000)?.into();
    let found = partition.state().find_time(time, Isolation::HighWatermark)?;
    assert_eq!(found.outcome.answer, Some(1.try_into()?));
    let mut consumer = Consumer::new(partition.state().settings());
    consumer.set_reset_policy(ResetPolicy::Earliest);
    consumer.poll(&mut partition)?; // without a committed offset it looks for a position first
    let records = consumer.poll(&mut partition)?.records;
    assert_eq!((records.len(), consumer.lag()), (3, Some(0)));
    Ok(())
}

#[test]
fn runs() -> Result<(), LogError> {
    main()
}
