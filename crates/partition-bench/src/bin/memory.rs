//! The memory that a partition takes beside the bytes of its files, one line of JSON a shape.

use partition_bench::Workload;
use partition_log::disk::Vfs;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() {
    for (workload, times) in [
        (Workload::Append { size: 100 }, 100_000),
        (Workload::Append { size: 1_000 }, 100_000),
        (Workload::Fetch { segments: 1_000 }, 1),
        (Workload::Fetch { segments: 100_000 }, 1),
    ] {
        let before = ALLOCATOR.current_usage();
        let mut prepared = workload.prepare();
        for _ in 0..times {
            if prepared.left() == 0 {
                prepared.renew();
            }
            prepared.run(1);
        }
        let memory = ALLOCATOR.current_usage() - before;
        let files = prepared.partition().state().files();
        let used: u64 = files.list().into_iter().filter_map(|file| files.used_size(file)).sum();
        println!(r#"{{"name":"{workload}","files":{used},"memory":{memory}}}"#);
    }
}
