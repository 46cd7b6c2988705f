//! Recordings: demos played at build time, so that the page answers before any WebAssembly has arrived.
//!
//! The form is documented, and read, by the page's `www/src/recording.ts`. In short: every state of every node is one
//! *row*, held in columns (one of masks, one of keys, five of numbers, eleven of strings); a row says only what differs
//! from the node's row before, numbers as differences from the row just before, and strings by their place in one list.
//! A frame is a list of splices over the nodes of the frame before it. Columns of small numbers are what Brotli packs
//! best: about a third of the same nodes as JSON objects.

use std::collections::BTreeMap;

use crate::metrics::digits;
use crate::scene::{Anchor, Node, Scene, Span};

/// One demo to record.
#[derive(Clone, Debug, Default)]
pub struct Demo {
    /// What the list of demos says of it, as JSON.
    pub info: String,
    /// Its phases and files, as JSON.
    pub outline: String,
    /// Its steps without pictures.
    pub steps: Vec<Step>,
    /// Its pictures: a width in px, and one scene a step.
    pub scenes: Vec<(u32, Vec<Scene>)>,
}

/// A piece of a sentence: its text, and its class or "".
pub type Piece = (String, String);

/// What a step says beside its picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The sentence.
    pub sentence: Vec<Piece>,
    /// The command.
    pub command: String,
    /// Title of its scene.
    pub title: String,
    /// Label, value, and the value before the step where it changed.
    pub numbers: Vec<(String, String, Option<String>)>,
    /// What the inspector shows.
    pub panel: Option<Panel>,
    /// Name, size in bytes, and state: 0 live, 1 deleted, 2 not created.
    pub files: Vec<(String, u64, u8)>,
    /// Key, whether it is the right one, and what to say of it.
    pub picks: Vec<(String, bool, Vec<Piece>)>,
}

/// What the inspector shows of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panel {
    /// What it is about.
    pub key: String,
    /// Its title.
    pub title: String,
    /// The line below the title.
    pub subtitle: String,
    /// A size, or "".
    pub size: String,
    /// A title or "", and rows of position, bytes in hex, name, value and answer; each may be "".
    pub sections: Vec<(String, Vec<[String; 5]>)>,
    /// Label, length in bytes and class of the parts of a thing to scale.
    pub map: Vec<(String, u64, String)>,
}

/// Writes a file that holds some demos; `catalog` lists the ids and titles of all there are.
pub fn encode(catalog: &[(String, String)], demos: &[Demo]) -> String {
    let mut rows = Rows::default();
    let mut body = Json::default();
    body.list(demos, |json, demo| {
        json.raw("{\"info\":");
        json.raw(&demo.info);
        json.raw(",\"outline\":");
        json.raw(&demo.outline);
        json.raw(",\"steps\":");
        steps(json, &demo.steps);
        json.raw(",\"scenes\":");
        json.list(&demo.scenes, |json, (width, scenes)| {
            json.raw("{\"width\":");
            json.number(i64::from(*width));
            json.raw(",\"height\":");
            json.number(scenes.first().map_or(0, |scene| i64::from(scene.height)));
            json.raw(",\"frames\":");
            let mut frames = Vec::new();
            let mut before: &[Node] = &[];
            for scene in scenes {
                frames.push(rows.frame(before, &scene.nodes));
                before = &scene.nodes;
            }
            json.list(&frames, |json, splices| json.numbers(splices));
            json.raw("}");
        });
        json.raw("}");
    });
    let mut file = Json::default();
    file.raw("{\"v\":1,\"catalog\":");
    file.list(catalog, |json, (id, title)| {
        json.raw("[");
        json.text(id);
        json.raw(",");
        json.text(title);
        json.raw("]");
    });
    file.raw(",\"strings\":");
    file.list(&rows.strings, |json, text| json.text(text));
    file.raw(",\"mask\":");
    file.numbers(&rows.mask);
    file.raw(",\"key\":");
    file.numbers(&rows.key);
    file.raw(",\"nums\":");
    file.list(&rows.nums, |json, column| json.numbers(column));
    file.raw(",\"strs\":");
    file.list(&rows.strs, |json, column| json.numbers(column));
    file.raw(",\"demos\":");
    file.raw(&body.out);
    file.raw("}");
    file.out
}

const NUMBERS: usize = 5;
const STRINGS: usize = 11;

/// The fields of one row.
#[derive(Clone, Debug, Default)]
struct Row {
    numbers: [i64; NUMBERS],
    strings: [String; STRINGS],
}

impl Row {
    fn of(node: &Node) -> Row {
        let numbers = [node.x, node.y, node.w, node.h, node.rx].map(i64::from);
        let anchor = if node.anchor == Anchor::Start {
            ""
        } else {
            node.anchor.name()
        };
        let strings = [
            node.parent.clone(),
            node.kind.name().to_string(),
            node.class.to_string(),
            node.d.clone(),
            anchor.to_string(),
            spans(&node.spans),
            node.role.map_or("", |role| role.name()).to_string(),
            node.label.clone(),
            node.enter.map_or("", |enter| enter.name()).to_string(),
            node.from.clone(),
            if node.fades { "fade" } else { "" }.to_string(),
        ];
        Row { numbers, strings }
    }
}

/// Spans as one string.
fn spans(spans: &[Span]) -> String {
    let pieces: Vec<Piece> = spans
        .iter()
        .map(|span| (span.text.clone(), span.class.to_string()))
        .collect();
    pieces_of(&pieces)
}

fn pieces_of(pieces: &[Piece]) -> String {
    let mut out = String::new();
    for (index, (text, class)) in pieces.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out.push_str(text);
        if !class.is_empty() {
            out.push('\t');
            out.push_str(class);
        }
    }
    out
}

/// All rows so far, in columns.
#[derive(Debug, Default)]
struct Rows {
    strings: Vec<String>,
    places: BTreeMap<String, i64>,
    mask: Vec<i64>,
    key: Vec<i64>,
    nums: [Vec<i64>; NUMBERS],
    strs: [Vec<i64>; STRINGS],
    latest: BTreeMap<String, Row>,
    before: Row,
}

impl Rows {
    /// The number that stands for a string: 0 for the next new one, 1 for "", otherwise its place plus 2.
    fn string(&mut self, text: &str) -> i64 {
        if text.is_empty() {
            return 1;
        }
        if let Some(&place) = self.places.get(text) {
            return place + 2;
        }
        self.places.insert(text.to_string(), self.strings.len() as i64);
        self.strings.push(text.to_string());
        0
    }

    fn add(&mut self, node: &Node, stands_for: Option<&str>) {
        let row = Row::of(node);
        let key = if stands_for == Some(node.key.as_str()) {
            1
        } else {
            self.string(&node.key)
        };
        self.key.push(key);
        let reference = self.latest.get(&node.key).unwrap_or(&self.before).clone();
        let mut mask = 0;
        for field in 0..NUMBERS {
            if row.numbers[field] != reference.numbers[field] {
                mask |= 1 << field;
                self.nums[field].push(row.numbers[field] - self.before.numbers[field]);
            }
        }
        for field in 0..STRINGS {
            if row.strings[field] != reference.strings[field] {
                mask |= 1 << (NUMBERS + field);
                let place = self.string(&row.strings[field]);
                self.strs[field].push(place);
            }
        }
        self.mask.push(mask);
        self.latest.insert(node.key.clone(), row.clone());
        self.before = row;
    }

    /// The splices that lead from one list of nodes to the next.
    fn frame(&mut self, before: &[Node], after: &[Node]) -> Vec<i64> {
        let mut splices = Vec::new();
        let mut skip = 0;
        let (mut from, mut to) = (0, 0);
        while from < before.len() || to < after.len() {
            if from < before.len() && to < after.len() && before[from] == after[to] {
                (from, to, skip) = (from + 1, to + 1, skip + 1);
                continue;
            }
            let (drop, take) = difference(&before[from..], &after[to..]);
            splices.extend([skip, drop as i64, take as i64]);
            skip = 0;
            for index in 0..take {
                let stands_for = (index < drop).then(|| before[from + index].key.as_str());
                self.add(&after[to + index], stands_for);
            }
            (from, to) = (from + drop, to + take);
        }
        splices
    }
}

/// How many nodes to drop and to take until both lists go on with the same node again, where both begin with a
/// difference. The shortest such stretch that keeps nodes of the same key together.
fn difference(before: &[Node], after: &[Node]) -> (usize, usize) {
    for reach in 1..=before.len() + after.len() {
        // Equal stretches first: a node that changed in place.
        let mut pairs: Vec<(usize, usize)> = (0..=reach).map(|drop| (drop, reach - drop)).collect();
        pairs.sort_by_key(|(drop, take)| drop.abs_diff(*take));
        for (drop, take) in pairs {
            if drop > before.len() || take > after.len() {
                continue;
            }
            match (before.get(drop), after.get(take)) {
                (Some(old), Some(new)) if old == new => return (drop, take),
                // The next nodes differ, but are the same thing: the stretch may end here, and another begin.
                (Some(old), Some(new)) if old.key == new.key && drop + take > 0 => return (drop, take),
                (None, None) => return (drop, take),
                _ => {}
            }
        }
    }
    (before.len(), after.len())
}

fn steps(json: &mut Json, steps: &[Step]) {
    let mut before = Step::default();
    let mut first = true;
    json.list(steps, |json, step| {
        let mut fields = vec![Json::of(|json| json.text(&pieces_of(&step.sentence)))];
        let same = |same: bool, json: Json| {
            if same && !first {
                Json::of(|zero| zero.raw("0"))
            } else {
                json
            }
        };
        fields.push(same(
            step.command == before.command,
            Json::of(|json| json.text(&step.command)),
        ));
        fields.push(same(
            step.title == before.title,
            Json::of(|json| json.text(&step.title)),
        ));
        fields.push(same(
            step.numbers == before.numbers,
            Json::of(|json| numbers(json, &step.numbers)),
        ));
        fields.push(same(
            step.panel == before.panel,
            Json::of(|json| panel(json, step.panel.as_ref())),
        ));
        fields.push(same(
            step.files == before.files,
            Json::of(|json| files(json, &step.files)),
        ));
        fields.push(Json::of(|json| {
            if step.picks.is_empty() {
                json.raw("0")
            } else {
                picks(json, &step.picks)
            }
        }));
        while fields.last().is_some_and(|field| field.out == "0") {
            fields.pop();
        }
        json.list(&fields, |json, field| json.raw(&field.out));
        before = step.clone();
        first = false;
    });
}

fn numbers(json: &mut Json, numbers: &[(String, String, Option<String>)]) {
    json.list(numbers, |json, (label, value, was)| {
        json.raw("[");
        json.text(label);
        json.raw(",");
        json.text(value);
        if let Some(was) = was {
            json.raw(",");
            json.text(was);
        }
        json.raw("]");
    });
}

fn panel(json: &mut Json, panel: Option<&Panel>) {
    let Some(panel) = panel else {
        return json.raw("1");
    };
    json.raw("[");
    for text in [&panel.key, &panel.title, &panel.subtitle, &panel.size] {
        json.text(text);
        json.raw(",");
    }
    json.list(&panel.sections, |json, (title, rows)| {
        json.raw("[");
        json.text(title);
        json.raw(",");
        json.list(rows, |json, row| {
            let fields = if row[4].is_empty() { &row[..4] } else { &row[..] };
            json.list(fields, |json, field| json.text(field));
        });
        json.raw("]");
    });
    if !panel.map.is_empty() {
        json.raw(",");
        json.list(&panel.map, |json, (label, length, class)| {
            json.raw("[");
            json.text(label);
            json.raw(",");
            json.number(*length as i64);
            json.raw(",");
            json.text(class);
            json.raw("]");
        });
    }
    json.raw("]");
}

fn files(json: &mut Json, files: &[(String, u64, u8)]) {
    json.list(files, |json, (name, size, state)| {
        json.raw("[");
        json.text(name);
        json.raw(",");
        json.number(*size as i64);
        json.raw(",");
        json.number(i64::from(*state));
        json.raw("]");
    });
}

fn picks(json: &mut Json, picks: &[(String, bool, Vec<Piece>)]) {
    json.list(picks, |json, (key, right, answer)| {
        json.raw("[");
        json.text(key);
        json.raw(if *right { ",1," } else { ",0," });
        json.text(&pieces_of(answer));
        json.raw("]");
    });
}

/// JSON text being written.
#[derive(Debug, Default)]
struct Json {
    out: String,
}

impl Json {
    fn of(write: impl FnOnce(&mut Json)) -> Json {
        let mut json = Json::default();
        write(&mut json);
        json
    }

    fn raw(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn number(&mut self, value: i64) {
        if value < 0 {
            self.out.push('-');
        }
        digits(&mut self.out, value.unsigned_abs());
    }

    fn numbers(&mut self, values: &[i64]) {
        self.list(values, |json, value| json.number(*value));
    }

    fn text(&mut self, text: &str) {
        self.out.push('"');
        for character in text.chars() {
            match character {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\t' => self.out.push_str("\\t"),
                '\u{0}'..='\u{1f}' => {
                    const HEX: [char; 16] = [
                        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
                    ];
                    self.out.push_str("\\u00");
                    self.out.push(HEX[character as usize / 16]);
                    self.out.push(HEX[character as usize % 16]);
                }
                _ => self.out.push(character),
            }
        }
        self.out.push('"');
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Json, &T)) {
        self.out.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            write(self, item);
        }
        self.out.push(']');
    }
}
