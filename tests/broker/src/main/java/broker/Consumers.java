package broker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What consumers do in front of a partition that has what they have to take care of. */
final class Consumers {
    private static final String UNCOMMITTED = "read_uncommitted";
    private static final String COMMITTED = "read_committed";
    private static final int ALL_BYTES = 1 << 20;
    private static final String FIRST_SEGMENT = "00000000000000000000.log";

    private Consumers() {}

    static Map<String, Scenarios.Scenario> all() {
        Map<String, Scenarios.Scenario> all = new LinkedHashMap<>();
        all.put("damaged", Consumers::damaged);
        all.put("decided", Consumers::decided);
        all.put("deleted", Consumers::deleted);
        return all;
    }

    /** The third of five batches is bad: three records, two, the three bad ones, two, one. */
    private static void damaged(Run run) throws Exception {
        run.createTopic(Map.of());
        try (Sender sender = Sender.plain(run, "none"); Sender packer = Sender.plain(run, "zstd")) {
            sender.batch(Scenarios.orders(0, 3));
            packer.batch(Scenarios.orders(3, 2));
            sender.batch(Scenarios.orders(5, 3));
            packer.batch(Scenarios.orders(8, 2));
            sender.batch(Scenarios.orders(10, 1));
        }
        int bad = run.batchAt(FIRST_SEGMENT, 2);
        run.stop(Optional.empty());
        // In the value of its first record.
        run.damage(FIRST_SEGMENT, bad + 90);
        run.restart();
        try (Acts acts = new Acts(run)) {
            acts.join(UNCOMMITTED, "earliest", ALL_BYTES);
            acts.polls(3);
            // Anywhere in the bad batch, and before it.
            for (long offset : new long[] {5, 7, 4}) {
                acts.seek(offset);
                acts.polls(2);
            }
            // Behind it.
            acts.seek(8);
            acts.polls(2);
            acts.commit();
            // A fetch of one batch at a time.
            acts.join(COMMITTED, "none", 1);
            acts.poll();
            acts.seek(0);
            acts.polls(3);
            acts.findTime(UNCOMMITTED, Scenarios.NEW_YEAR + 9_000);
            acts.findTime(UNCOMMITTED, -1);
            run.stop("damaged", acts.notes());
        }
    }

    /** Transactions that were committed, aborted, and left open, among other records. */
    private static void decided(Run run) throws Exception {
        run.createTopic(Map.of("internal.segment.bytes", "900", "index.interval.bytes", "200"));
        try (Sender plain = Sender.plain(run, "none"); Sender one = Sender.transactional(run, "one", "none");
                Sender two = Sender.transactional(run, "two", "lz4")) {
            plain.batch(Scenarios.orders(0, 2));
            one.begin();
            one.batch(Scenarios.orders(2, 3));
            two.begin();
            two.batch(Scenarios.orders(5, 2));
            plain.batch(Scenarios.orders(7, 1));
            one.abort();
            two.batch(Scenarios.orders(8, 2));
            two.commit();
            one.begin();
            one.batch(Scenarios.orders(10, 2));
            one.abort();
            plain.batch(Scenarios.orders(12, 2));
            two.begin();
            two.batch(Scenarios.orders(14, 2));
            plain.batch(Scenarios.orders(16, 4));
            try (Acts acts = new Acts(run)) {
                for (String isolation : List.of(UNCOMMITTED, COMMITTED)) {
                    acts.join(isolation, "earliest", ALL_BYTES);
                    acts.polls(4);
                    acts.join(isolation, "latest", ALL_BYTES);
                    acts.polls(2);
                    acts.seek(3);
                    acts.poll();
                    acts.join(isolation, "earliest", 150);
                    acts.polls(8);
                    acts.findTime(isolation, -1);
                    acts.findTime(isolation, Scenarios.NEW_YEAR + 13_000);
                    acts.findTime(isolation, Scenarios.NEW_YEAR + 15_000);
                    acts.findTime(isolation, Scenarios.NEW_YEAR + 99_000);
                }
                run.stop("decided", acts.notes());
            }
        }
    }

    /** The first records are gone, the committed offset with them: each reset policy. */
    private static void deleted(Run run) throws Exception {
        run.createTopic(Map.of("internal.segment.bytes", "400", "index.interval.bytes", "100"));
        try (Sender sender = Sender.plain(run, "none")) {
            for (int batch = 0; batch < 6; batch++) {
                sender.batch(List.of(Scenarios.order(batch * 1_000L), Scenarios.order(batch * 1_000L + 1)));
            }
        }
        run.deleteRecords(5);
        try (Acts acts = new Acts(run)) {
            acts.join(UNCOMMITTED, "none", ALL_BYTES);
            acts.poll();
            acts.seek(2);
            acts.commit();
            acts.poll();
            // The record of a second before and after, and one that is young enough for none.
            long since = (System.currentTimeMillis() - Scenarios.NEW_YEAR) / 1_000 - 3_500;
            for (String reset : List.of("none", "earliest", "latest", "by_duration:PT" + since + "S", "by_duration:PT1S")) {
                acts.join(UNCOMMITTED, reset, ALL_BYTES);
                acts.polls(2);
                acts.seek(99);
                acts.polls(2);
                acts.seek(9);
                acts.poll();
            }
            acts.findTime(UNCOMMITTED, -2);
            acts.findTime(UNCOMMITTED, Scenarios.NEW_YEAR);
            run.stop("deleted", acts.notes());
        }
    }
}
