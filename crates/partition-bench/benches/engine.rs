//! `cargo bench -p partition-bench`: the workloads, measured by Criterion.

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use partition_bench::{Prepared, Workload};

/// The time of so many operations, without that of preparing them.
fn timed(workload: Workload, kept: &mut Option<Prepared>, times: u64) -> Duration {
    let mut spent = Duration::ZERO;
    let mut left = times;
    while left > 0 {
        let mut prepared = kept.take().unwrap_or_else(|| workload.prepare());
        let now = left.min(prepared.good_for());
        let started = Instant::now();
        std::hint::black_box(prepared.run(now));
        spent += started.elapsed();
        left -= now;
        if prepared.good_for() == u64::MAX {
            *kept = Some(prepared);
        }
    }
    spent
}

fn engine(criterion: &mut Criterion) {
    for workload in Workload::ALL {
        let mut kept = None;
        criterion.bench_function(&workload.name(), |bencher| {
            bencher.iter_custom(|times| timed(workload, &mut kept, times));
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = engine
}
criterion_main!(benches);
