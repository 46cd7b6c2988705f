package broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What clients get of a partition, and what its leader knows of it, written down while the broker runs. */
final class Reader {
    /** Longer keys and values are noted by length and CRC-32C. */
    private static final int TEXT_MAX = 48;
    /** How many offsets and how many timestamps are asked for, about. */
    private static final int SAMPLES = 24;
    private static final int[] FETCH_BYTES = {1, 700, 5_000, 1 << 20};
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Broker broker;
    private final Admin admin;
    private final TopicPartition partition;
    private final Notes notes;
    private long logStart;
    private long logEnd;

    Reader(Broker broker, Admin admin, TopicPartition partition, Notes notes) {
        this.broker = broker;
        this.admin = admin;
        this.partition = partition;
        this.notes = notes;
    }

    /** Asks everything. */
    void read() throws Exception {
        try (Wire wire = new Wire(broker.port())) {
            logStart = list(OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED).offset();
            logEnd = list(OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED).offset();
            var answer = wire.fetch(partition, logStart, 1, IsolationLevel.READ_UNCOMMITTED);
            notes.add("marks", "log_start", answer.logStartOffset(), "high_watermark", answer.highWatermark(),
                "last_stable", answer.lastStableOffset(), "log_end", logEnd);
            List<ConsumerRecord<byte[], byte[]>> records = consume("read_uncommitted", Reader::noteRecord);
            consume("read_committed", (to, record) -> to.add("committed", "offset", record.offset()));
            seek();
            fetch(wire);
            findTimes(records);
            for (IsolationLevel isolation : IsolationLevel.values()) {
                noteList("earliest", OffsetSpec.earliest(), isolation);
                noteList("latest", OffsetSpec.latest(), isolation);
                noteList("max-timestamp", OffsetSpec.maxTimestamp(), isolation);
                noteList("earliest-local", OffsetSpec.earliestLocal(), isolation);
            }
            endsOfEpochs(wire);
        }
        producers();
    }

    private interface Noting {
        void note(Notes to, ConsumerRecord<byte[], byte[]> record);
    }

    private KafkaConsumer<byte[], byte[]> consumer(String isolation) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.address());
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
        return consumer;
    }

    /** Reads from the log start to what the isolation level allows, and where the consumer stands then. */
    private List<ConsumerRecord<byte[], byte[]>> consume(String isolation, Noting noting) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        try (var consumer = consumer(isolation)) {
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            consumer.seek(partition, logStart);
            long patience = System.nanoTime() + PATIENCE.toNanos();
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(all::add);
                if (System.nanoTime() > patience) {
                    throw new IllegalStateException(isolation + " stands at " + consumer.position(partition));
                }
            }
            all.forEach(record -> noting.note(notes, record));
            notes.add("consumed", "isolation", isolation, "records", all.size(), "position", consumer.position(partition));
        }
        return all;
    }

    private static void noteRecord(Notes to, ConsumerRecord<byte[], byte[]> record) {
        List<Object> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            headers.add(Arrays.asList(header.key(), bytes(header.value())));
        }
        to.add("record", "offset", record.offset(), "timestamp", record.timestamp(), "type", record.timestampType().name,
            "key", bytes(record.key()), "value", bytes(record.value()), "headers", headers,
            "leader_epoch", record.leaderEpoch().orElse(null));
    }

    private static Object bytes(byte[] bytes) {
        if (bytes == null || bytes.length <= TEXT_MAX) {
            return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
        }
        return Map.of("length", bytes.length, "crc32c", crc(bytes));
    }

    private static long crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }

    /** Offsets to ask for: the ends, and some between them. */
    private TreeSet<Long> offsets() {
        TreeSet<Long> offsets = new TreeSet<>(List.of(logStart, logEnd));
        long step = Math.max(1, (logEnd - logStart) / SAMPLES);
        for (long offset = logStart; offset < logEnd; offset += step) {
            offsets.add(offset);
        }
        return offsets;
    }

    /** The first record that a consumer gets when it begins at an offset. */
    private void seek() {
        for (String isolation : List.of("read_uncommitted", "read_committed")) {
            try (var consumer = consumer(isolation)) {
                long end = consumer.endOffsets(List.of(partition)).get(partition);
                for (long offset : offsets()) {
                    consumer.seek(partition, offset);
                    Long first = null;
                    while (first == null && consumer.position(partition) < end) {
                        var records = consumer.poll(Duration.ofMillis(100)).records(partition);
                        first = records.isEmpty() ? null : (Long) records.get(0).offset();
                    }
                    notes.add("seek", "isolation", isolation, "offset", offset, "first", first);
                }
            }
        }
    }

    private void fetch(Wire wire) throws IOException {
        TreeSet<Long> offsets = offsets();
        offsets.add(logEnd + 1);
        if (logStart > 0) {
            offsets.add(logStart - 1);
        }
        int turn = 0;
        for (long offset : offsets) {
            int maxBytes = FETCH_BYTES[turn++ % FETCH_BYTES.length];
            for (IsolationLevel isolation : IsolationLevel.values()) {
                noteFetch(wire.fetch(partition, offset, maxBytes, isolation), offset, maxBytes, isolation);
            }
        }
    }

    private void noteFetch(FetchResponseData.PartitionData answer, long offset, int maxBytes, IsolationLevel isolation) {
        Errors error = Errors.forCode(answer.errorCode());
        byte[] bytes = new byte[0];
        Long firstBatch = null;
        if (answer.records() instanceof MemoryRecords records && records.sizeInBytes() > 0) {
            bytes = new byte[records.sizeInBytes()];
            records.buffer().duplicate().get(bytes);
            var batches = records.batches().iterator();
            RecordBatch first = batches.hasNext() ? batches.next() : null;
            firstBatch = first == null ? null : (Long) first.baseOffset();
        }
        List<List<Long>> aborted = answer.abortedTransactions() == null ? null
            : answer.abortedTransactions().stream().map(one -> List.of(one.producerId(), one.firstOffset())).toList();
        notes.add("fetch", "offset", offset, "max_bytes", maxBytes, "isolation", isolation.toString(),
            "error", error == Errors.NONE ? null : error.name(), "log_start", answer.logStartOffset(),
            "high_watermark", answer.highWatermark(), "last_stable", answer.lastStableOffset(),
            "first_batch", firstBatch, "length", bytes.length, "crc32c", crc(bytes), "aborted", aborted);
    }

    /** The timestamps of some records, 1 ms before and after them, and some that no record has. */
    private void findTimes(List<ConsumerRecord<byte[], byte[]>> records) {
        TreeSet<Long> targets = new TreeSet<>(List.of(0L, Long.MAX_VALUE));
        for (int at = 0; at < records.size(); at += Math.max(1, records.size() / SAMPLES)) {
            long timestamp = records.get(at).timestamp();
            targets.addAll(List.of(Math.max(0, timestamp - 1), Math.max(0, timestamp), timestamp + 1));
        }
        for (String isolation : List.of("read_uncommitted", "read_committed")) {
            try (var consumer = consumer(isolation)) {
                for (long target : targets) {
                    OffsetAndTimestamp found = consumer.offsetsForTimes(Map.of(partition, target)).get(partition);
                    notes.add("time", "isolation", isolation, "target", target,
                        "offset", found == null ? null : found.offset(),
                        "timestamp", found == null ? null : found.timestamp(),
                        "leader_epoch", found == null ? null : found.leaderEpoch().orElse(null));
                }
            }
        }
    }

    private ListOffsetsResultInfo list(OffsetSpec spec, IsolationLevel isolation) throws Exception {
        return admin.listOffsets(Map.of(partition, spec), new ListOffsetsOptions(isolation)).partitionResult(partition).get();
    }

    private void noteList(String name, OffsetSpec spec, IsolationLevel isolation) throws Exception {
        ListOffsetsResultInfo found = list(spec, isolation);
        Optional<Integer> epoch = found.leaderEpoch();
        notes.add("list", "isolation", isolation.toString(), "of", name, "offset", found.offset(),
            "timestamp", found.timestamp(), "leader_epoch", epoch.orElse(null));
    }

    /** From one before the first epoch to two after the newest. */
    private void endsOfEpochs(Wire wire) throws Exception {
        int newest = list(OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED).leaderEpoch().orElse(0);
        for (int epoch = 0; epoch <= newest + 1; epoch++) {
            var end = wire.endOf(partition, epoch);
            notes.add("epoch", "asked", epoch, "epoch", end.leaderEpoch(), "end_offset", end.endOffset(),
                "error", end.errorCode() == 0 ? null : Errors.forCode(end.errorCode()).name());
        }
    }

    private void producers() throws Exception {
        var states = admin.describeProducers(List.of(partition)).partitionResult(partition).get().activeProducers();
        for (ProducerState state : states.stream().sorted((a, b) -> Long.compare(a.producerId(), b.producerId())).toList()) {
            var began = state.currentTransactionStartOffset();
            var coordinator = state.coordinatorEpoch();
            notes.add("producer", "id", state.producerId(), "epoch", state.producerEpoch(),
                "last_sequence", state.lastSequence(), "last_timestamp", state.lastTimestamp(),
                "coordinator_epoch", coordinator.isPresent() ? coordinator.getAsInt() : null,
                "transaction_first_offset", began.isPresent() ? began.getAsLong() : null);
        }
    }
}
