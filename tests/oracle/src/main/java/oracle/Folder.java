package oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The partition's folder: what is in it, what is written into it from outside, and its times. */
final class Folder {
    private static final HexFormat HEX = HexFormat.of();
    private static final int HOUR_MS = 3_600_000;
    /** No file is written before this by this program; a clock of a scenario begins at 0 and stays far below. */
    private static final long BEGAN = System.currentTimeMillis() - HOUR_MS;
    /** An index is as long as its setting and mostly zeros; so much of it is read, and more if that is used. */
    private static final int PART = 8192;

    private record Told(long length, String text) {}

    private final Path path;
    /** What the answers so far have told: by name, the length and the bytes. */
    private Map<String, Told> told = new TreeMap<>();
    private String lastActive = "";
    /** Files of which nothing is taken for granted. */
    private final Set<String> written = new HashSet<>();
    /** Files that may hold anything anywhere. */
    private final Set<String> damaged = new HashSet<>();

    Folder() throws IOException {
        path = Files.createTempDirectory("oracle").resolve("orders-0");
        Files.createDirectory(path);
    }

    Path path() {
        return path;
    }

    /**
     * Files carry the time of the scenario's clock, not that of this machine: it decides where records have no timestamps.
     * Whatever still has this machine's time was written since the last call.
     */
    void stamp(Clock clock) {
        for (File file : files()) {
            long time = file.lastModified();
            if (BEGAN < time && time < System.currentTimeMillis() + HOUR_MS) {
                written.add(file.getName());
                file.setLastModified(clock.now);
            }
        }
    }

    /**
     * What has changed since the last call, in order of the names: {@code name length hex} for a file that is new or other,
     * {@code name length +hex} for one that got more bytes, up to the last that is not zero; then {@code -name} for each that
     * is gone. The producers of a snapshot stand in the order of a hash table, so they are told one by one, sorted by their
     * ids.
     *
     * <p>Only the indexes of the active segment, or of the one that was active, are written without a trace in the file's time or length; {@code all} says that
     * others may have been.
     */
    void tell(ArrayNode changes, String active, boolean all) throws IOException {
        Map<String, Told> now = new TreeMap<>();
        for (File file : files()) {
            String name = file.getName();
            long length = file.length();
            Told before = told.get(name);
            boolean same = !all && before != null && before.length == length && !written.contains(name)
                && !damaged.contains(name) && !name.endsWith(".deleted") && !((name.startsWith(active) || name.startsWith(lastActive)) && name.contains("index"));
            Told after = same ? before : new Told(length, text(file));
            now.put(name, after);
            if (!after.equals(before)) {
                boolean more = before != null && !before.text.isEmpty() && after.text.startsWith(before.text)
                    && !name.contains(".snapshot");
                changes.add(name + " " + length + " " + (more ? "+" + after.text.substring(before.text.length()) : after.text));
            }
        }
        told.keySet().stream().filter(name -> !now.containsKey(name)).forEach(name -> changes.add("-" + name));
        told = now;
        lastActive = active;
        written.clear();
    }

    private String text(File file) throws IOException {
        return file.getName().contains(".snapshot") ? Snapshot.text(file) : HEX.formatHex(used(file));
    }

    /** The bytes up to the last that is not zero. Kafka fills an index from its start: after many zeros come only zeros. */
    private byte[] used(File file) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file, "r")) {
            long length = open.length();
            String name = file.getName().replace(".deleted", "");
            boolean sparse = name.contains("index") && !damaged.contains(name);
            int wanted = (int) (sparse ? Math.min(length, PART) : length);
            while (true) {
                byte[] bytes = new byte[wanted];
                open.seek(0);
                open.readFully(bytes);
                int used = wanted;
                while (used > 0 && bytes[used - 1] == 0) {
                    used--;
                }
                if (wanted == length || wanted - used >= PART / 2) {
                    return Arrays.copyOf(bytes, used);
                }
                wanted = (int) Math.min(length, wanted * 4L);
            }
        }
    }

    /** What goes wrong on a disk: a file ends early, holds other bytes, has more of them, or is gone. */
    void damage(JsonNode damage) throws IOException {
        String name = damage.get("file").asText();
        damaged.add(name);
        if (damage.path("touch").asBoolean()) {
            // The clock's time comes with the next stamp.
            Files.setLastModifiedTime(path.resolve(name), FileTime.fromMillis(System.currentTimeMillis()));
            return;
        }
        if (damage.path("remove").asBoolean()) {
            Files.deleteIfExists(path.resolve(name));
            return;
        }
        try (RandomAccessFile open = new RandomAccessFile(path.resolve(name).toFile(), "rw")) {
            if (damage.has("cut")) {
                open.setLength(damage.get("cut").asLong());
            } else if (damage.has("add")) {
                open.seek(open.length());
                open.write(HEX.parseHex(damage.get("add").asText()));
            } else {
                open.seek(damage.get("position").asLong());
                open.write(HEX.parseHex(damage.get("bytes").asText()));
            }
        }
    }

    /** The last bytes of a file have not reached the disk. Its time is not theirs. */
    void lose(File file, long bytes) throws IOException {
        if (bytes > 0) {
            long time = file.lastModified();
            try (RandomAccessFile open = new RandomAccessFile(file, "rw")) {
                open.setLength(Math.max(0, open.length() - bytes));
            }
            file.setLastModified(time);
        }
    }

    void remove() throws IOException {
        try (Stream<Path> all = Files.walk(path.getParent())) {
            all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }

    private List<File> files() {
        File[] all = path.toFile().listFiles(File::isFile);
        return Stream.of(all).sorted(Comparator.comparing(File::getName)).toList();
    }
}
