package oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * Reads operations, one JSON object a line, does each to a log of Kafka's own classes, and answers each with a line. A
 * {@code create} begins a new log in a new folder. What an operation and an answer look like: see {@link Session}.
 */
public final class Oracle {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Buffers that are mapped go when the collector finds them; there is a limit to how many the system allows. */
    private static final int SESSIONS_BETWEEN_COLLECTIONS = 200;

    private Oracle() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintWriter out = new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        Session session = null;
        int sessions = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode operation = JSON.readTree(line);
            ObjectNode answer = JSON.createObjectNode();
            if (operation.get("do").asText().equals("create")) {
                if (session != null) {
                    session.end();
                }
                if (++sessions % SESSIONS_BETWEEN_COLLECTIONS == 0) {
                    System.gc();
                }
                session = new Session(operation, answer);
            } else {
                session.perform(operation, answer);
            }
            out.println(answer);
            out.flush();
        }
        if (session != null) {
            session.end();
        }
    }
}
