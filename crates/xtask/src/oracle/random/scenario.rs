//! Random scenarios: the same seed gives the same text.

use std::fmt::Write as _;

use fastrand::Rng;

/// Commands of one scenario, besides its settings.
const COMMANDS: std::ops::Range<usize> = 10..60;

/// A scenario: settings of every kind, then appends of every format with equal, falling, future and missing timestamps,
/// jumps of the clock, reads, lookups, retention, moves of the marks, and settings changed on the way.
pub fn scenario(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = format!("# seed {seed}\n");
    let mut say = |line: String| writeln!(text, "{line}").expect("a string takes all");
    say(format!(
        "set segment.bytes={}B segment.ms={}s index.interval.bytes={}B",
        rng.u32(100..600),
        rng.u32(1..90),
        rng.u32(0..250)
    ));
    if rng.u8(..4) == 0 {
        say(format!("set segment.index.bytes={}B", rng.u32(12..96)));
    }
    say(format!(
        "set retention.ms={} retention.bytes={}",
        retention_ms(&mut rng),
        retention_bytes(&mut rng)
    ));
    say(format!(
        "set file.delete.delay.ms={}s log.initial.task.delay.ms={}s log.retention.check.interval.ms={}s",
        rng.u32(0..40),
        rng.u32(1..60),
        rng.u32(3..120)
    ));
    say("set message.timestamp.after.max.ms=max".to_string());
    let mut now = 0u64;
    // Every other one has producers, transactions, followers and a broker that does not always run.
    let mut broker = (rng.bool()).then(Broker::default);
    if broker.is_some() {
        say("format v2\nproducer p1\nproducer p2".to_string());
    }
    for _ in 0..rng.usize(COMMANDS) {
        if let Some(broker) = &mut broker
            && rng.u8(..3) == 0
        {
            say(broker.command(&mut rng));
            continue;
        }
        match rng.u8(..20) {
            10 if broker.is_some() => say("fetch 0 isolation=committed".to_string()),
            0..=9 => say(append(&mut rng, now)),
            10 => say(format!("format {}", if rng.bool() { "v1" } else { "v2" })),
            11..=13 => {
                let ms = [500, 1_000, 2_000, 5_000, 7_000, 40_000, 200_000][rng.usize(..7)];
                now += ms;
                say(format!("wait {ms}ms"));
            }
            14 => say(format!("fetch {} max={}B", rng.u32(0..60), rng.u32(0..400))),
            15 | 16 => say(format!("find-time {}ms", rng.u64(0..now + 20_000))),
            17 => {
                say(["check-retention", "find-time max-timestamp", "high-watermark follow"][rng.usize(..3)].to_string())
            }
            18 => say(format!("delete-records {}", rng.u32(0..40))),
            _ => match rng.u8(..3) {
                0 => say(format!("set retention.ms={}", retention_ms(&mut rng))),
                1 => say(format!("set retention.bytes={}", retention_bytes(&mut rng))),
                _ => say(format!(
                    "set segment.bytes={}B index.interval.bytes={}B",
                    rng.u32(150..600),
                    rng.u32(0..250)
                )),
            },
        }
    }
    text
}

/// What the broker and its clients are about.
#[derive(Default)]
struct Broker {
    epoch: u32,
    open: [bool; 2],
}

impl Broker {
    /// A command, or a few that belong together.
    fn command(&mut self, rng: &mut Rng) -> String {
        let which = rng.usize(..2);
        let name = ["p1", "p2"][which];
        match rng.u8(..20) {
            0..=5 => format!("append {}B producer={name}", rng.u32(80..120)),
            6..=9 if self.open[which] => {
                self.open[which] = false;
                format!("transaction {name} {}", if rng.bool() { "commit" } else { "abort" })
            }
            6..=9 => {
                self.open[which] = true;
                format!("transaction {name} begin")
            }
            10 => {
                self.epoch += 1;
                format!("leader-epoch {}", self.epoch)
            }
            11 => format!("truncate {}", rng.u32(0..60)),
            12 => format!("append {}B from=replica x{} together", rng.u32(80..120), rng.u32(1..5)),
            13 => "roll".to_string(),
            14 => "flush".to_string(),
            15 | 16 => "stop\nwait 2s\nstart".to_string(),
            17 => "crash\nstart".to_string(),
            18 => format!("crash lose={}B\nwait 70s\nstart", rng.u32(0..300)),
            _ => "expire-producers".to_string(),
        }
    }
}

/// One record, in either format of a scenario; sizes that both formats have.
fn append(rng: &mut Rng, now: u64) -> String {
    let size = rng.u32(70..100);
    match rng.u8(..8) {
        0 => format!("append {size}B ts=none"),
        1 => format!("append {size}B ts={}ms", now.saturating_sub(rng.u64(0..30_000))),
        2 => format!("append {size}B ts={}ms", now + rng.u64(0..60_000)),
        3 => format!("append {size}B key=k{}", rng.u8(..4)),
        _ => format!("append {size}B"),
    }
}

fn retention_ms(rng: &mut Rng) -> String {
    if rng.u8(..4) == 0 {
        "-1".to_string()
    } else {
        format!("{}s", rng.u32(0..150))
    }
}

fn retention_bytes(rng: &mut Rng) -> String {
    if rng.bool() {
        "-1".to_string()
    } else {
        format!("{}B", rng.u32(0..1_500))
    }
}

#[cfg(test)]
mod tests {
    use partition_story::{InputValues, Story, parse};

    use super::scenario;

    #[test]
    fn each_runs_and_the_seed_decides_it() {
        let mut ran = 0;
        for seed in 0..300 {
            let text = scenario(seed);
            assert_eq!(text, scenario(seed));
            let parsed = parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
            ran += usize::from(Story::run(&parsed, &InputValues::defaults()).is_ok());
        }
        assert!(ran > 280, "{ran} of 300 ran");
    }
}
