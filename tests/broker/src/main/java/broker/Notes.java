package broker;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lines of JSON, each an object with one key that says what the line is about. */
final class Notes {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<String> lines = new ArrayList<>();

    /** Adds a line; the values come in pairs of a name and what it has, and null where Kafka has nothing. */
    void add(String about, Object... pairs) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int at = 0; at < pairs.length; at += 2) {
            fields.put((String) pairs[at], pairs[at + 1]);
        }
        write(Map.of(about, fields));
    }

    /** Adds a line whose value is no object. */
    void addValue(String about, Object value) {
        write(Map.of(about, value));
    }

    void addAll(Notes others) {
        lines.addAll(others.lines);
    }

    private void write(Map<String, ?> line) {
        try {
            lines.add(JSON.writeValueAsString(line));
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }

    void save(Path file) throws IOException {
        Files.write(file, lines);
    }
}
