package oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.internals.AssignedConsumer;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/** A group with one consumer at a time, which is Kafka's own. */
final class Group {
    /** Less than the time after which a lookup without an answer is repeated, which is {@code request.timeout.ms}. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** More than that, so that each operation may repeat one. */
    private static final int BETWEEN_MS = 60_000;

    /** The consumer's own clock: it waits for answers, and the log's clock stands still meanwhile. */
    private final Clock patience = new Clock();
    private final Wire wire;
    private final Wire otherWire;
    private AssignedConsumer consumer;
    /**
     * Looks up offsets. Kafka's consumer takes whatever a lookup finds for the end of the partition, and reckons its lag from
     * there ({@code OffsetFetcherUtils.updateSubscriptionState}); so another one does it.
     */
    private AssignedConsumer onlooker;

    Group(Supplier<UnifiedLog> log, Clock clock) {
        wire = new Wire(log, clock, patience);
        otherWire = new Wire(log, clock, patience);
    }

    /** One act of the consumer. Its exceptions are part of the answer, under their own names. */
    void perform(JsonNode operation, ObjectNode answer) {
        patience.now += BETWEEN_MS;
        ObjectNode told = answer.putObject("consumer");
        String act = operation.get("act").asText();
        try {
            switch (act) {
                case "join" -> join(operation);
                case "poll" -> {
                    List<ConsumerRecord<byte[], byte[]>> records = wire.poll(() -> consumer.poll(PATIENCE));
                    ArrayNode all = told.putArray("records");
                    records.forEach(record -> all.addArray().add(record.offset()).add(record.timestamp())
                        .add(record.serializedKeySize()).add(record.serializedValueSize()));
                }
                case "seek" -> consumer.seek(operation.get("offset").asLong());
                case "commit" -> consumer.commit();
                case "find-time" -> find(operation.get("target").asLong(), told);
                default -> throw new AssertionError("no act of a consumer: " + act);
            }
        } catch (RuntimeException error) {
            told.put("error", error.getClass().getSimpleName());
            told.put("error_text", String.valueOf(error.getMessage()));
        }
        put(told, "position", consumer.position());
        put(told, "lag", consumer.lag());
        put(told, "committed", wire.committed());
    }

    /** The offset for a time, or one of the two marks that a consumer can ask for. */
    private void find(long target, ObjectNode told) {
        if (target == ListOffsetsRequest.LATEST_TIMESTAMP) {
            told.put("found", onlooker.endOffset());
        } else if (target == ListOffsetsRequest.EARLIEST_TIMESTAMP) {
            told.put("found", onlooker.beginningOffset());
        } else {
            OffsetAndTimestamp found = onlooker.offsetForTime(target);
            if (found != null) {
                told.put("found", found.offset()).put("timestamp", found.timestamp());
            }
        }
    }

    private static void put(ObjectNode to, String name, OptionalLong value) {
        value.ifPresent(number -> to.put(name, number));
    }

    /** A new consumer takes the place of the one before, which is forgotten as if its process were gone. */
    private void join(JsonNode operation) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "broker:9092");
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, Wire.GROUP);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, operation.get("isolation").asText());
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, operation.get("reset").asText());
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, operation.get("max_bytes").asInt());
        settings.put(ConsumerConfig.CHECK_CRCS_CONFIG, operation.get("check_crcs").asBoolean());
        consumer = wire.connect(settings);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        onlooker = otherWire.connect(settings);
    }
}
