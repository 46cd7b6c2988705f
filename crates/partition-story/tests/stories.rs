//! Frames: replaying their writes gives the next one, any of them can be asked for first, and each has a short sentence.

use std::collections::BTreeMap;

use partition_log::units::{bytes, duration};
use partition_story::{Demo, Event, Frame, InputValues, NearestInputs, Story, demos, parse};
use proptest::prelude::*;

/// A line of a scenario at the page's scale.
fn line() -> impl Strategy<Value = String> {
    const FIXED: &[&str] = &[
        "fetch committed",
        "fetch next",
        "fetch rest",
        "commit next",
        "check-retention",
        "find-time earliest",
        "find-time latest",
        "find-time max-timestamp",
        "reset earliest",
        "reset latest",
        "reset none",
        "reset by-duration=20s",
        "format v2",
        "format v1",
        "say \"So far.\"",
        "high-watermark 0",
        "high-watermark follow",
    ];
    let size = 34..130u32;
    prop_oneof![
        4 => (size.clone(), 0..3_000u32, 1..6u32).prop_map(|(size, every, times)| format!("append {size}B every={every} x{times}")),
        2 => (size.clone(), 0..90_000u32).prop_map(|(size, ts)| format!("append {size}B ts={ts}")),
        1 => size.prop_map(|size| format!("append {size}B ts=none every=1s")),
        2 => (1..4u32, 0..3u32, 0..20u32).prop_map(|(records, headers, more)| {
            format!("batch {records} total={}B headers={headers} every=1s", 61 + records * 40 + more)
        }),
        2 => (0..40_000u32).prop_map(|wait| format!("wait {wait}")),
        1 => (1_000_000..90_000_000u32).prop_map(|wait| format!("wait {wait}")),
        2 => (0..30u32, 0..300u32).prop_map(|(offset, max)| format!("fetch {offset} max={max}B")),
        1 => (0..90_000u32).prop_map(|time| format!("find-time {time}")),
        1 => (0..30u32).prop_map(|offset| format!("commit {offset}")),
        1 => (0..30u32).prop_map(|offset| format!("delete-records {offset}")),
        1 => (1..120u32).prop_map(|span| format!("set retention.ms={span}s")),
        1 => (-1..2_000i32).prop_map(|bytes| format!("set retention.bytes={bytes}")),
        5 => prop::sample::select(FIXED).prop_map(str::to_string),
    ]
}

/// A scenario; a line that cannot be there (a batch of a size that does not exist) is left out.
fn scenario() -> impl Strategy<Value = String> {
    let settings = (60..400u32, 0..150u32, 1..60u32, 24..200u32);
    let lines = prop::collection::vec(line(), 1..14);
    (settings, lines, any::<prop::sample::Index>()).prop_map(|(settings, mut lines, phase)| {
        let (segment, interval, retention, index) = settings;
        lines.insert(phase.index(lines.len() + 1), "phase here \"Here\"".to_string());
        let mut text = format!(
            "set segment.bytes={segment}B segment.ms=20s index.interval.bytes={interval}B segment.index.bytes={index}B\n\
             set retention.ms={retention}s log.initial.task.delay.ms=5s log.retention.check.interval.ms=10s\n\
             set file.delete.delay.ms=7s\n"
        );
        for line in lines {
            let longer = format!("{text}{line}\n");
            let fits = parse(&longer).is_ok_and(|scenario| Story::run(&scenario, &InputValues::defaults()).is_ok());
            if fits {
                text = longer;
            }
        }
        text
    })
}

fn run_text(text: &str) -> Story {
    Story::run(&parse(text).expect("well formed"), &InputValues::defaults()).expect("within the limits")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn the_writes_of_each_frame_lead_from_the_one_before_to_it(scenario in scenario()) {
        let mut story = run_text(&scenario);
        let (mut state, mut consumer) = (story.state(0), story.consumer(0));
        prop_assert_eq!(&story.frame(0).view, &state.view().with_consumer(consumer.state()));
        for index in 1..story.len() {
            let frame = story.frame(index);
            let view = state.view().with_consumer(consumer.state());
            prop_assert_eq!(&frame.before, &view, "before frame {} of\n{}", index, scenario);
            for step in frame.steps() {
                state.apply(step).map_err(|error| TestCaseError::fail(error.to_string()))?;
                consumer.apply(step);
            }
            let view = state.view().with_consumer(consumer.state());
            prop_assert_eq!(&frame.view, &view, "after frame {} of\n{}", index, scenario);
            prop_assert_eq!(&story.state(index), &state);
            let shown = story.consumer(index);
            prop_assert_eq!(shown.state(), consumer.state());
            prop_assert!(frame.trail().ends_with(frame.steps()));
        }
        let mut last = None;
        story.replay(&mut |event| if let Event::Done(done) = event {
            last = Some((done.state.clone(), done.consumer.clone()));
        });
        if let Some(last) = last {
            prop_assert_eq!(last, (state, consumer.state().clone()), "{}", scenario);
        }
    }

    #[test]
    fn a_frame_is_the_same_whichever_was_asked_for_before(
        scenario in scenario(),
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..20),
    ) {
        let mut straight = run_text(&scenario);
        let frames: Vec<Frame> = (0..straight.len()).map(|index| straight.frame(index)).collect();
        let mut story = run_text(&scenario);
        for index in order {
            let index = index.index(frames.len());
            prop_assert_eq!(&story.frame(index), &frames[index]);
            let (sentence, command) = story.outline(index);
            prop_assert_eq!((&sentence, &command), (&frames[index].sentence, &frames[index].command));
        }
    }

    #[test]
    fn every_frame_has_a_sentence_of_at_most_140_characters(scenario in scenario()) {
        let mut story = run_text(&scenario);
        for index in 0..story.len() {
            let sentence = story.frame(index).sentence;
            prop_assert!((1..=140).contains(&sentence.length()), "{}: {}", sentence.length(), sentence);
            prop_assert!(!sentence.to_string().ends_with('…'), "{}", sentence);
        }
    }

    #[test]
    fn extents_hold_for_every_frame(scenario in scenario()) {
        let mut story = run_text(&scenario);
        for index in 0..story.len() {
            let Frame { view, extents, .. } = story.frame(index);
            prop_assert!(view.segments.len() + view.deleted.len() <= extents.lanes);
            prop_assert!(view.log_size <= extents.log_size && view.log_end <= extents.log_end && view.clock <= extents.clock);
            for segment in view.segments.iter().chain(&view.deleted) {
                prop_assert!(segment.offset_index.entries.len() <= extents.offset_entries);
                prop_assert!(segment.time_index.entries.len() <= extents.time_entries);
                prop_assert!(segment.size <= extents.segment_size);
                prop_assert!(segment.batches.iter().map(|batch| batch.records.len()).sum::<usize>() <= extents.records);
                prop_assert!(segment.batches.iter().all(|batch| batch.size <= extents.batch_size));
            }
        }
    }
}

fn demo(id: &str, values: &[(&str, String)]) -> Story {
    let demo = Demo::find(id).expect("a demo");
    let inputs = values.iter().fold(InputValues::defaults(), |inputs, (name, value)| {
        inputs.with(name, value)
    });
    let scenario = parse(demo.text).expect("well formed");
    Story::run(&scenario, &inputs).unwrap_or_else(|error| panic!("{id} with {values:?}: {error}"))
}

#[test]
fn the_demos_expect_what_happens() {
    for demo in demos() {
        let story = self::demo(demo.id, &[]);
        assert!(!story.expectations().is_empty(), "{}", demo.id);
        for checked in story.expectations() {
            assert!(checked.met, "{}: {checked:?}", demo.id);
        }
    }
}

/// Frames that a demo may have.
fn limit(id: &str) -> usize {
    match id {
        "find-offset" => 12,
        "find-time" | "batches" => 14,
        "append-and-roll" => 26,
        _ => 20,
    }
}

#[test]
fn the_demos_keep_their_limits_of_frames() {
    for demo in demos() {
        let story = self::demo(demo.id, &[]);
        assert!(story.len() <= limit(demo.id), "{} has {} frames", demo.id, story.len());
        let mut next = 1;
        for phase in story.phases() {
            assert_eq!(phase.first, next, "{}: {}", demo.id, phase.id);
            let frames = phase.last + 1 - phase.first;
            assert!(
                (2..=5).contains(&frames),
                "{}: {} has {frames} frames",
                demo.id,
                phase.id
            );
            next = phase.last + 1;
        }
        assert_eq!(next, story.len(), "{}", demo.id);
    }
}

/// Every amount that the first words of a demo name is in its first picture, was put in, or is the pace of its records.
fn first_words_agree_with_the_first_picture(story: &mut Story, demo: &Demo, values: &[(&str, String)]) {
    let (sentence, _) = story.outline(0);
    let view = story.frame(0).view;
    let named = [
        bytes(view.log_size as i64),
        duration(view.clock.get()),
        duration(view.next_check.get()),
    ];
    let inputs = parse(demo.text).expect("well formed");
    let defaults = inputs.inputs().map(|input| input.default().to_string());
    let segments = view.segments.iter().map(|segment| bytes(segment.size as i64));
    let put_in = defaults.chain(values.iter().map(|(_, value)| value.clone()));
    let paces = demo
        .text
        .split("every=")
        .skip(1)
        .filter_map(|rest| rest.split_whitespace().next());
    let known = named
        .into_iter()
        .chain(segments)
        .chain(put_in)
        .chain(paces.map(str::to_string));
    let known: Vec<String> = known.map(|amount| amount.replace(' ', "")).collect();
    let text = sentence.to_string();
    let words: Vec<&str> = text.split([' ', '\u{a0}']).collect();
    for pair in words.windows(2) {
        let unit = pair[1].trim_end_matches([',', '.', ':', '?', ';']);
        if ["B", "s"].contains(&unit) {
            let amount = format!("{}{unit}", pair[0]);
            assert!(
                known.contains(&amount),
                "{} {values:?}: {amount} in \"{text}\"; {known:?}",
                demo.id
            );
        }
    }
}

/// Every value of every input, at the step at which something can change.
#[test]
fn the_demos_run_with_every_value_of_their_inputs() {
    let mut most: BTreeMap<&'static str, (usize, String)> = BTreeMap::new();
    let mut try_one = |id: &'static str, values: &[(&str, String)]| {
        let mut story = demo(id, values);
        let offered = Demo::find(id).expect("a demo");
        first_words_agree_with_the_first_picture(&mut story, offered, values);
        if most.get(id).is_none_or(|(longest, _)| story.len() > *longest) {
            most.insert(id, (story.len(), format!("{values:?}")));
        }
        for index in 0..story.len() {
            let (sentence, _) = story.outline(index);
            assert!((1..=140).contains(&sentence.length()), "{id} {values:?}: {sentence}");
        }
    };
    let seconds = |time: i32| format!("{time}s");
    (0..=21).for_each(|offset| try_one("find-offset", &[("offset", offset.to_string())]));
    (0..=11).for_each(|offset| try_one("batches", &[("offset", offset.to_string())]));
    for records in 0..=1 {
        (0..=45).for_each(|time| {
            try_one(
                "find-time",
                &[("records", records.to_string()), ("time", seconds(time))],
            )
        });
    }
    for records in 1..=12 {
        for segment in (200..=600).step_by(25) {
            for time in [0, 5, 30, 44, 60] {
                let segment = ("segment-bytes", format!("{segment}B"));
                try_one(
                    "append-and-roll",
                    &[("records", records.to_string()), segment, ("time", seconds(time))],
                );
            }
        }
    }
    for records in 0..=1 {
        for time in (30..=70).step_by(2) {
            for retention in (40..=90).step_by(5) {
                let retention = ("retention-ms", seconds(retention));
                try_one(
                    "retention-time",
                    &[("records", records.to_string()), retention, ("time", seconds(time))],
                );
            }
        }
    }
    (-1..=1000)
        .step_by(7)
        .for_each(|bytes| try_one("retention-size", &[("retention-bytes", bytes.to_string())]));
    for reset in ["earliest", "latest", "none", "by-duration=60s"] {
        for time in 33..=80 {
            try_one(
                "consumer-offset",
                &[("reset", reset.to_string()), ("time", seconds(time))],
            );
        }
    }
    for (id, (frames, values)) in &most {
        // A reader's own values may take a few frames more than the demo itself.
        let limit = limit(id) + 6;
        assert!(*frames <= limit, "{id} has {frames} frames with {values}");
    }
}

#[test]
fn what_the_demos_offer_to_try_runs_and_is_not_checked() {
    for demo in demos() {
        let scenario = parse(demo.text).expect("well formed");
        assert!(scenario.title().is_some(), "{}", demo.id);
        assert!(scenario.tries().count() >= 3, "{}", demo.id);
        for other in scenario.tries() {
            let values = other
                .values
                .iter()
                .map(|(name, value)| (name.as_str(), value.to_string()));
            let story = self::demo(demo.id, &values.collect::<Vec<_>>());
            assert!(!story.has_defaults(), "{}: {}", demo.id, other.label);
            assert!(
                story
                    .expectations()
                    .iter()
                    .all(|checked| checked.met && checked.actual.is_none())
            );
            assert!(
                story.len() <= limit(demo.id) + 4,
                "{}: {} has {} frames",
                demo.id,
                other.label,
                story.len()
            );
        }
    }
}

#[test]
fn values_that_an_input_cannot_take_are_refused_by_name_and_range() {
    let scenario = parse(Demo::find("find-offset").expect("a demo").text).expect("well formed");
    let cases = [
        ("offset", "22", "`offset` cannot be `22`: expected 0 to 21"),
        ("offset", "-1", "`offset` cannot be `-1`: expected 0 to 21"),
        ("offset", "9B", "`offset` cannot be `9B`: expected 0 to 21"),
        ("offset", "", "`offset` cannot be ``: expected 0 to 21"),
        (
            "offset",
            "99999999999999999999",
            "`offset` cannot be `99999999999999999999`: expected 0 to 21",
        ),
        ("time", "9", "there is no input `time`: this scenario has offset"),
    ];
    for (name, value, text) in cases {
        let error = Story::run(&scenario, &InputValues::defaults().with(name, value)).expect_err(name);
        assert_eq!((error.to_string().as_str(), error.place), (text, None));
    }
    let default = Story::run(&scenario, &InputValues::defaults().with("offset", "9")).expect("the default");
    assert!(default.has_defaults());
}

/// A text that cannot be run, and why.
const IMPOSSIBLE: &[(&str, &str)] = &[
    (
        "at 10s\nat 5s",
        "line 2, column 4: the clock is at 10 s and cannot go back to 5 s: expected a later time",
    ),
    (
        "wait 9223372036854775807\nwait 1",
        "line 2, column 6: the clock would pass 2^63 - 1 ms: expected a shorter time",
    ),
    (
        "append 45B every=9223372036854775807 x2",
        "line 1, column 1: the clock would pass 2^63 - 1 ms: expected a shorter time",
    ),
    (
        "wait 1s\nset log.initial.task.delay.ms=5s",
        "line 2, column 5: `log.initial.task.delay.ms` is the broker's own and is read at its start: set it before the \
         clock moves",
    ),
    (
        "append 45B x100000\nappend 45B",
        "line 2, column 1: the scenario appends more than 100,000 times, the limit: make the batches larger",
    ),
    (
        "append 1MiB x65",
        "line 1, column 1: the scenario writes more than 64 MiB of log, the limit: make it shorter",
    ),
    (
        "append 9223372036854775807 x100000",
        "line 1, column 1: the scenario writes more than 64 MiB of log, the limit: make it shorter",
    ),
    (
        "append 45B\nhigh-watermark 2",
        "line 2, column 1: the high watermark cannot be 2: the log holds 0 up to 1",
    ),
    (
        "set segment.index.bytes=7B\nappend 45B",
        "line 1, column 1: segment.index.bytes of 7 B has no room for one entry of 8 B",
    ),
];

#[test]
fn what_cannot_be_run_is_refused_with_its_line() {
    for (text, expected) in IMPOSSIBLE {
        let scenario = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let error = Story::run(&scenario, &InputValues::defaults()).expect_err(text);
        assert_eq!(error.to_string(), *expected, "{text}");
    }
}

#[test]
fn a_record_too_small_for_its_format_is_refused_with_the_smallest_size() {
    for (text, smallest) in [
        ("append 33B", "34 B"),
        ("append 0", "34 B"),
        ("append 35B key=k1", "36 B"),
        ("format v2\nappend 60B", "68 B"),
    ] {
        let error = Story::run(&parse(text).expect("well formed"), &InputValues::defaults()).expect_err(text);
        assert!(error.to_string().contains(smallest), "{text}: {error}");
        assert!(error.place.is_some(), "{text}");
    }
}

#[test]
fn a_sentence_that_an_input_makes_too_long_is_refused() {
    let text = format!(
        "input offset=9 range=0..99999\nphase a \"A\"\nsay \"{} $offset\"\n",
        "x".repeat(137)
    );
    let scenario = parse(&text).expect("well formed");
    assert!(Story::run(&scenario, &InputValues::defaults()).is_ok());
    let error = Story::run(&scenario, &InputValues::defaults().with("offset", "123")).expect_err("141 characters");
    assert_eq!(
        error.to_string(),
        "line 3, column 5: a sentence of 141 characters is too long: expected at most 140"
    );
}

fn nearest(demo: &str, name: &str, text: &str) -> (Option<String>, Vec<String>) {
    let scenario = parse(Demo::find(demo).expect("a demo").text).expect("well formed");
    let NearestInputs { values, problems } = NearestInputs::of(&scenario, &InputValues::defaults().with(name, text));
    (values.get(name).map(str::to_string), problems)
}

#[test]
fn a_value_that_an_input_can_have_is_taken_as_it_is_written() {
    for (demo, name, text) in [
        ("find-offset", "offset", "12"),
        ("retention-size", "retention-bytes", "-1"),
        ("retention-size", "retention-bytes", "680"),
        ("retention-time", "retention-ms", "40000"),
        ("retention-time", "retention-ms", "50000ms"),
        ("consumer-offset", "reset", "earliest"),
    ] {
        assert_eq!(
            nearest(demo, name, text),
            (Some(text.to_string()), Vec::new()),
            "{demo}"
        );
    }
    // The default in any unit is the default.
    assert_eq!(nearest("retention-time", "retention-ms", "1m"), (None, Vec::new()));
    assert_eq!(nearest("find-offset", "offset", " 9 "), (None, Vec::new()));
}

#[test]
fn any_other_value_becomes_the_nearest_and_the_problem_names_both() {
    for (demo, name, text, value) in [
        ("retention-time", "retention-ms", "1h", Some("90s")),
        ("retention-time", "retention-ms", "-1", Some("40s")),
        ("retention-size", "retention-bytes", "1KiB", Some("1000B")),
        ("retention-size", "retention-bytes", "-7B", Some("-1")),
        ("append-and-roll", "segment-bytes", "14", Some("200B")),
        ("find-offset", "offset", "12345678901234567890", Some("21")),
        ("find-offset", "offset", "-12345678901234567890", Some("0")),
        ("find-offset", "offset", "12B", None),
        ("find-offset", "offset", "banana", None),
        ("find-offset", "offset", "", None),
        ("find-offset", "colour", "red", None),
        ("consumer-offset", "reset", "by-duration=5s", None),
        ("consumer-offset", "reset", "maybe", None),
    ] {
        let (found, problems) = nearest(demo, name, text);
        assert_eq!(found.as_deref(), value, "{demo} {text}");
        assert_eq!(problems.len(), 1, "{demo} {text}");
        assert!(
            problems[0].contains(&format!("“{}”", if name == "colour" { name } else { text })),
            "{problems:?}"
        );
        assert!(value.is_none_or(|value| problems[0].contains(&format!(", {value} is shown"))));
    }
}

#[test]
fn a_refusal_of_kafka_is_a_frame_and_not_an_error() {
    let mut story = run_text(
        "set segment.bytes=100B\nappend 60B\nappend 101B\nexpect error=record-batch-too-large log-end=1\n\
         fetch 5\nexpect error=offset-out-of-range\n",
    );
    assert!(
        story.expectations().iter().all(|checked| checked.met),
        "{:?}",
        story.expectations()
    );
    let sentences: Vec<String> = (0..story.len())
        .map(|index| story.frame(index).sentence.to_string())
        .collect();
    assert_eq!(
        sentences[2..],
        [
            "RecordBatchTooLargeException: a batch of 101 B fits no segment: segment.bytes is 100 B, and a batch is never \
             divided.",
            "Offset 5 is above the log end offset 1: OFFSET_OUT_OF_RANGE.",
        ]
    );
}

#[test]
fn without_a_phase_every_command_is_shown() {
    let mut story = run_text("set segment.bytes=300B\nappend 45B x2\nfetch 1\nwait 5s\n");
    assert!(story.phases().is_empty());
    let commands: Vec<String> = (0..story.len()).map(|index| story.frame(index).command).collect();
    assert_eq!(commands.first().map(String::as_str), Some(""));
    assert_eq!(commands.iter().filter(|command| *command == "append 45B").count(), 2);
    assert_eq!(commands.last().map(String::as_str), Some("wait 5s"));
}

#[test]
fn a_move_of_the_clock_is_part_of_what_follows() {
    let mut story = run_text("append 45B\nwait 2s\nwait 1s\nappend 45B\nwait 3s\nsay \"Later.\"\n");
    let shown: Vec<(String, i64)> = (1..story.len())
        .map(|index| story.frame(index))
        .map(|frame| (frame.command, frame.view.clock.get()))
        .collect();
    let expected = [
        ("append 45B", 0),
        ("append 45B", 3_000),
        ("wait 3s", 6_000),
        ("say \"Later.\"", 6_000),
    ];
    assert_eq!(shown, expected.map(|(command, clock)| (command.to_string(), clock)));
}

#[test]
fn a_phase_that_waits_for_a_stage_begins_there() {
    let mut story = run_text(
        "append 45B x3\nphase segment \"Segment\"\nphase scan \"Scan\" from=scan\nphase never \"Never\" from=roll\nfetch 1\n\
         phase more \"More\"\nfetch 0\n",
    );
    let phases: Vec<(String, usize)> = story
        .phases()
        .iter()
        .map(|phase| (phase.id.clone(), phase.first))
        .collect();
    assert_eq!(
        phases.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(),
        ["segment", "scan", "more"]
    );
    let scan = story.frame(phases[1].1);
    assert_eq!(
        scan.sentence.to_string(),
        "Byte 0: offset 0, before 1: its 45 B are passed over."
    );
    assert_eq!((scan.phase, story.frame(0).phase), (Some(1), None));
}

/// Numbers of 19 digits: a sentence is cut rather than longer than a reader may be given, and nothing overflows.
#[test]
fn the_largest_numbers_are_shown_too() {
    const MAX: i64 = i64::MAX;
    let mut story = run_text(&format!(
        "set retention.ms=max retention.bytes=max segment.ms=max message.timestamp.after.max.ms=max\n\
         set message.timestamp.before.max.ms=max file.delete.delay.ms=max\n\
         append 40B ts={MAX}\nappend 40B ts=0\nfetch {MAX}\ncommit {MAX}\nfetch committed\nfind-time {MAX}\nfind-time 0\n\
         reset by-duration={MAX}\nfetch committed\ncheck-retention\nset retention.ms=0\nwait {MAX}\n\
         check-retention\nappend 40B\nset retention.bytes=0\ncheck-retention\nexpect clock={MAX}\n"
    ));
    assert!(
        story.expectations().iter().all(|checked| checked.met),
        "{:?}",
        story.expectations()
    );
    for index in 0..story.len() {
        let sentence = story.frame(index).sentence;
        assert!((1..=140).contains(&sentence.length()), "{sentence}");
    }
}

/// More log than all checkpoints together may hold: frames are made from further back, and stay right.
#[test]
fn a_large_story_is_seekable_without_a_state_for_each_frame() {
    let mut story = run_text("set segment.bytes=1MiB index.interval.bytes=4096\nappend 1KiB every=1s x20000\n");
    assert!(story.len() > 20_000);
    let last = story.len() - 1;
    for index in [last, 1, last / 2, last / 2 + 1, last / 3] {
        let (sentence, command) = story.outline(index);
        assert_eq!(command, "append 1KiB every=1s");
        assert!(sentence.length() > 0);
    }
    assert_eq!(story.frame(last).view.log_end.get(), 20_000);
}
