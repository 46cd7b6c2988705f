package oracle;

import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The handle of a task that its owner may cancel, and that nobody waits for. */
final class Never implements ScheduledFuture<Void> {
    private boolean cancelled = false;

    @Override
    public long getDelay(TimeUnit unit) {
        return Long.MAX_VALUE;
    }

    @Override
    public int compareTo(Delayed other) {
        return 0;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        cancelled = true;
        return true;
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public boolean isDone() {
        return cancelled;
    }

    @Override
    public Void get() {
        throw new UnsupportedOperationException("nobody waits for a task");
    }

    @Override
    public Void get(long timeout, TimeUnit unit) {
        return get();
    }
}
