package oracle;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LazyIndex;
import org.apache.kafka.storage.internals.log.LogAppendInfo;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** Kafka's log of the partition while the broker runs, with what the parts of a broker around it do to it. */
final class Replica {
    private static final int DAY_MS = 86_400_000;
    private static final BrokerTopicStats STATS = new BrokerTopicStats();

    final UnifiedLog log;

    /** As {@code LogManager.loadLog}, with the checkpoints of the log directory and whether the last stop was clean. */
    Replica(Folder folder, Settings settings, Tasks tasks, Clock clock, boolean clean, long logStart, long recoveryPoint)
        throws IOException {
        log = UnifiedLog.create(
            folder.path().toFile(), settings.log(), logStart, recoveryPoint, tasks, STATS, clock, DAY_MS,
            settings.producers(), settings.producerCheckMs(), new LogDirFailureChannel(1), clean, Optional.empty());
    }

    /**
     * As {@code Partition.appendRecordsToLeader} and {@code appendRecordsToFollowerOrFutureReplica}. The version of
     * transactions is known only to the writer of markers: {@code ReplicaManager} hands on none for a producer's records.
     */
    LogAppendInfo append(byte[] bytes, String origin, int leaderEpoch, short transactionVersion) {
        MemoryRecords records = MemoryRecords.readableRecords(ByteBuffer.wrap(bytes));
        if (origin.equals("replication")) {
            return log.appendAsFollower(records, leaderEpoch);
        }
        AppendOrigin from = origin.equals("coordinator") ? AppendOrigin.COORDINATOR : AppendOrigin.CLIENT;
        return log.appendAsLeader(
            records, leaderEpoch, from, RequestLocal.withThreadConfinedCaching(), VerificationGuard.SENTINEL, transactionVersion);
    }

    /** As a leader without followers moves it, else as a follower told by its leader does. */
    void moveHighWatermark(long to) throws IOException {
        if (to == log.logEndOffset()) {
            log.maybeIncrementHighWatermark(log.logEndOffsetMetadata());
        } else if (to != log.highWatermark()) {
            log.updateHighWatermark(to);
        }
    }

    /** As {@code LogManager.shutdown} ends each log. */
    void stop() {
        log.prepareActiveSegmentForClose();
        log.flush(true);
        log.close();
        log.removeLogMetrics();
    }

    /**
     * The process is gone: nothing more is written. What it had open is let go without a word to the files. The active
     * {@code .log} is answered.
     */
    File drop() throws IOException {
        File active = log.activeSegment().log().file();
        log.removeLogMetrics();
        for (LogSegment segment : log.logSegments()) {
            // Asking for an index opens it, so the unopened ones are reached by their fields only.
            index(segment, "lazyOffsetIndex").close();
            index(segment, "lazyTimeIndex").close();
            segment.txnIndex().close();
            segment.log().channel().close();
        }
        return active;
    }

    private static LazyIndex<?> index(LogSegment segment, String name) {
        try {
            Field field = LogSegment.class.getDeclaredField(name);
            field.setAccessible(true);
            return (LazyIndex<?>) field.get(segment);
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException("LogSegment has no field " + name, error);
        }
    }
}
