package oracle;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ScheduledFuture;
import org.apache.kafka.server.util.Scheduler;

/** Kafka's background tasks, run when the clock gets there. Periodic ones are the caller's business. */
final class Tasks implements Scheduler {
    private record Task(long at, long order, String name, Runnable work) {}

    private final Clock clock;
    private long order = 0;
    private final PriorityQueue<Task> queue =
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
            queue.add(new Task(clock.now + Math.max(delay, 0), order++, name, work));
        }
        return null;
    }

    /** When the next removal of files is due. */
    long nextRemoval() {
        return queue.stream().filter(task -> task.name().equals("delete-file")).mapToLong(Task::at).min().orElse(Long.MAX_VALUE);
    }

    /** Runs what is due at this time or before it. */
    void runUntil(long time) {
        while (!queue.isEmpty() && queue.peek().at() <= time) {
            queue.poll().work().run();
        }
    }
}
