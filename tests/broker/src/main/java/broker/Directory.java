package broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A partition's directory and what its log directory says of it, copied when no broker runs.
 *
 * <p>An index file that its broker did not close is 10 MiB of almost only zeros: where very many zeros end a file,
 * they are left out, and the length is noted. Every other file is copied whole.
 */
final class Directory {
    private static final List<String> OF_THE_LOG_DIRECTORY = List.of("recovery-point-offset-checkpoint",
        "log-start-offset-checkpoint", "replication-offset-checkpoint", ".kafka_cleanshutdown");

    private static final int ZEROS_MAX = 64 << 10;

    private Directory() {}

    static void copy(Path logDirectory, String partition, Path to, Notes notes) throws IOException {
        for (String name : OF_THE_LOG_DIRECTORY) {
            if (Files.exists(logDirectory.resolve(name))) {
                copyFile(logDirectory, name, to, notes);
            }
        }
        Files.createDirectories(to.resolve(partition));
        List<String> names;
        try (Stream<Path> files = Files.list(logDirectory.resolve(partition))) {
            names = files.map(file -> partition + "/" + file.getFileName()).sorted().toList();
        }
        for (String name : names) {
            copyFile(logDirectory, name, to, notes);
        }
    }

    private static void copyFile(Path from, String name, Path to, Notes notes) throws IOException {
        byte[] bytes = Files.readAllBytes(from.resolve(name));
        int used = bytes.length;
        while (used > 0 && bytes[used - 1] == 0) {
            used--;
        }
        int kept = bytes.length - used > ZEROS_MAX ? used : bytes.length;
        Files.createDirectories(to);
        Files.write(to.resolve(name), Arrays.copyOf(bytes, kept));
        notes.add("file", "name", name, "length", bytes.length,
            "modified", Files.getLastModifiedTime(from.resolve(name)).toMillis());
    }
}
