package oracle;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.server.log.remote.metadata.storage.generated.ProducerSnapshot;
import org.apache.kafka.server.log.remote.metadata.storage.generated.ProducerSnapshot.ProducerEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;

/** A producer snapshot as text. */
final class Snapshot {
    private Snapshot() {}

    /**
     * Producers by id, each `id:epoch:last sequence:last offset:offset delta:timestamp:coordinator epoch:first offset of its
     * transaction`; of a file that Kafka does not take, its bytes up to the last that is not zero.
     */
    static String text(File file) throws IOException {
        byte[] bytes = Files.readAllBytes(file.toPath());
        try {
            ProducerStateManager.readSnapshot(file);
        } catch (RuntimeException damaged) {
            int used = bytes.length;
            while (used > 0 && bytes[used - 1] == 0) {
                used--;
            }
            return HexFormat.of().formatHex(bytes, 0, used);
        }
        ByteBuffer body = ByteBuffer.wrap(bytes);
        short version = body.getShort();
        return new ProducerSnapshot(new ByteBufferAccessor(body), version).producerEntries().stream()
            .sorted(Comparator.comparingLong(ProducerEntry::producerId))
            .map(entry -> String.format(
                "%d:%d:%d:%d:%d:%d:%d:%d", entry.producerId(), entry.epoch(), entry.lastSequence(), entry.lastOffset(),
                entry.offsetDelta(), entry.timestamp(), entry.coordinatorEpoch(), entry.currentTxnFirstOffset()))
            .collect(Collectors.joining(","));
    }
}
