//! A recording holds what was recorded: read back by the rules that the page's reader documents.

use std::collections::BTreeMap;

use partition_figure::recording::{Demo, Step, encode};
use partition_figure::scene::{Anchor, Node};
use partition_figure::{Scene, layout};
use partition_story::{InputValues, Story, demos, parse};
use serde_json::Value;

const WIDTHS: [u32; 3] = [328, 704, 1160];

/// The fields of a node in the order of the file: key, numbers, texts.
type Fields = (String, [i64; 5], [String; 11]);

/// Signs of a text that mean themselves.
fn itself(text: &str) -> String {
    let sign = |sign: char| match "~|^#{}[]".contains(sign) {
        true => char::from_u32(0xe000 + sign as u32).expect("in the private use area"),
        false => sign,
    };
    text.chars().map(sign).collect()
}

fn fields(node: &Node) -> Fields {
    let spans = node.spans.iter().map(|span| match span.class {
        "" => itself(&span.text),
        class => format!("{}^{class}", itself(&span.text)),
    });
    let anchor = if node.anchor == Anchor::Start {
        ""
    } else {
        node.anchor.name()
    };
    (
        itself(&node.key),
        [node.x, node.y, node.w, node.h, node.rx].map(i64::from),
        [
            itself(&node.parent),
            node.kind.name().to_string(),
            node.class.to_string(),
            node.d.clone(),
            anchor.to_string(),
            spans.collect::<Vec<_>>().join("|"),
            node.role.map_or("", |role| role.name()).to_string(),
            itself(&node.label),
            node.enter.map_or("", |enter| enter.name()).to_string(),
            itself(&node.from),
            if node.fades { "fade" } else { "" }.to_string(),
        ],
    )
}

/// A state with signs for numbers in its texts, and the numbers behind each #.
#[derive(Clone, Default)]
struct Told {
    numbers: [i64; 5],
    texts: [String; 11],
    counts: [Vec<i64>; 11],
}

type Twins = BTreeMap<String, Vec<Option<Told>>>;

/// The table of each text.
const TABLES: [usize; 11] = [0, 1, 2, 3, 1, 4, 1, 5, 1, 0, 1];
const AT: usize = 0;
const MASK: usize = 1;
const KEY: usize = 2;
const OF_KEY: usize = 3;
const COUNTS: usize = 4;
const NUMBERS: usize = 5;
const TEXTS: usize = 10;

/// Reads nodes one after the other.
struct Reader {
    tables: Vec<Vec<String>>,
    unused: [usize; 6],
    columns: Vec<std::vec::IntoIter<i64>>,
    follows: BTreeMap<String, String>,
    by_pattern: BTreeMap<String, Told>,
    before: Told,
    pattern: String,
    of_key: Vec<i64>,
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn ints(value: &Value) -> Vec<i64> {
    let numbers = list(value).iter();
    numbers.map(|number| number.as_i64().expect("a whole number")).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Puts numbers in the place of a sign.
fn filled(text: &str, sign: char, numbers: &[i64]) -> String {
    let mut parts = text.split(sign);
    let mut out = parts.next().unwrap_or_default().to_string();
    for (part, number) in parts.zip(numbers) {
        out += &format!("{number}{part}");
    }
    out
}

impl Reader {
    fn new(file: &Value) -> Reader {
        let table = |table: &Value| text(table).split('~').map(str::to_string).collect();
        let columns = list(&file["columns"]).iter();
        Reader {
            tables: list(&file["tables"]).iter().map(table).collect(),
            unused: [0; 6],
            columns: columns.map(|column| ints(column).into_iter()).collect(),
            follows: BTreeMap::new(),
            by_pattern: BTreeMap::new(),
            before: Told::default(),
            pattern: String::new(),
            of_key: Vec::new(),
        }
    }

    fn take(&mut self, column: usize) -> i64 {
        self.columns[column].next().expect("the column goes on")
    }

    fn entry(&mut self, table: usize, code: i64, first: i64) -> String {
        if code == 0 {
            self.unused[table] += 1;
            return self.tables[table][self.unused[table] - 1].clone();
        }
        self.tables[table][usize::try_from(code - first).expect("a place")].clone()
    }

    /// The pattern of a key becomes the latest; returns its numbers.
    fn key(&mut self) -> Vec<i64> {
        let code = self.take(KEY);
        let pattern = match code {
            1 => self.follows[&self.pattern].clone(),
            code => self.entry(0, code, 2),
        };
        let last = std::mem::replace(&mut self.pattern, pattern.clone());
        self.follows.insert(last, pattern.clone());
        let places = pattern.matches('#').count();
        self.of_key.resize(self.of_key.len().max(places), 0);
        for place in 0..places {
            self.of_key[place] += self.take(OF_KEY);
        }
        self.of_key[..places].to_vec()
    }

    fn state(&mut self, mask: i64, numbers: [i64; 5], expected: &Told) -> Told {
        let mut told = Told {
            numbers,
            ..expected.clone()
        };
        for field in 0..5 {
            if mask & (1 << field) != 0 {
                told.numbers[field] += self.take(NUMBERS + field);
            }
        }
        for (field, table) in TABLES.into_iter().enumerate() {
            if mask & (32 << field) == 0 {
                continue;
            }
            let code = self.take(TEXTS + field);
            if code != 2 {
                told.counts[field].clear();
                told.texts[field] = if code == 1 {
                    String::new()
                } else {
                    self.entry(table, code, 3)
                };
            }
            let places = told.texts[field].matches('#').count();
            told.counts[field].resize(places, 0);
            for place in 0..places {
                told.counts[field][place] += self.take(COUNTS);
            }
        }
        told
    }

    /// What one node is in each frame.
    fn node(&mut self, frames: usize, twins: &Twins, own: &mut Twins) -> Vec<Option<Fields>> {
        let of_key = self.key();
        let key = filled(&self.pattern, '#', &of_key);
        let mut name = key.clone();
        while own.contains_key(&name) {
            name.push('+');
        }
        let twin = twins.get(&name).cloned().unwrap_or_default();
        let alike = self.by_pattern.get(&self.pattern).unwrap_or(&self.before).clone();
        let mut states: Vec<Option<Told>> = Vec::new();
        let mut shown = vec![None; frames];
        let mut last: Option<Told> = None;
        let mut frame = self.take(AT) as usize;
        loop {
            let mask = self.take(MASK);
            let state = (mask >= 0).then(|| {
                let twin = |rank: usize| twin.get(rank).and_then(Option::as_ref);
                let (now, then) = (twin(states.len()), states.len().checked_sub(1).and_then(twin));
                let expected = now.or(last.as_ref()).unwrap_or(&alike).clone();
                let mut numbers = last.as_ref().map_or(expected.numbers, |last| last.numbers);
                if let (Some(_), Some(now), Some(then)) = (&last, now, then) {
                    for (field, number) in numbers.iter_mut().enumerate() {
                        *number += now.numbers[field] - then.numbers[field];
                    }
                }
                self.state(mask, numbers, &expected)
            });
            let fields = state.as_ref().map(|told| {
                let mut texts = told.texts.clone();
                for (field, text) in texts.iter_mut().enumerate() {
                    *text = filled(text, '#', &told.counts[field]);
                    for (sign, number) in "{}[]".chars().zip(&of_key) {
                        *text = text.replace(sign, &number.to_string());
                    }
                }
                (key.clone(), told.numbers, texts)
            });
            if let Some(told) = &state {
                if states.is_empty() {
                    self.by_pattern.insert(self.pattern.clone(), told.clone());
                    self.before = told.clone();
                }
                last = Some(told.clone());
            }
            states.push(state);
            let wait = self.take(AT) as usize;
            shown[frame..].fill(fields);
            if wait == 0 {
                own.insert(name, states);
                return shown;
            }
            frame += wait;
        }
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
        let mut twins = Twins::new();
        for ((width, scenes), read) in demo.scenes.iter().zip(list(&read["scenes"])) {
            let [read_width, height, count] = ints(read)[..] else {
                panic!("a scene has a width, a height and a number of nodes")
            };
            assert_eq!((read_width, height), (i64::from(*width), i64::from(scenes[0].height)));
            let mut own = Twins::new();
            let lives: Vec<_> = (0..count)
                .map(|_| reader.node(scenes.len(), &twins, &mut own))
                .collect();
            for (frame, scene) in scenes.iter().enumerate() {
                let nodes: Vec<&Fields> = lives.iter().filter_map(|life| life[frame].as_ref()).collect();
                let expected: Vec<Fields> = scene.nodes.iter().map(fields).collect();
                assert_eq!(nodes, expected.iter().collect::<Vec<_>>(), "{} at {width}", demo.info);
            }
            if twins.is_empty() {
                twins = own;
            }
        }
    }
    for (table, unused) in reader.tables.iter().zip(reader.unused) {
        assert_eq!(table.len(), unused, "every text is used");
    }
    assert!(
        reader.columns.iter_mut().all(|column| column.next().is_none()),
        "every column is used up"
    );
}

#[test]
fn a_step_has_its_sentence_and_what_changes() {
    let step = Step {
        sentence: vec![
            ("Offset ".to_string(), String::new()),
            ("9".to_string(), "touched".to_string()),
            (" | \"four\"\u{1}".to_string(), String::new()),
        ],
        changes: "{\"title\":\"four segments\"}".to_string(),
    };
    let again = Step {
        sentence: vec![("Then".to_string(), String::new())],
        ..Step::default()
    };
    let demo = Demo {
        info: "{}".to_string(),
        outline: "{}".to_string(),
        steps: vec![step, again],
        scenes: Vec::new(),
    };
    let catalog = [("find-offset".to_string(), "Find offset 9".to_string())];
    let file: Value = serde_json::from_str(&encode(&catalog, &[demo])).expect("JSON");
    assert_eq!(file["catalog"], serde_json::json!([["find-offset", "Find offset 9"]]));
    let steps = serde_json::json!([
        ["Offset |9^touched| \u{e07c} \"four\"\u{1}", { "title": "four segments" }],
        ["Then"]
    ]);
    assert_eq!(file["demos"][0]["steps"], steps);
}
