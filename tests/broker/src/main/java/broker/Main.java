package broker;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.internals.AppInfoParser;

/** Plays scenarios and leaves the directories that they keep: `Main OUT CONSUMERS SCRATCH [SCENARIO…]`. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        Path out = Path.of(arguments[0]);
        Path consumers = Path.of(arguments[1]);
        Path scratch = Path.of(arguments[2]);
        List<String> names = List.of(arguments).subList(3, arguments.length);
        play(Scenarios.all(), names, out, scratch);
        play(Consumers.all(), names, consumers, scratch);
    }

    private static void play(Map<String, Scenarios.Scenario> scenarios, List<String> names, Path out, Path scratch)
        throws Exception {
        Files.createDirectories(out);
        boolean any = false;
        for (Map.Entry<String, Scenarios.Scenario> scenario : scenarios.entrySet()) {
            String name = scenario.getKey();
            if (names.isEmpty() || names.contains(name)) {
                try (Run run = new Run(out, scratch.resolve(name), Scenarios.settings(name))) {
                    scenario.getValue().play(run);
                }
                any = true;
            }
        }
        if (any) {
            saveOrigin(out.resolve("made-with.jsonl"));
        }
    }

    /** What made the directories: Kafka's version, and the checksum of every jar that took part. */
    private static void saveOrigin(Path file) throws Exception {
        Notes notes = new Notes();
        notes.add("made-with", "kafka", AppInfoParser.getVersion(), "commit", AppInfoParser.getCommitId(),
            "java", Runtime.version().feature(), "broker", Broker.SETTINGS);
        for (String entry : System.getProperty("java.class.path").split(":")) {
            Path jar = Path.of(entry);
            if (Files.isRegularFile(jar)) {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
                notes.add("jar", "name", jar.getFileName().toString(), "sha256", HexFormat.of().formatHex(digest));
            }
        }
        notes.save(file);
    }
}
