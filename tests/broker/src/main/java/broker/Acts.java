package broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Consumers of the partition, one after the other, and what each act of theirs came to. */
final class Acts implements AutoCloseable {
    /** Enough for a lookup of the position and a fetch, and less than it takes until a lookup is repeated. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);
    private static final long LATEST = -1;
    private static final long EARLIEST = -2;

    private final Run run;
    private final TopicPartition partition = Run.ORDERS;
    private final Notes notes = new Notes();
    private KafkaConsumer<byte[], byte[]> consumer;
    /** Whether a fetch has told the consumer where the end is: asked before, it would look that up. */
    private boolean lagKnown;

    Acts(Run run) {
        this.run = run;
    }

    /** What was noted. */
    Notes notes() {
        return notes;
    }

    /** A new consumer of the one group. */
    void join(String isolation, String reset, int maxBytes) {
        close();
        lagKnown = false;
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, run.address());
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, "readers");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, reset);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, maxBytes);
        consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
        // Waits for the group's coordinator.
        var committed = consumer.committed(Set.of(partition)).get(partition);
        Map<String, Object> answer = new LinkedHashMap<>();
        if (committed != null) {
            answer.put("committed", committed.offset());
        }
        note(Map.of("act", "join", "isolation", isolation, "reset", reset, "max_bytes", maxBytes, "check_crcs", true), answer);
    }

    void poll() {
        Map<String, Object> answer = new LinkedHashMap<>();
        try {
            List<List<Long>> records = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(PATIENCE).records(partition)) {
                records.add(List.of(record.offset(), record.timestamp(), (long) record.serializedKeySize(),
                    (long) record.serializedValueSize()));
            }
            answer.put("records", records);
        } catch (RuntimeException error) {
            answer.put("error", error.getClass().getSimpleName());
        }
        putPosition(answer);
        lagKnown |= answer.containsKey("position") && !answer.containsKey("error");
        noteStanding(Map.of("act", "poll"), answer);
    }

    /** Polls until nothing comes. */
    void polls(int times) {
        for (int time = 0; time < times; time++) {
            poll();
        }
    }

    void seek(long offset) {
        consumer.seek(partition, offset);
        noteStanding(Map.of("act", "seek", "offset", offset), new LinkedHashMap<>());
    }

    void commit() {
        consumer.commitSync();
        noteStanding(Map.of("act", "commit"), new LinkedHashMap<>());
    }

    /** Looks up a time, or one of the two ends, by a consumer of its own: a lookup changes what a consumer takes for the end. */
    void findTime(String isolation, long target) {
        Map<String, Object> settings = Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, run.address(), ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        Map<String, Object> answer = new LinkedHashMap<>();
        try (var onlooker = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            if (target == LATEST) {
                answer.put("found", onlooker.endOffsets(List.of(partition)).get(partition));
            } else if (target == EARLIEST) {
                answer.put("found", onlooker.beginningOffsets(List.of(partition)).get(partition));
            } else {
                var found = onlooker.offsetsForTimes(Map.of(partition, target)).get(partition);
                if (found != null) {
                    answer.put("found", found.offset());
                    answer.put("timestamp", found.timestamp());
                }
            }
        }
        noteStanding(Map.of("act", "find-time", "target", target), answer);
    }

    private void putPosition(Map<String, Object> answer) {
        try {
            answer.put("position", consumer.position(partition, Duration.ofSeconds(1)));
        } catch (TimeoutException | InvalidOffsetException none) {
            // It has none.
        }
    }

    private void noteStanding(Map<String, Object> act, Map<String, Object> answer) {
        putPosition(answer);
        if (lagKnown) {
            consumer.currentLag(partition).ifPresent(lag -> answer.put("lag", lag));
        }
        var committed = consumer.committed(Set.of(partition)).get(partition);
        if (committed != null) {
            answer.put("committed", committed.offset());
        }
        note(act, answer);
    }

    private void note(Map<String, Object> act, Map<String, Object> answer) {
        notes.add("act", "at", System.currentTimeMillis(), "act", act, "answer", answer);
    }

    @Override
    public void close() {
        if (consumer != null) {
            consumer.close();
        }
    }
}
