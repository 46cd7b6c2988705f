//! Whatever is done to the broker and by its clients: it is done or refused, every frame can be shown, and a frame that is
//! looked up by itself is the one that a run from the start comes to.

use partition_story::{InputValues, Story, parse};
use proptest::prelude::*;

/// Lines that go together in any order.
const LINES: &[&str] = &[
    "append 100B",
    "append 100B every=1s x3",
    "append 300B x2",
    "batch 3 total=300B every=1s",
    "append 100B producer=p1",
    "append 100B producer=p1 x6",
    "append 100B producer=p1 sequence=2",
    "batch 2 total=200B producer=p2",
    "producer p1",
    "producer p1 epoch=0",
    "transaction p1 commit",
    "transaction p1 abort",
    "transaction p2 abort coordinator-epoch=3",
    "transaction p2 commit version=2",
    "transaction p1 abort epoch=4",
    "append 100B from=replica",
    "append 100B from=replica x3 together",
    "append 100B from=replica offset=30",
    "append 100B from=replica offset=2",
    "append 100B x2 together",
    "append 100B from=coordinator",
    "bytes 00",
    "bytes 00000000000000000000003a00000000024e004eaf00000000000000000000000000000000000000000000ffffffffffffffffffffffffffff000000011000000001046f7200",
    "bytes 00000000000000000000003a00000000024e004eaf00000000000000000000000000000000000000000000ffffffffffffffffffffffffffff000000011000000001046f7201",
    "leader-epoch 3",
    "leader-epoch 7",
    "truncate 0",
    "truncate 3",
    "truncate 12",
    "truncate-fully 20",
    "roll",
    "flush",
    "expire-producers",
    "index-entries per-append",
    "index-entries per-batch",
    "high-watermark 0",
    "high-watermark follow",
    "delete-records 4",
    "check-retention",
    "set retention.bytes=500",
    "fetch 0",
    "fetch 3 isolation=committed",
    "fetch rest isolation=log-end",
    "fetch next isolation=committed max=150B",
    "find-time 2s",
    "find-time max-timestamp",
    "find-time latest-tiered",
    "wait 40s",
    "wait 2d",
    "stop",
    "crash",
    "crash lose=50B",
    "crash lose=1MiB",
    "start",
    "damage 0.log cut=40B",
    "damage 0.log flip=70",
    "damage 0.log remove",
    "damage 0.index remove",
    "damage 0.index at=0 bytes=ffffffff7fffffff",
    "damage 0.timeindex add=7B",
    "damage 0.txnindex cut=3B",
    "damage 4.snapshot flip=9",
    "damage leader-epoch-checkpoint at=2 bytes=39",
    "touch 0.log",
];

/// Lines of which those are left out that the broker's being up or down does not allow.
fn scenario(picked: &[usize]) -> String {
    let mut text =
        "set segment.bytes=500B index.interval.bytes=150B\nproducer p1\nproducer p2\nformat v2\nphase all \"All\"\n\
                    transaction p1 begin\n"
            .to_string();
    let mut down = false;
    for &line in picked {
        let line = LINES[line];
        let name = line.split(' ').next().unwrap_or_default();
        let wanted = match name {
            "start" | "damage" => down,
            "producer" | "index-entries" | "touch" | "set" | "wait" => true,
            _ => !down,
        };
        if wanted {
            text.push_str(line);
            text.push('\n');
            down = match name {
                "stop" | "crash" => true,
                "start" => false,
                _ => down,
            };
        }
    }
    text
}

/// The longest stretch of a scenario from its start that can be run: what Kafka has no name for ends it.
fn runnable(text: &str) -> Story {
    let mut lines: Vec<&str> = text.lines().collect();
    loop {
        let scenario = parse(&lines.join("\n")).unwrap_or_else(|error| panic!("{error}\n{text}"));
        match Story::run(&scenario, &InputValues::defaults()) {
            Ok(story) => return story,
            Err(error) => {
                let place = error.place.unwrap_or_else(|| panic!("{error}\n{text}"));
                assert!(!error.to_string().is_empty());
                lines.remove(place.line - 1);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_frame_can_be_shown_and_is_the_same_from_wherever_it_is_looked_up(
        picked in prop::collection::vec(0..LINES.len(), 1..25),
        order in any::<prop::sample::Index>(),
    ) {
        let text = scenario(&picked);
        let mut story = runnable(&text);
        let frames: Vec<_> = (0..story.len()).map(|index| story.frame(index)).collect();
        for (before, frame) in frames.iter().zip(&frames[1..]) {
            let said = frame.sentence.to_string();
            prop_assert!((1..=140).contains(&frame.sentence.length()), "{said}\n{text}");
            prop_assert_eq!(&before.view, &frame.before, "{}", text);
        }
        let one = order.index(frames.len());
        let mut other = runnable(&text);
        prop_assert_eq!(&other.frame(one), &frames[one], "{}", text);
        let last = frames.len() - 1;
        let view = story.state(last).view().with_consumer(story.consumer(last).state());
        prop_assert_eq!(view, frames[last].view.clone(), "{}", text);
    }
}
