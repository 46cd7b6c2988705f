package oracle;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/**
 * How fast Kafka's own log does the workloads of the crate {@code partition-bench}, one line of JSON each. The names of the
 * workloads are the arguments; one that needs more than this machine gives is left out.
 *
 * <p>The files are in {@code java.io.tmpdir}. Each workload runs until Java has compiled it, then is measured, by the time
 * that its thread had a processor: others may be at work on this machine.
 */
public final class Bench {
    private static final int SMALL = 100;
    private static final int LARGE = 1_000;
    private static final int BATCHES = 10;
    private static final int APPENDS = 100_000;
    private static final int APPEND_SEGMENT = 16 << 20;
    /** A segment that is not opened lazily has two memory maps, of which Linux gives a process 65,530. */
    private static final long MOST_SEGMENTS = 10_000;
    private static final long MEGABYTE = 1_000_000;
    private static final long WARM_NS = 3_000_000_000L;
    private static final long MEASURED_NS = 3_000_000_000L;
    private static final int OVERHEAD = 61;

    private final Clock clock = new Clock();
    private final Tasks tasks = new Tasks(clock);
    private final Settings settings = new Settings();
    private final Folder folder = new Folder();
    private final SplittableRandom random = new SplittableRandom(1);
    private final ArrayDeque<MemoryRecords> prepared = new ArrayDeque<>();
    private Replica replica;
    private long nextTimestamp = 0;

    private Bench(String... topic) throws IOException {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        for (int at = 0; at < topic.length; at += 2) {
            all.put(topic[at], topic[at + 1]);
        }
        settings.take(all);
        open(true);
    }

    private void open(boolean clean) throws IOException {
        replica = new Replica(folder, settings, tasks, clock, clean, 0, 0);
        replica.log.assignEpochStartOffset(0, replica.log.logEndOffset());
    }

    public static void main(String[] names) throws IOException {
        for (String name : names) {
            int dash = name.lastIndexOf('-');
            String size = name.substring(dash + 1);
            switch (name.substring(0, dash)) {
                case "append" -> tell(name, appends(Integer.parseInt(size)));
                case "fetch" -> lookups(name, Long.parseLong(size), Bench::fetch);
                case "find-time" -> lookups(name, Long.parseLong(size), Bench::findTime);
                case "retention" -> retention(name, Long.parseLong(size));
                case "recovery" -> recovery(name, Long.parseLong(size.replace("MB", "")));
                default -> System.err.println("no workload " + name);
            }
        }
    }

    private static long nanoseconds() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void tell(String name, double nanoseconds) {
        System.out.println("{\"name\":\"" + name + "\",\"ns\":" + nanoseconds + "}");
    }

    private interface Operation {
        long run(Bench bench) throws IOException;
    }

    /** Nanoseconds an append takes; the batches are the producer's work, and made before. */
    private static double appends(int size) throws IOException {
        long began = nanoseconds();
        long spent = 0;
        long times = 0;
        while (spent < MEASURED_NS) {
            boolean warm = nanoseconds() - began > WARM_NS;
            Bench bench = new Bench("internal.segment.bytes", String.valueOf(APPEND_SEGMENT));
            for (int done = 0; done < APPENDS; done += LARGE) {
                bench.prepare(LARGE, size);
                long started = nanoseconds();
                while (!bench.prepared.isEmpty()) {
                    bench.append(bench.prepared.poll());
                }
                if (warm) {
                    spent += nanoseconds() - started;
                    times += LARGE;
                }
            }
            bench.end();
        }
        return (double) spent / times;
    }

    private void prepare(int batches, int size) {
        int framing = size - OVERHEAD < 71 ? 7 : 9;
        byte[] value = new byte[size - OVERHEAD - framing];
        Arrays.fill(value, (byte) 'o');
        for (int made = 0; made < batches; made++) {
            SimpleRecord record = new SimpleRecord(nextTimestamp++, value);
            prepared.add(MemoryRecords.withRecords(Compression.NONE, record));
            if (prepared.peekLast().sizeInBytes() != size) {
                throw new IllegalStateException(prepared.peekLast().sizeInBytes() + " B instead of " + size);
            }
        }
    }

    private void append(MemoryRecords records) throws IOException {
        UnifiedLog log = replica.log;
        ByteBuffer bytes = records.buffer();
        replica.append(bytes.array(), "client", 0, (short) -1);
        log.maybeIncrementHighWatermark(log.logEndOffsetMetadata());
        tasks.runSoon();
    }

    /** A log of so many full segments whose record at offset n has the timestamp n. */
    private static Bench logOf(long segments) throws IOException {
        Bench bench = new Bench(
            "internal.segment.bytes", String.valueOf(BATCHES * SMALL), "index.interval.bytes", "250",
            "segment.index.bytes", "1200", "retention.ms", "1");
        for (long made = 0; made < segments; made++) {
            bench.prepare(BATCHES, SMALL);
            while (!bench.prepared.isEmpty()) {
                bench.append(bench.prepared.poll());
            }
        }
        bench.clock.now = bench.nextTimestamp + BATCHES;
        if (bench.replica.log.numberOfSegments() != segments) {
            throw new IllegalStateException(bench.replica.log.numberOfSegments() + " segments instead of " + segments);
        }
        return bench;
    }

    private static void lookups(String name, long segments, Operation operation) throws IOException {
        if (segments > MOST_SEGMENTS) {
            return;
        }
        Bench bench = logOf(segments);
        repeated(name, bench, operation);
        bench.end();
    }

    private static void repeated(String name, Bench bench, Operation operation) throws IOException {
        run(bench, operation, WARM_NS);
        tell(name, run(bench, operation, MEASURED_NS));
    }

    private static double run(Bench bench, Operation operation, long enough) throws IOException {
        long began = nanoseconds();
        long times = 0;
        long sum = 0;
        while (nanoseconds() - began < enough) {
            for (int more = 0; more < BATCHES; more++) {
                sum += operation.run(bench);
                times++;
            }
        }
        double each = (double) (nanoseconds() - began) / times;
        if (sum == 0) {
            throw new IllegalStateException("nothing was found");
        }
        return each;
    }

    /** One batch, read as a consumer reads it. */
    private long fetch() throws IOException {
        long offset = random.nextLong(replica.log.logEndOffset());
        long bytes = 0;
        var read = replica.log.read(offset, 1, FetchIsolation.HIGH_WATERMARK, true);
        for (RecordBatch batch : read.records.batches()) {
            batch.ensureValid();
            for (Record record : batch) {
                bytes += record.sizeInBytes();
            }
        }
        return bytes;
    }

    private long findTime() {
        long target = random.nextLong(replica.log.logEndOffset());
        return replica.log.fetchOffsetByTimestamp(target, Optional.empty()).timestampAndOffsetOpt().orElseThrow().offset;
    }

    private static void retention(String name, long segments) throws IOException {
        if (segments > MOST_SEGMENTS) {
            return;
        }
        long began = nanoseconds();
        long spent = 0;
        long times = 0;
        while (times == 0 || spent < MEASURED_NS && nanoseconds() - began < 10 * MEASURED_NS) {
            boolean warm = nanoseconds() - began > WARM_NS;
            Bench bench = logOf(segments);
            long started = nanoseconds();
            long deleted = bench.replica.log.deleteOldSegments();
            bench.tasks.runSoon();
            bench.clock.now += 60_001;
            bench.tasks.runUntil(bench.clock.now);
            if (warm) {
                spent += nanoseconds() - started;
                times++;
            }
            if (deleted != segments) {
                throw new IllegalStateException(deleted + " segments deleted instead of " + segments);
            }
            bench.end();
        }
        tell(name, (double) spent / times);
    }

    private static void recovery(String name, long megabytes) throws IOException {
        Bench bench = new Bench("internal.segment.bytes", String.valueOf(APPEND_SEGMENT));
        for (long made = 0; made < megabytes * MEGABYTE / LARGE; made += LARGE) {
            bench.prepare(LARGE, LARGE);
            for (MemoryRecords records : List.copyOf(bench.prepared)) {
                bench.append(records);
            }
            bench.prepared.clear();
        }
        long end = bench.replica.log.logEndOffset();
        repeated(name, bench, crashed -> {
            crashed.replica.drop();
            crashed.tasks.forget();
            crashed.open(false);
            if (crashed.replica.log.logEndOffset() != end) {
                throw new IllegalStateException("the log has lost records");
            }
            return end;
        });
        bench.end();
    }

    private void end() throws IOException {
        replica.drop();
        folder.remove();
    }
}
