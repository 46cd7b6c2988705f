package broker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.record.internal.Records;

/** One scenario on its way: a broker with the topic `orders`, and what was done and kept so far. */
final class Run implements AutoCloseable {
    static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final int PATIENCE_S = 60;

    private final Path out;
    private final Broker broker;
    private final Map<String, String> ownSettings;
    private final Map<String, String> topic = new LinkedHashMap<>();
    private final Notes steps = new Notes();
    private Admin admin;

    /** A started broker; directories that are kept go to `out`. */
    Run(Path out, Path scratch, Map<String, String> ownSettings) throws Exception {
        this.out = out;
        this.ownSettings = ownSettings;
        this.broker = new Broker(scratch, ownSettings);
        broker.start();
        connect();
    }

    private void connect() {
        admin = Admin.create(Map.of("bootstrap.servers", broker.address()));
    }

    String address() {
        return broker.address();
    }

    /** Notes something that was done. */
    void did(Object... pairs) {
        steps.add("step", pairs);
    }

    /** Creates the topic. The timestamps of the scenarios lie years back, so nothing is deleted by time unless told to. */
    void createTopic(Map<String, String> settings) throws Exception {
        topic.put("retention.ms", "-1");
        topic.putAll(settings);
        var orders = new NewTopic(ORDERS.topic(), 1, (short) 1).configs(topic);
        admin.createTopics(List.of(orders)).all().get();
        did("do", "create-topic", "settings", Map.copyOf(topic));
    }

    void set(String key, String value) throws Exception {
        topic.put(key, value);
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, ORDERS.topic());
        var change = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all().get();
        did("do", "set", "key", key, "value", value);
    }

    void deleteRecords(long before) throws Exception {
        admin.deleteRecords(Map.of(ORDERS, RecordsToDelete.beforeOffset(before))).all().get();
        did("do", "delete-records", "before", before);
    }

    /** Waits until retention moved the log start offset. */
    void awaitRetention() throws Exception {
        long before = logStart();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (logStart() == before) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("retention deletes nothing");
            }
            Thread.sleep(50);
        }
        did("do", "retention", "log_start", logStart());
    }

    long logStart() throws Exception {
        return list(OffsetSpec.earliest());
    }

    /** The high watermark, which is the log end where no follower lags. */
    private long logEnd() throws Exception {
        return list(OffsetSpec.latest());
    }

    private long list(OffsetSpec spec) throws Exception {
        return admin.listOffsets(Map.of(ORDERS, spec)).partitionResult(ORDERS).get().offset();
    }

    /** For what the broker does on its own, every so many milliseconds. */
    void pause(long ms) throws Exception {
        Thread.sleep(ms);
        did("do", "wait", "ms", ms);
    }

    /** Reads everything, stops the broker cleanly and keeps the directory, if it is given a name. */
    void stop(Optional<String> name) throws Exception {
        end(name, "stopped");
    }

    /** Reads everything, kills the broker and keeps the directory, if it is given a name. */
    void kill(Optional<String> name) throws Exception {
        end(name, "killed");
    }

    private void end(Optional<String> name, String how) throws Exception {
        Notes answers = new Notes();
        if (name.isPresent()) {
            new Reader(broker, admin, ORDERS, answers).read();
        }
        admin.close();
        if (how.equals("killed")) {
            broker.kill();
        } else {
            broker.stop();
        }
        if (name.isPresent()) {
            Notes notes = new Notes();
            notes.add("directory", "name", name.get(), "ended", how, "topic", topic, "broker", ownSettings);
            notes.addAll(steps);
            notes.addAll(answers);
            Path folder = out.resolve(name.get());
            Directory.copy(broker.logDirectory(), ORDERS.toString(), folder, notes);
            notes.save(folder.resolve("answers.jsonl"));
            System.out.println("kept " + name.get());
        }
        did("do", how, "kept_as", name.orElse(null));
    }

    /** Where a batch of a file begins, by its number from 0. */
    int batchAt(String file, int number) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(
            Files.readAllBytes(broker.logDirectory().resolve(ORDERS.toString()).resolve(file)));
        int position = 0;
        for (int batch = 0; batch < number; batch++) {
            position += Records.LOG_OVERHEAD + bytes.getInt(position + Records.SIZE_OFFSET);
        }
        return position;
    }

    /** Turns a byte of one of the partition's files over, while no broker runs. */
    void damage(String file, int position) throws IOException {
        Path path = broker.logDirectory().resolve(ORDERS.toString()).resolve(file);
        byte[] bytes = Files.readAllBytes(path);
        bytes[position] ^= (byte) 0xff;
        Files.write(path, bytes);
        did("do", "damage", "file", file, "position", position);
    }

    /** Stops the broker and keeps the directory with what consumers did and got. */
    void stop(String name, Notes acts) throws Exception {
        admin.close();
        broker.stop();
        Notes notes = new Notes();
        notes.add("directory", "name", name, "ended", "stopped", "topic", topic, "broker", ownSettings);
        notes.addAll(steps);
        notes.addAll(acts);
        Path folder = out.resolve(name);
        Directory.copy(broker.logDirectory(), ORDERS.toString(), folder, notes);
        notes.save(folder.resolve("acts.jsonl"));
        System.out.println("kept " + name);
    }

    /** Starts the broker on what the last one left. */
    void restart() throws Exception {
        broker.start();
        connect();
        // Its coordinators and the leader of the partition have to be there before anything is read.
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (admin.describeTopics(List.of(ORDERS.topic())).allTopicNames().get().get(ORDERS.topic())
                .partitions().get(0).leader() == null) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the partition has no leader");
            }
            Thread.sleep(50);
        }
        did("do", "start", "log_start", logStart(), "log_end", logEnd());
    }

    @Override
    public void close() throws Exception {
        admin.close();
        broker.close();
    }
}
