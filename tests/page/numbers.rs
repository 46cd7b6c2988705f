//! The numbers on screen against the numbers of the explanation, typed by hand.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::Test;
use crate::server::Site;
use crate::tab::Tab;

pub fn tests() -> Vec<Test> {
    vec![
        Test::new(
            "offset_9_is_in_segment_6_entry_2_to_115_byte_150_and_110_bytes_are_sent",
            find_offset,
        ),
        Test::new("offset_9_is_inside_a_batch_that_begins_with_8_at_byte_115", batches),
        Test::new(
            "offset_6_would_make_270_bytes_340_so_a_new_segment_begins",
            append_and_roll,
        ),
        Test::new("the_first_record_at_or_after_31_s_is_offset_15_at_32_s", find_time),
        Test::new("by_time_765_bytes_become_495_then_235_then_95", retention_time),
        Test::new("by_size_950_bytes_become_680_above_the_limit_of_600", retention_size),
        Test::new(
            "the_group_committed_3_the_log_starts_at_6_and_earliest_goes_on_at_6",
            consumer_offset,
        ),
    ]
}

/// A step: all its words, and the four numbers that stay in sight.
#[derive(Debug, Deserialize)]
struct Step {
    words: Vec<String>,
    numbers: BTreeMap<String, String>,
}

/// A demo from its first step to its last.
struct Played {
    steps: Vec<Step>,
}

impl Played {
    /// Opens a link and steps to the end, with the timeline.
    fn of(tab: &Tab<'_>, link: &str) -> Self {
        let site = tab.site(Site::new());
        tab.open_playing(&site.at(link));
        // The numbers come with the inspector, a moment after the picture.
        tab.until("probe.$('.four')");
        let count: usize = tab.ask("probe.read().steps");
        let steps = (0..count).map(|index| {
            if index > 0 {
                tab.click("probe.$('#next')");
            }
            tab.until(&format!("probe.read().step === {}", index + 1));
            tab.ask("(await probe.settle(), { words: probe.words(), numbers: probe.numbers() })")
        });
        Self { steps: steps.collect() }
    }

    /// The first step whose sentence has all of the given pieces.
    #[track_caller]
    fn step(&self, pieces: &[&str]) -> &Step {
        let fits = |step: &&Step| pieces.iter().all(|piece| step.words[0].contains(piece));
        self.steps.iter().find(fits).unwrap_or_else(|| {
            let sentences: Vec<&str> = self.steps.iter().map(|step| step.words[0].as_str()).collect();
            panic!("no sentence has all of {pieces:?}:\n{}", sentences.join("\n"))
        })
    }

    /// How two of the numbers go on, without repetitions.
    fn course(&self, first: &str, second: &str) -> Vec<(&str, &str)> {
        let mut course: Vec<(&str, &str)> = Vec::new();
        for step in &self.steps {
            let now = (step.numbers[first].as_str(), step.numbers[second].as_str());
            if course.last() != Some(&now) {
                course.push(now);
            }
        }
        course
    }
}

impl Step {
    /// Fails unless a text of the step, outside its sentence, is or has the piece.
    #[track_caller]
    fn shows(&self, piece: &str) -> &Self {
        assert!(
            self.words[1..].iter().any(|word| word.contains(piece)),
            "“{}” does not show “{piece}”, but {:?}",
            self.words[0],
            &self.words[1..]
        );
        self
    }
}

fn find_offset(tab: &Tab<'_>) {
    let demo = Played::of(tab, "#v1/find-offset/1");
    for name in [
        "00000000000000000000",
        "00000000000000000006",
        "00000000000000000011",
        "00000000000000000017",
    ] {
        demo.steps[0].shows(name);
    }
    demo.step(&["0 ≤ 9", "6 ≤ 9", "11 > 9", "segment 6"]);
    demo.step(&["9 − 6 = 3"]).shows("2 → 115").shows("4 → 200");
    demo.step(&["2 → 115", "byte 115"]).shows("9 − 6 = 3");
    demo.step(&["115", "offset 8", "35 B"]);
    demo.step(&["115 + 35 = 150", "offset 9"]).shows("150");
    demo.step(&["110 B"]).shows("260 − 150 = 110");
    demo.step(&["9 and 10", "110 B", "11"]);
    assert_eq!(
        demo.course("Log size", "Log end offset"),
        [("950 B", "20")],
        "a read changes nothing"
    );
}

fn batches(tab: &Tab<'_>) {
    let demo = Played::of(tab, "#v1/batches/1");
    demo.step(&["4 → 115", "offset 10"]).shows("10 − 6 = 4").shows("8–10");
    demo.step(&["9 − 6 = 3", "4", "too big"]).shows("4 → 115");
    demo.step(&["at or below 3", "byte 0"]);
    demo.step(&["offsets 6 and 7", "115 B are passed over"]).shows("7 < 9");
    demo.step(&["0 + 115 = 115", "8 to 10", "with 8"]).shows("10 ≥ 9");
    demo.step(&["260 − 115 = 145 B", "145 B are sent"]);
    demo.step(&["drops 1 record below 9", "9 and 10", "11"]).shows("145 B");
    assert_eq!(
        demo.course("Log size", "Log end offset"),
        [("385 B", "8"), ("530 B", "8"), ("530 B", "11")]
    );
}

fn append_and_roll(tab: &Tab<'_>) {
    let demo = Played::of(tab, "#v1/append-and-roll/1");
    demo.step(&["2 → 95", "6 s → 2"]);
    demo.step(&["4 → 190", "10 s → 4"]);
    demo.step(&["225 + 45 = 270", "300"]);
    let roll = demo.step(&["270 + 70 = 340", "300"]);
    roll.shows("270 + 70 = 340 > 300").shows("14 s − 2 s = 12 s ≤ 30 s");
    let closed = demo.step(&["Segment 0", "12 s → 5", "36 B", "Segment 6"]);
    closed
        .shows("00000000000000000006")
        .shows("270 / 300 B")
        .shows("0 / 300 B")
        .shows("not created yet");
    demo.step(&["Offset 6", "byte 0", "segment 6"]).shows("70 / 300 B");
    demo.step(&["70 + 45 = 115"]).shows("115 / 300 B");
    let sizes: Vec<&str> = demo
        .course("Log size", "Log start offset")
        .into_iter()
        .map(|(size, _)| size)
        .collect();
    assert_eq!(
        sizes[..9],
        [
            "0 B", "40 B", "95 B", "130 B", "190 B", "225 B", "270 B", "340 B", "385 B"
        ]
    );
}

fn find_time(tab: &Tab<'_>) {
    let demo = Played::of(tab, "#v1/find-time/1");
    demo.step(&["12 s", "31 s", "segment 0"]);
    demo.step(&["22 s", "31 s", "segment 6"]);
    demo.step(&["34 s", "31 s", "segment 11"]);
    demo.step(&["30 s → 3", "11 + 3 = 14"]).shows("34 s → 5");
    demo.step(&["14 − 11 = 3"]);
    demo.step(&["3 → 140", "byte 140"]);
    demo.step(&["offset 14", "30 s", "40 B"]);
    demo.step(&["140 + 40 = 180", "offset 15", "32 s"]);
    demo.step(&["31 s", "offset 15", "32 s"]);
}

fn retention_time(tab: &Tab<'_>) {
    let demo = Played::of(tab, "#v1/retention-time/1");
    demo.step(&["68 s − 24 s = 44 s", "30 s"]);
    demo.step(&["75 s − 12 s = 63 s", "60 s", "segment 0"]);
    demo.step(&["75 s − 22 s = 53 s", "segment 6"]);
    demo.step(&["Segment 0", "270 B", "85 s", "6"]);
    demo.step(&["85 s − 22 s = 63 s", "segment 6"]);
    demo.step(&["85 s − 28 s = 57 s", "segment 11"]);
    demo.step(&["Segment 6", "260 B", "95 s", "11"]);
    demo.step(&["95 s − 28 s = 67 s", "segment 11"]);
    demo.step(&["95 s − 70 s = 25 s", "segment 14"]);
    demo.step(&["Segment 11", "140 B", "105 s", "14"]);
    assert_eq!(
        demo.course("Log size", "Log start offset"),
        [
            ("670 B", "0"),
            ("710 B", "0"),
            ("765 B", "0"),
            ("495 B", "6"),
            ("235 B", "11"),
            ("95 B", "14")
        ]
    );
}

fn retention_size(tab: &Tab<'_>) {
    let demo = Played::of(tab, "#v1/retention-size/1");
    demo.step(&["830 − 600 = 230", "270 B", "segment 0 stays"]);
    demo.step(&["950 − 600 = 350", "270 B", "segment 0 goes"]);
    demo.step(&["680 − 600 = 80", "260 B", "segment 6 stays"]);
    demo.step(&["Segment 0", "270 B", "55 s", "6"]);
    assert_eq!(
        demo.course("Log size", "Log start offset"),
        [
            ("830 B", "0"),
            ("870 B", "0"),
            ("915 B", "0"),
            ("950 B", "0"),
            ("680 B", "6")
        ]
    );
}

fn consumer_offset(tab: &Tab<'_>) {
    let latest = Played::of(tab, "#v1/consumer-offset/1");
    latest.step(&["75 s − 12 s = 63 s", "segment 0 goes"]);
    latest.step(&["3", "6", "OFFSET_OUT_OF_RANGE"]).shows("3 < 6");
    latest.step(&["latest", "16", "3 records lost", "10 more"]);

    let earliest = Played::of(tab, "#v1/consumer-offset/1?reset=earliest");
    assert_eq!(earliest.steps[0].numbers["Committed offset"], "3");
    assert_eq!(earliest.steps[0].numbers["Log size"], "765 B");
    let refused = earliest.step(&["3", "6", "OFFSET_OUT_OF_RANGE"]);
    assert_eq!(refused.numbers["Log start offset"], "6");
    assert_eq!(refused.numbers["Log size"], "495 B");
    earliest.step(&["earliest", "goes on at 6"]);
}
