//! Recordings: demos played at build time, so that the page answers before any WebAssembly has arrived.
//!
//! The form is documented, and read, by the page's `www/src/recording.ts`. In short: a scene is told node by node instead
//! of frame by frame; a node's states stand in columns, one a field, and say only what is not expected from the node's
//! state before, from the same node at another width, or from the latest node with a key of the same pattern; texts stand
//! in tables, with their numbers left open. Columns of small numbers are what Brotli packs best: about a quarter of the
//! same nodes as JSON objects.

mod json;
mod rows;
mod text;
mod timeline;

use self::json::Json;
use self::rows::{Rows, Twins};
use crate::scene::Scene;

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
        let mut twins = Twins::new();
        json.list(&demo.scenes, |json, (width, scenes)| {
            let lives = timeline::lives(scenes.iter().map(|scene| scene.nodes.as_slice()));
            let own = rows.write(&lives, &twins);
            if twins.is_empty() {
                twins = own;
            }
            let height = scenes.first().map_or(0, |scene| scene.height);
            json.numbers(&[i64::from(*width), i64::from(height), lives.len() as i64]);
        });
        json.raw("}");
    });
    let mut file = Json::default();
    file.raw("{\"v\":2,\"catalog\":");
    file.list(catalog, |json, (id, title)| {
        json.raw("[");
        json.text(id);
        json.raw(",");
        json.text(title);
        json.raw("]");
    });
    file.raw(",\"tables\":");
    file.list(&rows.tables(), |json, table| json.text(table));
    file.raw(",\"columns\":");
    file.list(&rows.columns(), |json, column| json.numbers(column));
    file.raw(",\"demos\":");
    file.raw(&body.out);
    file.raw("}");
    file.out
}

/// A sentence as one text.
fn sentence(spans: &[Piece]) -> String {
    text::pieces(spans.iter().map(|(text, class)| (text.as_str(), class.as_str())))
}

fn steps(json: &mut Json, steps: &[Step]) {
    let mut before = Step::default();
    let mut first = true;
    json.list(steps, |json, step| {
        let mut fields = vec![Json::of(|json| json.text(&sentence(&step.sentence)))];
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
        json.text(&sentence(answer));
        json.raw("]");
    });
}
