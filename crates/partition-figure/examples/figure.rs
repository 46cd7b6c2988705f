//! Draws what an append to any partition did, frame by frame, and the partition as it is then.

use partition_figure::{Theme, layout, svg};
use partition_log::Partition;
use partition_log::format::batch::NewBatch;
use partition_story::Frame;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut partition = Partition::create(Default::default(), 0)?;
    let before = partition.state().clone();
    partition.append(&NewBatch::message(40).at_ms(10))?;
    for frame in Frame::of_steps(&before, "append 40B", partition.steps())? {
        println!("{}", frame.sentence);
        assert!(svg(&layout(&frame, 704), Theme::Light).starts_with("<svg"));
    }
    let still = Frame::still(partition.state());
    println!("{}", svg(&layout(&still, 704), Theme::Dark));
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
