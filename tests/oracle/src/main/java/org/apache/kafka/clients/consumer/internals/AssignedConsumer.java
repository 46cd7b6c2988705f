package org.apache.kafka.clients.consumer.internals;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.ClusterResourceListeners;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;

/**
 * Kafka's own consumer with one partition assigned to it, and what it knows of that partition. It stands in this package
 * because the constructor that takes a network is for the package alone.
 */
public final class AssignedConsumer {
    private final TopicPartition partition;
    private final IsolationLevel isolation;
    private final SubscriptionState subscriptions;
    private final ClassicKafkaConsumer<byte[], byte[]> consumer;
    private final ConsumerMetadata metadata;

    public AssignedConsumer(TopicPartition partition, Map<String, Object> settings, KafkaClient network, Time time) {
        this.partition = partition;
        ConsumerConfig config = new ConsumerConfig(
            ConsumerConfig.appendDeserializerToConfig(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
        LogContext log = new LogContext();
        isolation = ConsumerUtils.configuredIsolationLevel(config);
        subscriptions = ConsumerUtils.createSubscriptionState(config, log);
        metadata = new ConsumerMetadata(config, subscriptions, log, new ClusterResourceListeners());
        consumer = new ClassicKafkaConsumer<>(
            log, time, config, new ByteArrayDeserializer(), new ByteArrayDeserializer(), network, subscriptions, metadata, List.of());
        consumer.assign(List.of(partition));
    }

    /** What the network writes into where the partition is. */
    public Metadata metadata() {
        return metadata;
    }

    public List<ConsumerRecord<byte[], byte[]>> poll(Duration patience) {
        return consumer.poll(patience).records(partition);
    }

    public void seek(long offset) {
        consumer.seek(partition, offset);
    }

    public void commit() {
        consumer.commitSync();
    }

    public OffsetAndTimestamp offsetForTime(long time) {
        return consumer.offsetsForTimes(Map.of(partition, time)).get(partition);
    }

    public long beginningOffset() {
        return consumer.beginningOffsets(List.of(partition)).get(partition);
    }

    public long endOffset() {
        return consumer.endOffsets(List.of(partition)).get(partition);
    }

    /** The offset that is fetched next, if it is known. */
    public OptionalLong position() {
        SubscriptionState.FetchPosition position = subscriptions.positionOrNull(partition);
        return position == null ? OptionalLong.empty() : OptionalLong.of(position.offset);
    }

    /** The records between the position and the end as the last answer told it, if both are known. */
    public OptionalLong lag() {
        Long lag = subscriptions.partitionLag(partition, isolation);
        return lag == null ? OptionalLong.empty() : OptionalLong.of(lag);
    }
}
