package oracle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.ScheduledFuture;
import org.apache.kafka.server.util.Scheduler;

/**
 * Kafka's background tasks, at times that are known. What Kafka wants done soon (the flush after a roll, the checkpoint of
 * leader epochs) is done right after the operation. What has its time (the removal of files, the look for silent producers)
 * is done when the clock has gone past it.
 */
final class Tasks implements Scheduler {
    private static final List<String> REMOVALS = List.of("delete-file", "delete-producer-snapshot");

    /** Something that may fail. */
    interface Work {
        void run() throws IOException;
    }

    private record Task(long at, long order, long period, Runnable work) {}

    private final Clock clock;
    private long order = 0;
    private Optional<String> failed = Optional.empty();
    private final List<Runnable> soon = new ArrayList<>();
    private final PriorityQueue<Task> timed =
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
        if (period > 0 || REMOVALS.contains(name)) {
            timed.add(new Task(clock.now + Math.max(delay, 0), order++, period, work));
        } else {
            soon.add(work);
        }
        return new Never();
    }

    /** When the next task is due that has its time. */
    long next() {
        return timed.isEmpty() ? Long.MAX_VALUE : timed.peek().at();
    }

    /** Does what is due at this time or before it. */
    void runUntil(long time) {
        while (next() <= time) {
            Task task = timed.poll();
            background(task.work()::run);
            if (task.period() > 0) {
                timed.add(new Task(task.at() + task.period(), order++, task.period(), task.work()));
            }
            runSoon();
        }
    }

    /** Does what was to be done soon, and what comes of it. */
    void runSoon() {
        while (!soon.isEmpty()) {
            background(soon.remove(0)::run);
        }
    }

    /** A broker's scheduler writes an exception of a task into its own log, and goes on. */
    void background(Work work) {
        try {
            work.run();
        } catch (RuntimeException | IOException swallowed) {
            failed = Optional.of(swallowed.getClass().getSimpleName());
        }
    }

    /** The last exception of a task since the last call. */
    Optional<String> failed() {
        Optional<String> last = failed;
        failed = Optional.empty();
        return last;
    }

    /** As the end of a broker's process leaves them. */
    void forget() {
        soon.clear();
        timed.clear();
    }
}
