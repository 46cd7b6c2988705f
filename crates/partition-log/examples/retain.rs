//! Asks why a segment is still on disk, before and after its time has come.

use partition_log::config::Settings;
use partition_log::format::batch::NewBatch;
use partition_log::questions::verdict::Verdict;
use partition_log::{LogError, Offset, Partition, TimestampMs};

fn main() -> Result<(), LogError> {
    let settings = Settings {
        retention_ms: 60_000,
        ..Settings::default()
    };
    let mut partition = Partition::create(settings, 0)?;
    partition.append(&NewBatch::message(40).at_ms(5_000))?;
    for at in [65_000, 65_001] {
        let why = partition.state().why_kept(Offset::ZERO, TimestampMs::try_from(at)?);
        let why = why.expect("segment 0 is on disk");
        for asked in why.decisions() {
            println!("{at} ms: {asked}");
        }
        assert_eq!(at == 65_001, matches!(why.verdict, Verdict::WaitsForCheck { .. }));
    }
    partition.advance_to(TimestampMs::try_from(65_001)?)?;
    assert_eq!(partition.check_retention()?.deleted, [Offset::ZERO]);
    Ok(())
}

#[test]
fn runs() -> Result<(), LogError> {
    main()
}
