package broker;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopicCollection;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochRequest;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochResponse;
import org.apache.kafka.common.requests.RequestHeader;

/** Requests as they go over the wire, for what a consumer is told and keeps to itself: marks, aborted transactions, raw bytes. */
final class Wire implements AutoCloseable {
    /** The last version of Fetch that names topics instead of giving their ids. */
    private static final short FETCH_VERSION = 12;
    private static final short EPOCH_VERSION = 4;
    private static final int RESPONSE_BYTES_MAX = 64 << 20;

    private final Socket socket;
    private int correlation;

    Wire(int port) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
    }

    /** What the leader answers to one fetch of one partition, without waiting for more. */
    FetchResponseData.PartitionData fetch(TopicPartition partition, long offset, int maxBytes, IsolationLevel isolation)
            throws IOException {
        var wanted = new FetchRequest.PartitionData(Uuid.ZERO_UUID, offset, -1, maxBytes, Optional.empty());
        FetchRequest request = FetchRequest.Builder.forConsumer(FETCH_VERSION, 0, 0, Map.of(partition, wanted))
            .isolationLevel(isolation).build(FETCH_VERSION);
        FetchResponse response = (FetchResponse) send(request);
        return response.data().responses().get(0).partitions().get(0);
    }

    /** The end of a leader epoch, as a follower or a consumer asks for it. */
    EpochEndOffset endOf(TopicPartition partition, int epoch) throws IOException {
        var topics = new OffsetForLeaderTopicCollection();
        topics.add(new OffsetForLeaderTopic().setTopic(partition.topic()).setPartitions(List.of(
            new OffsetForLeaderPartition().setPartition(partition.partition()).setLeaderEpoch(epoch))));
        var request = OffsetsForLeaderEpochRequest.Builder.forConsumer(topics).build(EPOCH_VERSION);
        var response = (OffsetsForLeaderEpochResponse) send(request);
        return response.data().topics().iterator().next().partitions().get(0);
    }

    private AbstractResponse send(AbstractRequest request) throws IOException {
        var header = new RequestHeader(request.apiKey(), request.version(), "reader", correlation++);
        ByteBuffer body = request.serializeWithHeader(header);
        ByteBuffer framed = ByteBuffer.allocate(4 + body.remaining()).putInt(body.remaining()).put(body);
        socket.getOutputStream().write(framed.array());
        var in = new DataInputStream(socket.getInputStream());
        int size = in.readInt();
        if (size < 0 || size > RESPONSE_BYTES_MAX) {
            throw new IOException("a response of " + size + " B");
        }
        byte[] bytes = in.readNBytes(size);
        return AbstractResponse.parseResponse(ByteBuffer.wrap(bytes), header);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
