package oracle;

import org.apache.kafka.common.utils.Time;

/** A clock that stands still until it is set. */
final class Clock implements Time {
    long now = 0;

    @Override
    public long milliseconds() {
        return now;
    }

    @Override
    public long nanoseconds() {
        return now * 1_000_000L;
    }

    @Override
    public void sleep(long ms) {
        now += ms;
    }
}
