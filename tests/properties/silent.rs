//! A partition that notes no steps takes shortcuts; they lead to the same.

use partition_log::Partition;

use crate::check;
use crate::disk;
use crate::pair::drive;

#[test]
fn without_steps_everything_comes_out_the_same() {
    check(1_500, |scenario| {
        let created = Partition::create(scenario.settings.clone(), 7);
        let mut loud = created.outcome.expect("sound settings");
        let mut silent = loud.clone();
        silent.set_silent(true);
        for command in &scenario.commands {
            let (told, _) = drive(&mut loud, command);
            let (untold, steps) = drive(&mut silent, command);
            assert_eq!((told, 0), (untold, steps.len()), "{command:?}");
            assert_eq!(
                disk::listing(loud.state()),
                disk::listing(silent.state()),
                "{command:?}"
            );
        }
        assert_eq!(loud.state().view(), silent.state().view());
    });
}
