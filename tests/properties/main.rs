//! Random scenarios against models that are too simple to be wrong in the same way.
//!
//! Every command of a scenario runs on the model and on [`partition_tests::naive`]; outcome, offsets, files and their
//! bytes are compared after each. Runs are repeatable: the seed is fixed unless `PROPTEST_RNG_SEED` names another, and
//! `PROPTEST_CASES` changes how many run. A failure prints the smallest scenario that shows it.

mod disk;
mod idle;
mod lookup;
mod pair;
mod printed;
mod scenario;
mod verdicts;

use proptest::test_runner::{Config, RngSeed, TestRunner};

use pair::Pair;
use scenario::{Scenario, scenarios};

/// Runs a property on so many scenarios.
fn check(cases: u32, property: impl Fn(&Scenario)) {
    let from_environment = Config::default();
    let named = |name| std::env::var_os(name).is_some();
    let config = Config {
        cases: if named("PROPTEST_CASES") {
            from_environment.cases
        } else {
            cases
        },
        rng_seed: if named("PROPTEST_RNG_SEED") {
            from_environment.rng_seed
        } else {
            RngSeed::Fixed(20_240_610)
        },
        failure_persistence: None,
        ..from_environment
    };
    let outcome = TestRunner::new(config).run(&scenarios(), |scenario| {
        property(&scenario);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

#[test]
fn the_model_does_what_the_naive_model_does() {
    check(6_000, |scenario| {
        let mut pair = Pair::new(scenario);
        scenario.commands.iter().for_each(|command| pair.step(command));
    });
}
