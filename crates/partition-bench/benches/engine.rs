//! `cargo bench -p partition-bench`: the workloads, measured by Criterion.

use std::time::Duration;

use cpu_time::ThreadTime;
use criterion::{Criterion, criterion_group, criterion_main};
use partition_bench::{Prepared, Workload};

/// The time of so many operations, without that of preparing them, as far as the thread had a processor: others may be at
/// work on this machine.
fn timed(prepared: &mut Prepared, times: u64) -> Duration {
    let mut spent = Duration::ZERO;
    let mut left = times;
    while left > 0 {
        if prepared.left() == 0 {
            prepared.renew();
        }
        let now = left.min(prepared.left());
        let started = ThreadTime::now();
        std::hint::black_box(prepared.run(now));
        spent += started.elapsed();
        left -= now;
    }
    spent
}

fn engine(criterion: &mut Criterion) {
    for workload in Workload::ALL {
        let mut prepared = None;
        criterion.bench_function(&workload.name(), |bencher| {
            let prepared = prepared.get_or_insert_with(|| workload.prepare());
            bencher.iter_custom(|times| timed(prepared, times));
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
