package oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Properties;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;

/** The topic's settings, and those of the broker that a log looks at. */
final class Settings {
    private static final String PRODUCER_EXPIRATION = "producer.id.expiration.ms";
    private static final String PRODUCER_CHECK = "producer.id.expiration.check.interval.ms";
    private static final int DAY_MS = 86_400_000;

    private final Properties topic = new Properties();
    private int producerCheckMs = DAY_MS;
    private final ProducerStateManagerConfig producers = new ProducerStateManagerConfig(DAY_MS, false);

    void take(JsonNode changed) {
        changed.properties().forEach(entry -> {
            if (entry.getKey().equals(PRODUCER_EXPIRATION)) {
                producers.setProducerIdExpirationMs(entry.getValue().asInt());
            } else if (entry.getKey().equals(PRODUCER_CHECK)) {
                producerCheckMs = entry.getValue().asInt();
            } else {
                topic.put(entry.getKey(), entry.getValue().asText());
            }
        });
    }

    LogConfig log() {
        return new LogConfig(topic);
    }

    int producerCheckMs() {
        return producerCheckMs;
    }

    ProducerStateManagerConfig producers() {
        return producers;
    }
}
