package broker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;

/** What is done to each broker, and when its directory is kept. Timestamps are given; only markers and append times have the clock's. */
final class Scenarios {
    /** 2024-01-01, midnight, UTC. */
    static final long NEW_YEAR = 1_704_067_200_000L;
    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final String SMALL_SEGMENTS = "internal.segment.bytes";

    /** Something done to a broker from its first start on. */
    interface Scenario {
        void play(Run run) throws Exception;
    }

    private Scenarios() {}

    /** By name; the broker's settings that differ stand in {@link #settings}. */
    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.put("codecs", Scenarios::codecs);
        all.put("append-time", Scenarios::appendTime);
        all.put("segments", Scenarios::segments);
        all.put("transactions", Scenarios::transactions);
        all.put("epochs", Scenarios::epochs);
        all.put("preallocated", Scenarios::preallocated);
        return all;
    }

    static Map<String, String> settings(String name) {
        if (!name.equals("segments")) {
            return Map.of();
        }
        return Map.of("log.retention.check.interval.ms", "500", "log.initial.task.delay.ms", "0",
            "log.flush.offset.checkpoint.interval.ms", "500", "log.flush.start.offset.checkpoint.interval.ms", "500",
            "replica.high.watermark.checkpoint.interval.ms", "500");
    }

    static ProducerRecord<byte[], byte[]> order(long number) {
        return Sender.record(NEW_YEAR + number * 1_000, "customer-" + number % 7, "order " + number);
    }

    static List<ProducerRecord<byte[], byte[]>> orders(long first, int count) {
        List<ProducerRecord<byte[], byte[]>> orders = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            orders.add(order(first + at));
        }
        return orders;
    }

    /** Text that compresses somewhat: words drawn by a fixed rule. */
    private static String prose(int length, long seed) {
        String[] words = {"offset", "batch", "segment", "index", "roll", "log", "leader", "epoch", "0", "17", "4711", "fetch"};
        StringBuilder text = new StringBuilder();
        long state = seed;
        while (text.length() < length) {
            state = state * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
            text.append(words[(int) (state >>> 33) % words.length]).append(Long.toString(state >>> 44, 36)).append(' ');
        }
        return text.substring(0, length);
    }

    /** Each codec: no key, an empty key, no value, headers, times out of order, one record, many, and one of several blocks. */
    private static void codecs(Run run) throws Exception {
        run.createTopic(Map.of("index.interval.bytes", "1024"));
        long number = 0;
        for (String codec : CODECS) {
            try (Sender sender = Sender.plain(run, codec)) {
                sender.batch(List.of(order(number)));
                var odd = new ArrayList<ProducerRecord<byte[], byte[]>>();
                odd.add(Sender.record(NEW_YEAR + 90_000, null, "without a key"));
                odd.add(Sender.record(NEW_YEAR + 10_000, "", ""));
                odd.add(Sender.record(NEW_YEAR + 50_000, "deleted", null));
                var traced = Sender.record(NEW_YEAR - 5_000, "traced", "with headers");
                traced.headers().add("trace", Sender.utf8("4bf92f35")).add("empty", new byte[0]).add("none", null);
                odd.add(traced);
                sender.batch(odd);
                sender.batch(orders(number + 10, 40));
                // More than one block of Snappy (32 KiB) and of LZ4 (64 KiB).
                sender.batch(List.of(Sender.record(NEW_YEAR + number * 1_000, "long", prose(70_000, number)), order(number + 60)));
            }
            number += 100;
        }
        try (Sender sender = Sender.idempotent(run, "zstd")) {
            sender.batch(orders(number, 5));
            sender.batch(orders(number + 5, 5));
        }
        // From here on the broker compresses anew.
        run.set("compression.type", "lz4");
        try (Sender sender = Sender.plain(run, "gzip")) {
            sender.batch(orders(number + 10, 20));
        }
        run.set("compression.type", "uncompressed");
        try (Sender sender = Sender.plain(run, "snappy")) {
            sender.batch(orders(number + 30, 20));
        }
        run.stop(Optional.of("codecs-stopped"));
    }

    /** The broker's clock in place of the producers' timestamps, also in compressed batches. */
    private static void appendTime(Run run) throws Exception {
        run.createTopic(Map.of("message.timestamp.type", "LogAppendTime", "index.interval.bytes", "0", SMALL_SEGMENTS, "600"));
        for (String codec : List.of("none", "zstd")) {
            try (Sender sender = Sender.idempotent(run, codec)) {
                for (int batch = 0; batch < 5; batch++) {
                    sender.batch(orders(batch * 3L, 3));
                    run.pause(20);
                }
            }
        }
        run.stop(Optional.of("append-time-stopped"));
    }

    /** Many small segments, records deleted by request and segments by retention, whose files wait to be deleted. */
    private static void segments(Run run) throws Exception {
        run.createTopic(Map.of(SMALL_SEGMENTS, "2048", "index.interval.bytes", "256", "file.delete.delay.ms", "3600000"));
        write(run, 0, 60);
        run.deleteRecords(41);
        run.set("retention.bytes", "9000");
        run.awaitRetention();
        run.set("retention.bytes", "-1");
        // In the middle of a segment, which stays whole.
        run.deleteRecords(run.logStart() + 9);
        // The checkpoints of the log directory are written every half second.
        run.pause(1_500);
        run.kill(Optional.of("segments-killed"));
        run.restart();
        write(run, 1_000, 10);
        run.stop(Optional.of("segments-restarted"));
    }

    /** Small batches of different sizes, the timestamps not always rising. */
    private static void write(Run run, long first, int batches) throws Exception {
        try (Sender plain = Sender.plain(run, "none"); Sender idempotent = Sender.idempotent(run, "lz4")) {
            long number = first;
            for (int batch = 0; batch < batches; batch++) {
                int count = 1 + batch * 5 % 9;
                List<ProducerRecord<byte[], byte[]>> records = orders(number, count);
                if (batch % 6 == 5) {
                    records.add(Sender.record(NEW_YEAR + (number - 40) * 1_000, "late", prose(300 + batch * 7, batch)));
                }
                (batch % 4 == 3 ? idempotent : plain).batch(records);
                number += count;
            }
        }
    }

    /** Transactions that are committed, aborted, fenced and left open, beside each other and beside other producers. */
    private static void transactions(Run run) throws Exception {
        run.createTopic(Map.of(SMALL_SEGMENTS, "3000", "index.interval.bytes", "200"));
        try (Sender plain = Sender.plain(run, "none"); Sender idempotent = Sender.idempotent(run, "none");
                Sender one = Sender.transactional(run, "one", "none"); Sender two = Sender.transactional(run, "two", "snappy")) {
            long number = 0;
            for (int round = 0; round < 14; round++) {
                one.begin();
                one.batch(orders(number, 2));
                two.begin();
                two.batch(orders(number + 2, 3));
                idempotent.batch(orders(number + 5, 1 + round % 3));
                one.batch(orders(number + 8, 1 + round % 5));
                plain.batch(orders(number + 13, 1));
                end(one, round % 3 != 1);
                two.batch(orders(number + 14, 6));
                end(two, round % 2 != 0);
                number += 20;
            }
            one.begin();
            one.batch(orders(number, 2));
            two.begin();
            two.batch(orders(number + 2, 2));
            // A second producer of the same id: the first one's transaction is aborted with a newer epoch.
            try (Sender successor = Sender.transactional(run, "one", "none")) {
                successor.begin();
                successor.batch(orders(number + 4, 2));
                successor.commit();
            }
            plain.batch(orders(number + 6, 3));
            // The transaction of `two` stays open.
            run.kill(Optional.of("transactions-killed"));
        }
        run.restart();
        try (Sender plain = Sender.plain(run, "none")) {
            plain.batch(orders(500, 2));
        }
        run.stop(Optional.of("transactions-restarted"));
    }

    private static void end(Sender sender, boolean commit) {
        if (commit) {
            sender.commit();
        } else {
            sender.abort();
        }
    }

    /** One leader epoch after another, with stops of both kinds. */
    private static void epochs(Run run) throws Exception {
        run.createTopic(Map.of(SMALL_SEGMENTS, "1500", "index.interval.bytes", "100"));
        write(run, 0, 8);
        run.stop(Optional.empty());
        run.restart();
        write(run, 100, 8);
        run.kill(Optional.empty());
        run.restart();
        write(run, 200, 8);
        run.stop(Optional.of("epochs-stopped"));
        run.restart();
        write(run, 300, 3);
        run.kill(Optional.of("epochs-killed"));
    }

    /** Files that are made at full length before anything is in them. */
    private static void preallocated(Run run) throws Exception {
        run.createTopic(Map.of("preallocate", "true", SMALL_SEGMENTS, "8192", "index.interval.bytes", "512"));
        write(run, 0, 30);
        run.kill(Optional.of("preallocated-killed"));
        run.restart();
        write(run, 300, 2);
        run.stop(Optional.of("preallocated-restarted"));
    }
}
