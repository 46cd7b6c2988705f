package oracle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.LeastLoadedNode;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.RequestCompletionHandler;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.internals.AssignedConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.FileRecords.TimestampAndOffset;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.requests.OffsetCommitRequest;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.apache.kafka.common.requests.OffsetFetchRequest;
import org.apache.kafka.common.requests.OffsetFetchResponse;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/**
 * A consumer's network, with a broker at its other end that has one partition and one group: fetches and lookups are answered
 * by the partition's log, as {@code ReplicaManager} and {@code Partition} ask it.
 *
 * <p>A request is answered at the second look for its answer, a fetch in a poll only. What a consumer asks ahead of its next
 * poll is so answered by the log as it is then.
 */
final class Wire implements KafkaClient {
    static final String GROUP = "readers";
    static final TopicPartition PARTITION = new TopicPartition("orders", 0);

    private static final Node BROKER = new Node(1, "broker", 9092);
    private static final int FETCH_WAIT_MS = ConsumerConfig.DEFAULT_FETCH_MAX_WAIT_MS;
    /** An answer takes its time: else a reset that leads nowhere would be tried for ever. */
    private static final int TRIP_MS = 10;
    private static final String BY_DURATION = "by_duration:";
    private static final long NONE = -1;

    private static final class Flight {
        final ClientRequest request;
        boolean seen;

        Flight(ClientRequest request) {
            this.request = request;
        }
    }

    private final Supplier<UnifiedLog> log;
    private final Clock clock;
    private final Clock patience;
    private final List<Flight> flights = new ArrayList<>();
    private long committed = NONE;
    private Optional<Duration> back = Optional.empty();
    private boolean polling;
    private AssignedConsumer consumer;
    private Metadata metadata;
    private int correlation;

    Wire(Supplier<UnifiedLog> log, Clock clock, Clock patience) {
        this.log = log;
        this.clock = clock;
        this.patience = patience;
    }

    /** Another consumer comes. */
    AssignedConsumer connect(Map<String, Object> settings) {
        String reset = settings.get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG).toString();
        back = reset.startsWith(BY_DURATION) ? Optional.of(Duration.parse(reset.substring(BY_DURATION.length()))) : Optional.empty();
        flights.clear();
        consumer = new AssignedConsumer(PARTITION, settings, this, patience);
        tell(consumer.metadata());
        return consumer;
    }

    /** Polls, and lets fetches be answered. */
    <T> T poll(Supplier<T> poll) {
        polling = true;
        try {
            return poll.get();
        } finally {
            polling = false;
        }
    }

    /** What the group has committed. */
    OptionalLong committed() {
        return committed == NONE ? OptionalLong.empty() : OptionalLong.of(committed);
    }

    /** Where the partition is. The leader has no epoch here, so the consumer does not look for truncation. */
    private void tell(Metadata to) {
        metadata = to;
        MetadataResponseData data = new MetadataResponseData();
        data.brokers().add(new MetadataResponseBroker().setNodeId(BROKER.id()).setHost(BROKER.host()).setPort(BROKER.port()));
        MetadataResponseTopic topic = new MetadataResponseTopic().setName(PARTITION.topic()).setTopicId(Uuid.ZERO_UUID);
        topic.partitions().add(new MetadataResponsePartition().setPartitionIndex(PARTITION.partition()).setLeaderId(BROKER.id())
            .setLeaderEpoch((int) NONE).setReplicaNodes(List.of(BROKER.id())).setIsrNodes(List.of(BROKER.id())));
        data.topics().add(topic);
        metadata.updateWithCurrentRequestVersion(
            new MetadataResponse(data, ApiKeys.METADATA.latestVersion()), false, patience.now);
    }

    @Override
    public void send(ClientRequest request, long now) {
        flights.add(new Flight(request));
    }

    @Override
    public List<ClientResponse> poll(long timeout, long now) {
        if (metadata.updateRequested()) {
            tell(metadata);
        }
        List<Flight> due = flights.stream().filter(this::due).toList();
        boolean waiting = flights.stream().anyMatch(flight -> !flight.seen);
        flights.removeAll(due);
        flights.forEach(flight -> flight.seen = true);
        if (due.isEmpty() && !waiting) {
            patience.sleep(timeout);
        }
        List<ClientResponse> responses = new ArrayList<>();
        for (Flight flight : due) {
            ClientRequest request = flight.request;
            patience.sleep(TRIP_MS);
            short version = request.requestBuilder().latestAllowedVersion();
            ClientResponse response = new ClientResponse(
                request.makeHeader(version), request.callback(), request.destination(), request.createdTimeMs(), patience.now, false,
                null, null, answer(request.requestBuilder().build(version), version));
            responses.add(response);
            response.onComplete();
        }
        return responses;
    }

    private boolean due(Flight flight) {
        return flight.seen && (polling || flight.request.apiKey() != ApiKeys.FETCH);
    }

    private AbstractResponse answer(AbstractRequest request, short version) {
        if (request instanceof FetchRequest fetch) {
            return fetch(fetch);
        } else if (request instanceof ListOffsetsRequest list) {
            return list(list);
        } else if (request instanceof FindCoordinatorRequest) {
            FindCoordinatorResponseData data = new FindCoordinatorResponseData();
            data.coordinators().add(
                new Coordinator().setKey(GROUP).setNodeId(BROKER.id()).setHost(BROKER.host()).setPort(BROKER.port()));
            return new FindCoordinatorResponse(data);
        } else if (request instanceof OffsetFetchRequest) {
            OffsetFetchResponseTopics topic = new OffsetFetchResponseTopics().setName(PARTITION.topic());
            topic.partitions().add(new OffsetFetchResponsePartitions().setPartitionIndex(PARTITION.partition())
                .setCommittedOffset(committed).setCommittedLeaderEpoch((int) NONE).setMetadata(""));
            OffsetFetchResponseGroup group = new OffsetFetchResponseGroup().setGroupId(GROUP).setTopics(List.of(topic));
            return new OffsetFetchResponse(new OffsetFetchResponseData().setGroups(List.of(group)), version);
        } else if (request instanceof OffsetCommitRequest commit) {
            committed = commit.data().topics().get(0).partitions().get(0).committedOffset();
            OffsetCommitResponseTopic topic = new OffsetCommitResponseTopic().setName(PARTITION.topic());
            topic.partitions().add(new OffsetCommitResponsePartition().setPartitionIndex(PARTITION.partition()));
            return new OffsetCommitResponse(new OffsetCommitResponseData().setTopics(List.of(topic)));
        }
        throw new IllegalStateException("nobody answers " + request);
    }

    private FetchResponse fetch(FetchRequest request) {
        var topics = request.data().topics();
        var asked = topics.isEmpty() ? null : topics.get(0).partitions().get(0);
        LinkedHashMap<TopicIdPartition, FetchResponseData.PartitionData> data = new LinkedHashMap<>();
        if (asked != null) {
            boolean committedOnly = request.isolationLevel() == IsolationLevel.READ_COMMITTED;
            // What was asked ahead from another place than where the consumer is now, it throws away.
            boolean stale = !OptionalLong.of(asked.fetchOffset()).equals(consumer.position());
            var read = stale ? nothing() : read(asked.fetchOffset(), asked.partitionMaxBytes(), committedOnly);
            data.put(new TopicIdPartition(Uuid.ZERO_UUID, PARTITION), read.setPartitionIndex(PARTITION.partition()));
            if (!stale && read.errorCode() == Errors.NONE.code() && read.records().sizeInBytes() == 0) {
                // A broker waits for records before it answers with none.
                patience.sleep(FETCH_WAIT_MS);
            }
        }
        return FetchResponse.of(Errors.NONE, 0, 0, data, List.of());
    }

    /**
     * As {@code ReplicaManager.readFromLog} does with what {@code Partition.fetchRecords} read for a client.
     *
     * <p>With one exception: a high watermark inside a batch, which only this program sets, moves to the batch's start when it is
     * read, and the first answer would still tell the one before. Here it moves first.
     */
    private FetchResponseData.PartitionData read(long offset, int maxBytes, boolean committedOnly) {
        UnifiedLog from = log.get();
        FetchIsolation isolation = committedOnly ? FetchIsolation.TXN_COMMITTED : FetchIsolation.HIGH_WATERMARK;
        try {
            from.read(offset, maxBytes, isolation, true);
        } catch (RuntimeException | IOException error) {
            // The read that is answered meets it again.
        }
        FetchResponseData.PartitionData data = new FetchResponseData.PartitionData();
        long highWatermark = from.highWatermark();
        long logStart = from.logStartOffset();
        long lastStable = from.lastStableOffset();
        try {
            FetchDataInfo read = from.read(offset, maxBytes, isolation, true);
            ByteBuffer bytes = ByteBuffer.allocate(read.records.sizeInBytes());
            if (read.records instanceof FileRecords file) {
                file.readInto(bytes, 0);
            }
            data.setHighWatermark(highWatermark).setLogStartOffset(logStart)
                .setLastStableOffset(committedOnly ? lastStable : FetchResponse.INVALID_LAST_STABLE_OFFSET)
                .setRecords(MemoryRecords.readableRecords(bytes));
            read.abortedTransactions.ifPresent(data::setAbortedTransactions);
            return data;
        } catch (RuntimeException | IOException error) {
            return nothing().setErrorCode(Errors.forException(error).code());
        }
    }

    private static FetchResponseData.PartitionData nothing() {
        return new FetchResponseData.PartitionData().setHighWatermark(FetchResponse.INVALID_HIGH_WATERMARK)
            .setRecords(MemoryRecords.EMPTY);
    }

    private ListOffsetsResponse list(ListOffsetsRequest request) {
        ListOffsetsPartition asked = request.data().topics().get(0).partitions().get(0);
        ListOffsetsPartitionResponse found = new ListOffsetsPartitionResponse().setPartitionIndex(PARTITION.partition());
        try {
            lookedUp(asked.timestamp(), request.isolationLevel()).ifPresent(answer -> found.setOffset(answer.offset)
                .setTimestamp(answer.timestamp).setLeaderEpoch(answer.leaderEpoch.orElse((int) NONE)));
        } catch (RuntimeException error) {
            found.setErrorCode(Errors.forException(error).code());
        }
        ListOffsetsTopicResponse topic = new ListOffsetsTopicResponse().setName(PARTITION.topic()).setPartitions(List.of(found));
        return new ListOffsetsResponse(new ListOffsetsResponseData().setTopics(List.of(topic)));
    }

    /** As {@code Partition.fetchOffsetForTimestamp}, and {@code ReplicaManager.fetchOffset} behind it. */
    private Optional<TimestampAndOffset> lookedUp(long asked, IsolationLevel isolation) {
        UnifiedLog from = log.get();
        long lastFetchable = isolation == IsolationLevel.READ_COMMITTED ? from.lastStableOffset() : from.highWatermark();
        if (asked == ListOffsetsRequest.LATEST_TIMESTAMP) {
            return Optional.of(new TimestampAndOffset(NONE, lastFetchable, Optional.empty()));
        }
        if (asked == ListOffsetsRequest.EARLIEST_TIMESTAMP) {
            return from.fetchOffsetByTimestamp(asked, Optional.empty()).timestampAndOffsetOpt();
        }
        // `AutoOffsetResetStrategy.timestamp` goes back from this machine's time, which is not the log's.
        long target = back.map(duration -> Math.max(clock.now - duration.toMillis(), 0)).orElse(asked);
        return from.fetchOffsetByTimestamp(target, Optional.empty()).timestampAndOffsetOpt()
            .filter(found -> found.offset < lastFetchable);
    }

    @Override
    public ClientRequest newClientRequest(String node, AbstractRequest.Builder<?> builder, long now, boolean expectResponse) {
        return newClientRequest(node, builder, now, expectResponse, 0, null);
    }

    @Override
    public ClientRequest newClientRequest(
        String node, AbstractRequest.Builder<?> builder, long now, boolean expectResponse, int timeoutMs,
        RequestCompletionHandler callback) {
        return new ClientRequest(node, builder, correlation++, GROUP, now, expectResponse, timeoutMs, callback);
    }

    @Override
    public boolean isReady(Node node, long now) {
        return true;
    }

    @Override
    public boolean ready(Node node, long now) {
        return true;
    }

    @Override
    public long connectionDelay(Node node, long now) {
        return 0;
    }

    @Override
    public long pollDelayMs(Node node, long now) {
        return 0;
    }

    @Override
    public boolean connectionFailed(Node node) {
        return false;
    }

    @Override
    public AuthenticationException authenticationException(Node node) {
        return null;
    }

    @Override
    public void disconnect(String node) {}

    @Override
    public void close(String node) {}

    @Override
    public void close() {}

    @Override
    public LeastLoadedNode leastLoadedNode(long now) {
        return new LeastLoadedNode(BROKER, true);
    }

    @Override
    public int inFlightRequestCount() {
        return flights.size();
    }

    @Override
    public boolean hasInFlightRequests() {
        return !flights.isEmpty();
    }

    @Override
    public int inFlightRequestCount(String node) {
        return (int) flights.stream().filter(flight -> flight.request.destination().equals(node)).count();
    }

    @Override
    public boolean hasInFlightRequests(String node) {
        return inFlightRequestCount(node) > 0;
    }

    @Override
    public boolean hasReadyNodes(long now) {
        return true;
    }

    @Override
    public void wakeup() {}

    @Override
    public void initiateClose() {}

    @Override
    public boolean active() {
        return true;
    }
}
