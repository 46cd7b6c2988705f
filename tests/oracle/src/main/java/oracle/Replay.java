package oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/**
 * Reads operations, one JSON object a line, does each to a log of Kafka's own classes, and answers each with a line: marks,
 * what was read or found, and every segment file with its length and its bytes up to the last that is not zero.
 */
public final class Replay {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int DAY_MS = 86_400_000;

    private final Clock clock = new Clock();
    private final Tasks tasks = new Tasks(clock);
    private final Properties settings = new Properties();
    private final Path folder;
    private final UnifiedLog log;
    private final long interval;
    private final Map<Long, Integer> stamped = new HashMap<>();
    private long nextCheck;

    private Replay(JsonNode create) throws IOException {
        take(create.get("settings"));
        nextCheck = create.get("first_check").asLong();
        interval = create.get("check_interval").asLong();
        folder = Files.createTempDirectory("oracle").resolve("orders-0");
        Files.createDirectory(folder);
        log = UnifiedLog.create(
            folder.toFile(), new LogConfig(settings), 0L, 0L, tasks, new BrokerTopicStats(), clock, DAY_MS,
            new ProducerStateManagerConfig(DAY_MS, false), DAY_MS, new LogDirFailureChannel(1), true, Optional.empty());
        stampFiles();
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Replay replay = null;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode operation = JSON.readTree(line);
            ObjectNode answer = JSON.createObjectNode();
            if (operation.get("do").asText().equals("create")) {
                if (replay != null) {
                    replay.end();
                }
                replay = new Replay(operation);
            } else {
                replay.perform(operation, answer);
            }
            replay.report(answer);
            System.out.println(answer);
        }
        if (replay != null) {
            replay.end();
        }
    }

    private void take(JsonNode changed) {
        changed.properties().forEach(entry -> settings.put(entry.getKey(), entry.getValue().asText()));
    }

    private void perform(JsonNode operation, ObjectNode answer) throws IOException {
        String verb = operation.get("do").asText();
        long at = operation.get("at").asLong();
        runDueWork(verb.equals("settle") ? at : at - 1);
        clock.now = Math.max(clock.now, at);
        switch (verb) {
            case "append" -> {
                byte[] bytes = HexFormat.of().parseHex(operation.get("bytes").asText());
                log.appendAsFollower(MemoryRecords.readableRecords(ByteBuffer.wrap(bytes)), 0);
            }
            case "fetch" -> {
                FetchDataInfo read = log.read(
                    operation.get("offset").asLong(), operation.get("max_bytes").asInt(), FetchIsolation.HIGH_WATERMARK, true);
                answer.put("segment", read.fetchOffsetMetadata.segmentBaseOffset);
                answer.put("position", read.fetchOffsetMetadata.relativePositionInSegment);
                answer.put("slice", read.records.sizeInBytes());
            }
            case "find-time" -> log.fetchOffsetByTimestamp(operation.get("target").asLong(), Optional.empty())
                .timestampAndOffsetOpt()
                .ifPresent(found -> answer.put("found", found.offset));
            case "check-retention" -> log.deleteOldSegments();
            case "delete-records" -> log.maybeIncrementLogStartOffset(
                operation.get("before").asLong(), LogStartOffsetIncrementReason.ClientRecordDeletion);
            case "set" -> {
                take(operation.get("settings"));
                log.updateConfig(new LogConfig(settings));
            }
            case "advance", "settle", "nothing" -> { }
            default -> throw new IllegalArgumentException("unknown operation " + verb);
        }
        stampFiles();
        moveHighWatermark(operation.get("high_watermark").asLong());
    }

    /** Files carry the time of the clock here, not that of this machine: it decides where records have no timestamps. */
    private void stampFiles() {
        for (LogSegment segment : log.logSegments()) {
            Integer size = stamped.put(segment.baseOffset(), segment.size());
            if (size == null || size != segment.size()) {
                segment.log().file().setLastModified(clock.now);
            }
        }
    }

    /** At one instant first the removal of files, then the check. */
    private void runDueWork(long until) throws IOException {
        while (true) {
            long removal = tasks.nextRemoval();
            if (removal <= nextCheck && removal <= until) {
                clock.now = removal;
                tasks.runUntil(removal);
            } else if (nextCheck <= until) {
                clock.now = nextCheck;
                nextCheck += interval;
                log.deleteOldSegments();
                stampFiles();
            } else {
                return;
            }
        }
    }

    /** As a leader without followers does it, and as a test that pins it. */
    private void moveHighWatermark(long to) throws IOException {
        if (to == log.logEndOffset()) {
            log.maybeIncrementHighWatermark(log.logEndOffsetMetadata());
        } else if (to != log.highWatermark()) {
            log.updateHighWatermark(to);
        }
    }

    private void report(ObjectNode answer) throws IOException {
        answer.put("log_start", log.logStartOffset());
        answer.put("high_watermark", log.highWatermark());
        answer.put("log_end", log.logEndOffset());
        ArrayNode files = answer.putArray("files");
        String[] names = folder.toFile().list((place, name) -> name.matches("\\d{20}\\.(log|index|timeindex)(\\.deleted)?"));
        Arrays.sort(names);
        for (String name : names) {
            byte[] bytes = Files.readAllBytes(folder.resolve(name));
            int used = bytes.length;
            while (used > 0 && bytes[used - 1] == 0) {
                used--;
            }
            files.add(name + " " + bytes.length + " " + HexFormat.of().formatHex(bytes, 0, used));
        }
    }

    /** The log is not closed, which would change its files; it ends with this program. */
    private void end() throws IOException {
        try (var all = Files.walk(folder.getParent())) {
            all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
