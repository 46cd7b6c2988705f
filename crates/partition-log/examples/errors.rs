//! Asks an error what it is: its kind, Kafka's name for it, and what would have been right.

use partition_log::{ErrorKind, LogError, Offset, Partition};

fn main() -> Result<(), LogError> {
    let mut partition = Partition::create(Default::default(), 0)?;
    let error = partition
        .delete_records(Offset::try_from(7)?)
        .expect_err("the log is empty");
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
    assert_eq!(error.kafka_name(), Some("OffsetOutOfRangeException"));
    let (first, last) = error.range().expect("an offset has a range");
    println!("{error}; ask for {first} to {last}");
    let refused = Offset::try_from(-1).map_err(LogError::from).expect_err("below 0");
    println!("{:?}: {refused}", refused.kind());
    Ok(())
}

#[test]
fn runs() -> Result<(), LogError> {
    main()
}
