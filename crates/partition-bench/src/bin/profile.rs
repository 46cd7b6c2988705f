//! `profile` lists the workloads; `profile NAME TIMES` runs one so often, for a profiler.

use partition_bench::Workload;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (name, times) = (arguments.next(), arguments.next().and_then(|times| times.parse().ok()));
    let workload = Workload::ALL.into_iter().find(|workload| Some(workload.name()) == name);
    let (Some(workload), Some(mut left)) = (workload, times) else {
        Workload::ALL.iter().for_each(|workload| println!("{workload}"));
        return;
    };
    let mut prepared = workload.prepare();
    while left > 0 {
        if prepared.left() == 0 {
            prepared.renew();
        }
        let now = prepared.left().min(left);
        std::hint::black_box(prepared.run(now));
        left -= now;
    }
}
