// Measures the workloads of partition-bench in WebAssembly; one line of JSON each.
const { Run, names } = require("./partition_bench.js");

const WARM_MS = 300;
const MEASURED_MS = 1500;
const CHUNK_MS = 10;

/** Milliseconds of processor time: others may be at work on this machine. */
function clock() {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}

/** Nanoseconds of an operation; what prepares it does not count. */
function measure(run, enough) {
  let chunk = 1;
  let spent = 0;
  let times = 0;
  while (spent < enough) {
    if (run.left() === 0) {
      run.renew();
    }
    const now = Math.min(chunk, run.left());
    const started = clock();
    run.run(now);
    const took = clock() - started;
    spent += took;
    times += now;
    chunk *= took < CHUNK_MS ? 2 : 1;
  }
  return (spent / times) * 1e6;
}

for (const name of names()) {
  const run = Run.prepare(name);
  measure(run, WARM_MS);
  process.stdout.write(`${JSON.stringify({ name, ns: measure(run, MEASURED_MS) })}\n`);
  run.free();
}
