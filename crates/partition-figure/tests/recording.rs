//! A recording holds what was recorded: read back by the rules that the page's reader documents.

use std::collections::BTreeMap;

use partition_figure::recording::{Demo, Panel, Step, encode};
use partition_figure::scene::{Anchor, Node};
use partition_figure::{Scene, layout};
use partition_story::{InputValues, Story, demos, parse};
use serde_json::Value;

const WIDTHS: [u32; 3] = [328, 704, 1160];

/// The fields of a node in the order of the file: numbers, then strings.
type Fields = (String, [i64; 5], [String; 11]);

fn fields(node: &Node) -> Fields {
    let spans = node.spans.iter().map(|span| match span.class {
        "" => span.text.clone(),
        class => format!("{}\t{class}", span.text),
    });
    let anchor = if node.anchor == Anchor::Start {
        ""
    } else {
        node.anchor.name()
    };
    (
        node.key.clone(),
        [node.x, node.y, node.w, node.h, node.rx].map(i64::from),
        [
            node.parent.clone(),
            node.kind.name().to_string(),
            node.class.to_string(),
            node.d.clone(),
            anchor.to_string(),
            spans.collect::<Vec<_>>().join("\n"),
            node.role.map_or("", |role| role.name()).to_string(),
            node.label.clone(),
            node.enter.map_or("", |enter| enter.name()).to_string(),
            node.from.clone(),
            if node.fades { "fade" } else { "" }.to_string(),
        ],
    )
}

/// Reads rows one after the other.
struct Reader {
    strings: Vec<String>,
    mask: Vec<i64>,
    key: Vec<i64>,
    columns: Vec<std::vec::IntoIter<i64>>,
    row: usize,
    unused: usize,
    latest: BTreeMap<String, Fields>,
    before: Fields,
}

fn ints(value: &Value) -> Vec<i64> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(|number| number.as_i64().expect("a whole number"))
        .collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

impl Reader {
    fn new(file: &Value) -> Reader {
        let columns = list(&file["nums"])
            .iter()
            .chain(list(&file["strs"]))
            .map(|column| ints(column).into_iter());
        Reader {
            strings: list(&file["strings"])
                .iter()
                .map(|text| text.as_str().expect("a string").to_string())
                .collect(),
            mask: ints(&file["mask"]),
            key: ints(&file["key"]),
            columns: columns.collect(),
            row: 0,
            unused: 0,
            latest: BTreeMap::new(),
            before: Fields::default(),
        }
    }

    fn text(&mut self, value: i64) -> String {
        match value {
            0 => {
                self.unused += 1;
                self.strings[self.unused - 1].clone()
            }
            1 => String::new(),
            place => self.strings[place as usize - 2].clone(),
        }
    }

    fn next(&mut self, stands_for: Option<&str>) -> Fields {
        let (mask, code) = (self.mask[self.row], self.key[self.row]);
        self.row += 1;
        let key = if code == 1 {
            stands_for.expect("it stands for a node").to_string()
        } else {
            self.text(code)
        };
        let mut fields = self.latest.get(&key).unwrap_or(&self.before).clone();
        fields.0 = key.clone();
        for field in 0..16 {
            if mask & (1 << field) == 0 {
                continue;
            }
            let value = self.columns[field].next().expect("the column goes on");
            if field < 5 {
                fields.1[field] = self.before.1[field] + value;
            } else {
                fields.2[field - 5] = self.text(value);
            }
        }
        self.before = fields.clone();
        self.latest.insert(key, fields.clone());
        fields
    }

    fn frame(&mut self, before: &[Fields], splices: &[i64]) -> Vec<Fields> {
        let mut after = Vec::new();
        let mut at = 0;
        for splice in splices.chunks(3) {
            let (skip, drop, take) = (splice[0] as usize, splice[1] as usize, splice[2] as usize);
            after.extend_from_slice(&before[at..at + skip]);
            at += skip;
            for index in 0..take {
                let stands_for = (index < drop).then(|| before[at + index].0.clone());
                after.push(self.next(stands_for.as_deref()));
            }
            at += drop;
        }
        after.extend_from_slice(&before[at..]);
        after
    }
}

fn record(id: &str, text: &str) -> Demo {
    let scenario = parse(text).expect("a demo is well-formed");
    let mut story = Story::run(&scenario, &InputValues::defaults()).expect("a demo runs");
    let frames: Vec<_> = (0..story.len()).map(|index| story.frame(index)).collect();
    let scenes = WIDTHS.map(|width| {
        (
            width,
            frames.iter().map(|frame| layout(frame, width)).collect::<Vec<Scene>>(),
        )
    });
    let steps = frames.iter().map(|frame| Step {
        sentence: frame
            .sentence
            .spans
            .iter()
            .map(|span| (span.text.clone(), String::new()))
            .collect(),
        command: frame.command.clone(),
        ..Step::default()
    });
    Demo {
        info: format!("{{\"id\":\"{id}\"}}"),
        outline: "{}".to_string(),
        steps: steps.collect(),
        scenes: scenes.to_vec(),
    }
}

#[test]
fn every_scene_comes_back_as_it_was() {
    let recorded: Vec<Demo> = demos().iter().map(|demo| record(demo.id, demo.text)).collect();
    let file: Value = serde_json::from_str(&encode(&[], &recorded)).expect("JSON");
    let mut reader = Reader::new(&file);
    for (demo, read) in recorded.iter().zip(list(&file["demos"])) {
        for ((width, scenes), read) in demo.scenes.iter().zip(list(&read["scenes"])) {
            assert_eq!(read["width"], *width);
            assert_eq!(read["height"], scenes[0].height);
            let mut nodes = Vec::new();
            for (scene, splices) in scenes.iter().zip(list(&read["frames"])) {
                nodes = reader.frame(&nodes, &ints(splices));
                assert_eq!(nodes, scene.nodes.iter().map(fields).collect::<Vec<_>>());
            }
        }
    }
    assert_eq!(reader.row, reader.mask.len(), "every row is used");
    assert_eq!(reader.unused, reader.strings.len(), "every string is used");
    assert!(
        reader.columns.iter_mut().all(|column| column.next().is_none()),
        "every column is used up"
    );
}

#[test]
fn a_step_says_only_what_is_new() {
    let step = Step {
        sentence: vec![
            ("Offset ".to_string(), String::new()),
            ("9".to_string(), "touched".to_string()),
        ],
        command: "fetch 9".to_string(),
        title: "\"four\" segments\u{1}".to_string(),
        numbers: vec![("Log size".to_string(), "680 B".to_string(), Some("950 B".to_string()))],
        panel: Some(Panel {
            key: "record/9".to_string(),
            title: "Record 9".to_string(),
            sections: vec![(String::new(), vec![["150", "09", "offset", "9", ""].map(String::from)])],
            map: vec![("framing".to_string(), 34, "frame".to_string())],
            ..Panel::default()
        }),
        files: vec![("0.log".to_string(), 270, 1)],
        picks: vec![("segment/6".to_string(), true, vec![("Yes".to_string(), String::new())])],
    };
    let again = Step {
        sentence: vec![("Then".to_string(), String::new())],
        picks: Vec::new(),
        ..step.clone()
    };
    let last = Step {
        panel: None,
        ..again.clone()
    };
    let demo = Demo {
        info: "{}".to_string(),
        outline: "{}".to_string(),
        steps: vec![step, again, last],
        scenes: Vec::new(),
    };
    let catalog = [("find-offset".to_string(), "Find offset 9".to_string())];
    let file: Value = serde_json::from_str(&encode(&catalog, &[demo])).expect("JSON");
    assert_eq!(file["catalog"], serde_json::json!([["find-offset", "Find offset 9"]]));
    let steps = serde_json::json!([
        [
            "Offset \n9\ttouched",
            "fetch 9",
            "\"four\" segments\u{1}",
            [["Log size", "680 B", "950 B"]],
            [
                "record/9",
                "Record 9",
                "",
                "",
                [["", [["150", "09", "offset", "9"]]]],
                [["framing", 34, "frame"]]
            ],
            [["0.log", 270, 1]],
            [["segment/6", 1, "Yes"]]
        ],
        ["Then"],
        ["Then", 0, 0, 0, 1]
    ]);
    assert_eq!(file["demos"][0]["steps"], steps);
}
