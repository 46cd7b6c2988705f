package oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.record.internal.FileRecords.TimestampAndOffset;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.EpochEntry;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.LogAppendInfo;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/**
 * One partition from its creation on.
 *
 * <p>An operation has the clock in {@code at} and, if it is not refused and the broker runs, the {@code high_watermark} that
 * the partition reaches with it. What was due before it is done first; in a {@code settle} also what is due right then. At one
 * instant files are removed before retention is checked.
 *
 * <p>An answer has the marks of the log, unless the broker is down, and every file.
 */
final class Session {
    private static final short UNKNOWN_TRANSACTION_VERSION = -1;

    /** Operations that write to files of any segment. */
    private static final List<String> UNSEEN = List.of("start", "stop", "crash", "truncate", "truncate-fully", "damage");

    private final Clock clock = new Clock();
    private final Tasks tasks = new Tasks(clock);
    private final Settings settings = new Settings();
    private final Folder folder;
    private final long interval;
    private final long firstCheck;
    private long nextCheck;
    /** Of a broker that is down, nothing. */
    private Replica replica;
    private final Group group = new Group(() -> replica.log, clock);

    Session(JsonNode create, ObjectNode answer) throws IOException {
        settings.take(create.get("settings"));
        clock.now = create.path("at").asLong();
        firstCheck = create.get("first_check").asLong();
        interval = create.get("check_interval").asLong();
        folder = new Folder();
        nextCheck = clock.now + firstCheck;
        replica = new Replica(folder, settings, tasks, clock, true, 0, 0);
        if (create.has("leader_epoch")) {
            replica.log.assignEpochStartOffset(create.get("leader_epoch").asInt(), replica.log.logEndOffset());
        }
        tasks.runSoon();
        folder.stamp(clock);
        report(replica, answer, true);
    }

    void perform(JsonNode operation, ObjectNode answer) throws IOException {
        String verb = operation.get("do").asText();
        long at = operation.get("at").asLong();
        if (replica != null) {
            runDueWork(verb.equals("settle") ? at : at - 1);
        }
        clock.now = Math.max(clock.now, at);
        Replica shown = replica;
        try {
            if (replica == null) {
                performDown(verb, operation);
                shown = replica;
            } else {
                performUp(verb, operation, answer);
            }
            tasks.runSoon();
            folder.stamp(clock);
            if (replica != null && operation.has("high_watermark")) {
                replica.moveHighWatermark(operation.get("high_watermark").asLong());
            }
        } catch (RuntimeException | IOException error) {
            answer.put("error", name(error));
            answer.put("error_text", String.valueOf(error.getMessage()));
            tasks.runSoon();
        }
        folder.stamp(clock);
        tasks.failed().ifPresent(name -> answer.put("background_error", name));
        report(List.of("crash", "stop").contains(verb) ? null : shown, answer, UNSEEN.contains(verb));
    }

    /** The exception that a client gets to see: {@code ReplicaManager} takes it out of the validator's. */
    private static String name(Exception error) {
        Throwable shown = error instanceof RecordValidationException validation ? validation.invalidException() : error;
        return shown.getClass().getSimpleName();
    }

    private void performUp(String verb, JsonNode operation, ObjectNode answer) throws IOException {
        UnifiedLog log = replica.log;
        switch (verb) {
            case "append" -> append(operation, answer);
            case "fetch" -> fetch(operation, answer);
            case "find-time" -> log.fetchOffsetByTimestamp(operation.get("target").asLong(), Optional.empty())
                .timestampAndOffsetOpt()
                .filter(found -> found.offset < operation.path("below").asLong(Long.MAX_VALUE))
                .ifPresent(found -> found(found, answer));
            case "end-offset" -> log.endOffsetForEpoch(operation.get("epoch").asInt()).ifPresent(found ->
                answer.putObject("end").put("offset", found.offset()).put("epoch", found.epoch()));
            case "check-retention" -> log.deleteOldSegments();
            case "delete-records" -> log.maybeIncrementLogStartOffset(
                operation.get("before").asLong(), LogStartOffsetIncrementReason.ClientRecordDeletion);
            case "set" -> {
                settings.take(operation.get("settings"));
                log.updateConfig(settings.log());
            }
            case "high-watermark" -> {
                if (operation.has("to")) {
                    log.updateHighWatermark(operation.get("to").asLong());
                }
            }
            case "leader-epoch" -> log.assignEpochStartOffset(operation.get("epoch").asInt(), log.logEndOffset());
            case "truncate" -> log.truncateTo(operation.get("to").asLong());
            case "truncate-fully" -> log.truncateFullyAndStartAt(
                operation.get("to").asLong(),
                operation.has("log_start") ? Optional.of(operation.get("log_start").asLong()) : Optional.empty());
            case "roll" -> log.roll();
            case "flush" -> log.flush(operation.path("force").asBoolean());
            case "expire-producers" -> log.removeExpiredProducers(clock.now);
            case "damage" -> folder.damage(operation);
            case "stop" -> {
                Replica stopped = replica;
                replica = null;
                tasks.forget();
                stopped.stop();
            }
            case "crash" -> {
                Replica dropped = replica;
                replica = null;
                tasks.forget();
                folder.lose(dropped.drop(), operation.path("lose").asLong());
            }
            case "consumer" -> group.perform(operation, answer);
            case "advance", "settle", "nothing" -> { }
            default -> throw new IllegalArgumentException("unknown operation " + verb);
        }
    }

    private void performDown(String verb, JsonNode operation) throws IOException {
        switch (verb) {
            case "set" -> settings.take(operation.get("settings"));
            case "damage" -> folder.damage(operation);
            case "high-watermark", "leader-epoch" -> { }
            case "start" -> {
                Replica started = new Replica(
                    folder, settings, tasks, clock, operation.get("clean").asBoolean(), operation.path("saved_log_start").asLong(),
                    operation.path("saved_recovery_point").asLong());
                // As Partition.createLog does with the checkpoint.
                started.log.updateHighWatermark(operation.path("saved_high_watermark").asLong());
                replica = started;
                nextCheck = clock.now + firstCheck;
            }
            case "advance", "settle", "nothing" -> { }
            default -> throw new IllegalArgumentException("not while the broker is down: " + verb);
        }
    }

    private void append(JsonNode operation, ObjectNode answer) {
        String origin = operation.get("origin").asText();
        LogAppendInfo info = replica.append(
            HexFormat.of().parseHex(operation.get("bytes").asText()), origin, operation.path("leader_epoch").asInt(),
            (short) operation.path("transaction_version").asInt(UNKNOWN_TRANSACTION_VERSION));
        answer.putObject("appended").put("first", info.firstOffset()).put("last", info.lastOffset());
    }

    private void fetch(JsonNode operation, ObjectNode answer) throws IOException {
        FetchIsolation isolation = switch (operation.path("isolation").asText("high-watermark")) {
            case "log-end" -> FetchIsolation.LOG_END;
            case "high-watermark" -> FetchIsolation.HIGH_WATERMARK;
            case "committed" -> FetchIsolation.TXN_COMMITTED;
            default -> throw new IllegalArgumentException("no such isolation");
        };
        FetchDataInfo read = replica.log.read(
            operation.get("offset").asLong(), operation.get("max_bytes").asInt(), isolation,
            operation.path("min_one").asBoolean(true));
        answer.put("segment", read.fetchOffsetMetadata.segmentBaseOffset);
        answer.put("position", read.fetchOffsetMetadata.relativePositionInSegment);
        answer.put("slice", read.records.sizeInBytes());
        answer.put("first_entry_incomplete", read.firstEntryIncomplete);
        read.abortedTransactions.ifPresent(all -> {
            ArrayNode aborted = answer.putArray("aborted");
            all.forEach(one -> aborted.addArray().add(one.producerId()).add(one.firstOffset()));
        });
    }

    private static void found(TimestampAndOffset found, ObjectNode answer) {
        ObjectNode told = answer.putObject("found");
        told.put("offset", found.offset).put("timestamp", found.timestamp);
        found.leaderEpoch.ifPresent(epoch -> told.put("epoch", epoch));
    }

    private void runDueWork(long until) {
        while (true) {
            long task = tasks.next();
            if (task <= nextCheck && task <= until) {
                clock.now = Math.max(clock.now, task);
                tasks.runUntil(task);
            } else if (nextCheck <= until) {
                clock.now = nextCheck;
                nextCheck += interval;
                tasks.background(replica.log::deleteOldSegments);
                tasks.runSoon();
                folder.stamp(clock);
            } else {
                return;
            }
        }
    }

    private void report(Replica shown, ObjectNode answer, boolean all) throws IOException {
        if (shown != null) {
            UnifiedLog log = shown.log;
            answer.put("log_start", log.logStartOffset());
            answer.put("high_watermark", log.highWatermark());
            answer.put("last_stable", log.lastStableOffset());
            answer.put("log_end", log.logEndOffset());
            answer.put("recovery_point", log.recoveryPoint());
            ArrayNode epochs = answer.putArray("epochs");
            for (EpochEntry entry : log.leaderEpochCache().epochEntries()) {
                epochs.addArray().add(entry.epoch()).add(entry.startOffset());
            }
            ArrayNode producers = answer.putArray("producers");
            log.producerStateManager().activeProducers().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .forEach(entry -> producers.add(producer(entry.getKey(), entry.getValue())));
        }
        String active = shown == null ? "" : String.format("%020d", shown.log.activeSegment().baseOffset());
        folder.tell(answer.putArray("files"), active, all || shown == null);
    }

    /** What is remembered of a producer: its id, epochs, last timestamp, transaction, and its last batches, oldest first. */
    private static String producer(long id, ProducerStateEntry entry) {
        StringBuilder text = new StringBuilder();
        text.append(id).append(':').append(entry.producerEpoch()).append(':').append(entry.coordinatorEpoch());
        text.append(':').append(entry.lastTimestamp()).append(':').append(entry.currentTxnFirstOffset().orElse(-1));
        entry.batchMetadata().forEach(batch -> text.append(' ').append(batch.lastSeq()).append('@').append(batch.lastOffset())
            .append('-').append(batch.offsetDelta()).append('t').append(batch.timestamp()));
        return text.toString();
    }

    /** The log is not closed, which would change its files; it ends with them. */
    void end() throws IOException {
        if (replica != null) {
            replica.drop();
        }
        folder.remove();
    }
}
