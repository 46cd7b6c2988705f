//! A transaction that is aborted: its records take offsets, and a reader of committed records passes over them.

use partition_log::format::batch::NewBatch;
use partition_log::{LogError, Partition, Step};

fn main() -> Result<(), LogError> {
    let mut partition = Partition::create(Default::default(), 0)?;
    let mut transaction = partition.transaction(7.try_into()?);
    let appended = transaction.append(NewBatch::batch(3, 300).at_ms(10))?;
    assert_eq!((appended.first_offset.get(), appended.last_offset.get()), (0, 2));
    let marker = transaction.abort()?;
    println!("the marker takes offset {}", marker.first_offset);
    assert_eq!(partition.state().last_stable().get(), 4, "nothing is open any more");
    for step in partition
        .steps()
        .iter()
        .filter(|step| matches!(step, Step::TransactionEnded { .. }))
    {
        println!("{step}");
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), LogError> {
    main()
}
