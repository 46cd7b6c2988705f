//! Every frame of every demo at many widths: nothing overlaps, nothing leaves the picture, nothing is too small, and no
//! picture changes its height.

use std::collections::BTreeSet;

use partition_figure::metrics::{Face, room_of};
use partition_figure::scene::{Anchor, Kind, Role, SceneNode};
use partition_figure::{Scene, layout};
use partition_story::{InputValues, Story, demos, parse};

const WIDTHS: [u32; 13] = [288, 304, 328, 360, 480, 599, 600, 704, 768, 900, 1040, 1160, 1400];

/// A text with the room that it has to be given, tenths of a px.
struct TextBox {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
    text: String,
}

fn text_box(node: &SceneNode) -> TextBox {
    let width = room_of(node.class, &node.spans);
    let left = match node.anchor {
        Anchor::Start => node.x,
        Anchor::Middle => node.x - width / 2,
        Anchor::End => node.x - width,
    };
    let size = node
        .spans
        .iter()
        .map(|span| Face::of(node.class).with(span.class).size)
        .max()
        .unwrap_or(12);
    TextBox {
        left,
        right: left + width,
        // Capitals and digits reach 0.72 em above the baseline; what hangs below it rarely meets anything.
        top: node.y - size * 72 / 10,
        bottom: node.y + size * 12 / 10,
        text: node.spans.iter().map(|span| span.text.as_str()).collect(),
    }
}

fn faults(scene: &Scene) -> Vec<String> {
    let mut faults = Vec::new();
    let texts: Vec<TextBox> = scene
        .nodes
        .iter()
        .filter(|node| node.kind == Kind::Text)
        .map(text_box)
        .collect();
    for (index, text) in texts.iter().enumerate() {
        if text.left < 0 || text.right > scene.width || text.top < 0 || text.bottom > scene.height {
            faults.push(format!("{:?} leaves the picture", text.text));
        }
        for other in &texts[index + 1..] {
            let apart = text.right <= other.left
                || other.right <= text.left
                || text.bottom <= other.top
                || other.bottom <= text.top;
            if !apart {
                faults.push(format!("{:?} overlaps {:?}", text.text, other.text));
            }
        }
    }
    for node in scene.nodes.iter().filter(|node| node.kind == Kind::Text) {
        if node
            .spans
            .iter()
            .any(|span| Face::of(node.class).with(span.class).size < 12)
        {
            faults.push(format!("{} is under 12 px", node.key));
        }
    }
    // What a page draws and moves without being felt.
    if scene.nodes.len() > 400 {
        faults.push(format!("{} nodes", scene.nodes.len()));
    }
    let mut keys = BTreeSet::new();
    let mut groups = BTreeSet::new();
    for node in &scene.nodes {
        if !keys.insert(node.key.as_str()) {
            faults.push(format!("two nodes are called {}", node.key));
        }
        if !node.parent.is_empty() && !groups.contains(node.parent.as_str()) {
            faults.push(format!("{} stands before its group {}", node.key, node.parent));
        }
        if node.kind == Kind::Group {
            groups.insert(node.key.as_str());
        }
        if node.role.is_some() && node.label.is_empty() {
            faults.push(format!("{} has a role and no name", node.key));
        }
        if node.role == Some(Role::Button) && (node.w < 240 || node.h < 240) && !node.key.starts_with("record/") {
            faults.push(format!("{} is too small a target: {} x {}", node.key, node.w, node.h));
        }
        if matches!(node.kind, Kind::Rect | Kind::Circle) && (node.w < 0 || node.h < 0) {
            faults.push(format!("{} has a negative size", node.key));
        }
    }
    faults
}

fn check(name: &str, story: &mut Story) -> Vec<String> {
    let mut all = Vec::new();
    for width in WIDTHS {
        let mut heights = BTreeSet::new();
        for index in 0..story.len() {
            let scene = layout(&story.frame(index), width);
            heights.insert(scene.height);
            for fault in faults(&scene) {
                all.push(format!("{name} at {width}, step {}: {fault}", index + 1));
            }
        }
        if heights.len() != 1 {
            all.push(format!("{name} at {width} has heights {heights:?}"));
        }
    }
    all
}

#[test]
fn every_frame_of_every_demo_is_legible_at_every_width() {
    let mut all = Vec::new();
    for demo in demos() {
        let scenario = parse(demo.text).expect("a demo is well-formed");
        let mut story = Story::run(&scenario, &InputValues::defaults()).expect("a demo runs");
        all.extend(check(demo.id, &mut story));
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

#[test]
fn what_a_demo_offers_to_try_is_legible_too() {
    let mut all = Vec::new();
    for demo in demos() {
        let scenario = parse(demo.text).expect("a demo is well-formed");
        for attempt in scenario.tries() {
            let values = attempt
                .values
                .iter()
                .fold(InputValues::defaults(), |values, (name, value)| {
                    values.with(&name.to_string(), &value.to_string())
                });
            let mut story = Story::run(&scenario, &values).expect("what is offered runs");
            all.extend(check(&format!("{} ({})", demo.id, attempt.label), &mut story));
        }
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

const PAGE: &str =
    "set segment.bytes=300B segment.ms=30s index.interval.bytes=80B retention.ms=60s max.partition.fetch.bytes=150B
set log.initial.task.delay.ms=5s log.retention.check.interval.ms=10s file.delete.delay.ms=10s
";

/// Scenarios that a lab may come to: a name, and the text.
fn lab() -> Vec<(&'static str, String)> {
    let on_page = |rest: &str| [PAGE, rest].concat();
    vec![
        ("twenty-five segments", on_page("set retention.ms=-1\nappend 60B every=2s x125\nphase read \"Read\"\nfetch 61\nfetch 3\nfind-time 100s\nappend 60B every=2s x3")),
        ("a hundred segments", on_page("set retention.ms=-1\nappend 100B every=2s x300\nphase read \"Read\"\nset retention.bytes=20000B\ncheck-retention\nfetch 290\n")),
        ("batches", on_page("format v2\nbatch 2 total=115B every=2s\nbatch 3 total=145B every=2s\nphase read \"Read\"\nbatch 4 total=160B every=2s\nfetch 4\nfind-time 3s")),
        ("real scale", "append 1000B every=1s x200\nphase read \"Read\"\nappend 1000B every=1s x2\nfetch 150\nfind-time 100s\nwait 8d\n".to_string()),
        ("many small records", on_page("set segment.bytes=100KiB index.interval.bytes=4KiB segment.ms=7d retention.ms=7d\nappend 40B every=1ms x1500\nphase read \"Read\"\nfetch 1123\nfind-time 945ms\nappend 40B every=1ms x2")),
        ("an entry for every record", on_page("set index.interval.bytes=0\nappend 50B every=2s x14\nphase read \"Read\"\nfetch 9\nfind-time 17s\nappend 50B every=2s x3")),
        ("a high watermark below the end", on_page("append 50B every=2s x14\nhigh-watermark 4\nphase read \"Read\"\nfetch 9\nat 80s\nhigh-watermark follow\nat 100s")),
        ("nothing at all", on_page("phase wait \"Wait\"\nwait 1h\nfetch 0\nfind-time 1s\nfetch 7")),
        ("delete-records", on_page("append 50B every=2s x14\ncommit 2\nphase delete \"Delete\"\ndelete-records 8\ncheck-retention\nfetch committed\nreset none\nfetch committed")),
        ("no timestamps", on_page("append 50B ts=none x7\nphase go \"Go\"\nappend 50B ts=none\nfind-time 1s\nat 90s\nat 200s")),
        ("odd milliseconds", on_page("set retention.ms=12345ms\nappend 50B every=1234ms x14\nphase go \"Go\"\nfind-time 8765ms\nat 33333ms\nappend 55B every=777ms x3")),
        ("a date", ["clock 2026-03-03T23:59Z\n", PAGE, "append 60B every=2s x25\nphase go \"Go\"\nappend 60B every=2s x6\nfind-time 23:59:20\nfetch 12\nat 2026-03-04T00:02:10.500\nat 2026-03-04T00:03"].concat()),
        ("days and hours", "clock 2026-03-03T09:00Z\nset segment.bytes=300B retention.ms=3d\nappend 60B every=51m x12\nphase go \"Go\"\nappend 60B ts=2026-03-01T10:00:30\nfind-time 13:00\nwait 51h\nat 2026-03-07\n".to_string()),
        ("large records", on_page("set segment.bytes=1MiB max.message.bytes=2MiB\nappend 300KiB every=2s x7\nphase go \"Go\"\nappend 1MiB every=2s\nfetch 3 max=1KiB\nset retention.bytes=1MiB\ncheck-retention")),
    ]
}

#[test]
fn what_a_lab_comes_to_is_legible_too() {
    let mut all = Vec::new();
    for (name, text) in lab() {
        let scenario = parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut story =
            Story::run(&scenario, &InputValues::defaults()).unwrap_or_else(|error| panic!("{name}: {error}"));
        all.extend(check(name, &mut story));
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}
