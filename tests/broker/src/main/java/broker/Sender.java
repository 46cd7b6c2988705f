package broker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A producer that sends one batch at a time, so that where batches end is the scenario's decision. */
final class Sender implements AutoCloseable {
    /** Longer than any scenario takes: a batch goes when the scenario flushes. */
    private static final int LINGER_MS = 600_000;
    private static final int BATCH_BYTES = 900_000;
    /** Longer than any scenario takes: a transaction ends when the scenario ends it. */
    private static final int TRANSACTION_MS = 900_000;

    private final Run run;
    private final String name;
    private final String codec;
    private final KafkaProducer<byte[], byte[]> producer;

    private Sender(Run run, String name, String codec, Map<String, Object> own) {
        this.run = run;
        this.name = name;
        this.codec = codec;
        Map<String, Object> settings = new LinkedHashMap<>(own);
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, run.address());
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, codec);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MS);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, LINGER_MS + 60_000);
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Without a producer id. */
    static Sender plain(Run run, String codec) {
        return new Sender(run, "plain", codec, Map.of(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false));
    }

    static Sender idempotent(Run run, String codec) {
        return new Sender(run, "idempotent", codec, Map.of(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true));
    }

    /** With a transactional id, whose former owner is fenced and its open transaction aborted. */
    static Sender transactional(Run run, String id, String codec) {
        Sender sender = new Sender(run, id, codec, Map.of(
            ProducerConfig.TRANSACTIONAL_ID_CONFIG, id, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_MS));
        sender.producer.initTransactions();
        run.did("do", "init-transactions", "producer", id);
        return sender;
    }

    void begin() {
        producer.beginTransaction();
        run.did("do", "begin", "producer", name);
    }

    void commit() {
        producer.commitTransaction();
        run.did("do", "commit", "producer", name);
    }

    void abort() {
        producer.abortTransaction();
        run.did("do", "abort", "producer", name);
    }

    /** Sends one batch and waits for its acknowledgement. */
    void batch(List<ProducerRecord<byte[], byte[]>> records) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (var record : records) {
            sent.add(producer.send(record));
        }
        producer.flush();
        RecordMetadata first = sent.get(0).get();
        RecordMetadata last = sent.get(sent.size() - 1).get();
        run.did("do", "send", "producer", name, "codec", codec, "records", records.size(),
            "first_offset", first.offset(), "last_offset", last.offset());
    }

    static ProducerRecord<byte[], byte[]> record(long timestamp, String key, String value) {
        return new ProducerRecord<>(Run.ORDERS.topic(), Run.ORDERS.partition(), timestamp, utf8(key), utf8(value));
    }

    static byte[] utf8(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        // An open transaction stays open: closing with patience would wait for it.
        producer.close(Duration.ZERO);
    }
}
