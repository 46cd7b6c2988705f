package broker;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.storage.internals.log.LogConfig;

/** What Kafka itself defines of each setting of a topic, a broker and a consumer: a JSON object a line, by scope and key. */
final class Definitions {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Definitions() {}

    public static void main(String[] arguments) throws IOException {
        List<String> lines = new ArrayList<>();
        add(lines, "topic", LogConfig.configDefCopy().configKeys());
        add(lines, "broker", AbstractKafkaConfig.CONFIG_DEF.configKeys());
        add(lines, "consumer", ConsumerConfig.configDef().configKeys());
        Files.write(Path.of(arguments[0]), lines);
    }

    private static void add(List<String> lines, String scope, Map<String, ConfigDef.ConfigKey> keys) {
        new TreeMap<>(keys).forEach((name, key) -> {
            ObjectNode line = JSON.createObjectNode();
            line.put("scope", scope);
            line.put("key", name);
            line.put("type", key.type.name());
            line.put("default", key.hasDefault() ? ConfigDef.convertToString(key.defaultValue, key.type) : null);
            line.put("range", key.validator == null ? null : key.validator.toString());
            line.put("internal", key.internalConfig);
            if (scope.equals("topic")) {
                var synonyms = line.putArray("synonyms");
                ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS.getOrDefault(name, List.of())
                    .forEach(synonym -> synonyms.add(synonym.name()));
            }
            lines.add(line.toString());
        });
    }
}
