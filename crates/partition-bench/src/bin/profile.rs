//! One workload in a loop, for a profiler: `profile NAME TIMES`.

use partition_bench::Workload;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (name, times) = (arguments.next(), arguments.next().and_then(|times| times.parse().ok()));
    let workload = Workload::ALL.into_iter().find(|workload| Some(workload.name()) == name);
    let (Some(workload), Some(mut left)) = (workload, times) else {
        eprintln!("usage: profile NAME TIMES");
        return;
    };
    while left > 0 {
        let mut prepared = workload.prepare();
        let now = prepared.good_for().min(left);
        std::hint::black_box(prepared.run(now));
        left -= now;
    }
}
