package oracle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ScheduledFuture;
import org.apache.kafka.server.util.Scheduler;

/**
 * Kafka's background tasks, at times that are known. What Kafka wants done soon (the flush after a roll, the checkpoint of
 * leader epochs) is done right after the operation. The removal of files, always with a delay, is done when the clock has
 * gone past it. Periodic tasks are the caller's business: the expiry of producers is an operation.
 */
final class Tasks implements Scheduler {
    private static final List<String> REMOVALS = List.of("delete-file", "delete-producer-snapshot");

    private record Task(long at, long order, Runnable work) {}

    private final Clock clock;
    private long order = 0;
    private final List<Runnable> soon = new ArrayList<>();
    private final PriorityQueue<Task> removals =
        new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::order));

    Tasks(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void startup() {}

    @Override
    public void shutdown() {}

    @Override
    public void resizeThreadPool(int size) {}

    @Override
    public ScheduledFuture<?> schedule(String name, Runnable work, long delay, long period) {
        if (period < 0) {
            if (REMOVALS.contains(name)) {
                removals.add(new Task(clock.now + Math.max(delay, 0), order++, work));
            } else {
                soon.add(work);
            }
        }
        return new Never();
    }

    /** When the next removal of files is due. */
    long nextRemoval() {
        return removals.isEmpty() ? Long.MAX_VALUE : removals.peek().at();
    }

    /** Removes what is due at this time or before it. */
    void removeUntil(long time) {
        while (nextRemoval() <= time) {
            removals.poll().work().run();
        }
    }

    /** Does what was to be done soon, and what comes of it. */
    void runSoon() {
        while (!soon.isEmpty()) {
            soon.remove(0).run();
        }
    }

    /** As the end of a broker's process leaves them. */
    void forget() {
        soon.clear();
        removals.clear();
    }
}
