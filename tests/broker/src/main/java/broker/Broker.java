package broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;

/** One broker, its own controller too, in a virtual machine of its own, so that it can be killed. */
final class Broker implements AutoCloseable {
    private static final int PATIENCE_S = 120;

    /** What every broker is told; a scenario may add to it. */
    static final Map<String, String> SETTINGS = settings();

    private final Path folder;
    private final Path configuration;
    private final int port;
    private Process process;

    /** A broker with an empty log directory, not yet started. */
    Broker(Path folder, Map<String, String> own) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        this.configuration = folder.resolve("server.properties");
        int[] ports = freePorts();
        this.port = ports[0];
        Properties properties = new Properties();
        properties.putAll(SETTINGS);
        properties.putAll(own);
        properties.put("listeners", "BROKER://127.0.0.1:" + ports[0] + ",CONTROLLER://127.0.0.1:" + ports[1]);
        properties.put("advertised.listeners", "BROKER://127.0.0.1:" + ports[0]);
        properties.put("controller.quorum.voters", "1@127.0.0.1:" + ports[1]);
        properties.put("log.dirs", logDirectory().toString());
        try (var out = Files.newBufferedWriter(configuration)) {
            properties.store(out, null);
        }
        Process format = java("kafka.tools.StorageTool", "format", "--cluster-id", Uuid.randomUuid().toString(),
            "--config", configuration.toString());
        if (!format.waitFor(PATIENCE_S, TimeUnit.SECONDS) || format.exitValue() != 0) {
            throw new IllegalStateException("the log directory was not formatted: see " + output());
        }
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("inter.broker.listener.name", "BROKER");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("auto.create.topics.enable", "false");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("offsets.topic.num.partitions", "1");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("transaction.state.log.num.partitions", "1");
        return Map.copyOf(settings);
    }

    /** Two ports of loopback that nobody listens on. */
    private static int[] freePorts() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (var one = new ServerSocket(0, 1, loopback); var other = new ServerSocket(0, 1, loopback)) {
            return new int[] {one.getLocalPort(), other.getLocalPort()};
        }
    }

    int port() {
        return port;
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    Path logDirectory() {
        return folder.resolve("data");
    }

    private Path output() {
        return folder.resolve("broker.txt");
    }

    /** Starts the broker on what its log directory holds, and waits until it answers. */
    void start() throws Exception {
        process = java("kafka.Kafka", configuration.toString());
        // Whoever interrupts this program ends its broker, too.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        Map<String, Object> client = Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, address());
        try (Admin admin = Admin.create(client)) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
            while (admin.describeCluster().nodes().get(PATIENCE_S, TimeUnit.SECONDS).isEmpty()) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    throw new IllegalStateException("the broker did not start: see " + output());
                }
                Thread.sleep(50);
            }
        }
    }

    /** A clean stop: SIGTERM, on which Kafka closes its logs. */
    void stop() throws InterruptedException {
        process.destroy();
        await();
    }

    /** SIGKILL: the broker closes nothing; what it wrote is in the files all the same. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        await();
    }

    private void await() throws InterruptedException {
        if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the broker does not end: see " + output());
        }
        process = null;
    }

    @Override
    public void close() throws InterruptedException {
        if (process != null) {
            kill();
        }
    }

    private Process java(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
            ProcessHandle.current().info().command().orElse("java"), "-Xmx512m", "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.showDateTime=true", "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
            "-cp", System.getProperty("java.class.path"), program));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output().toFile())).start();
    }
}
