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
    /// What else differs from the step before, as a JSON object; "" if nothing does.
    pub changes: String,
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
    json.list(steps, |json, step| {
        json.raw("[");
        json.text(&sentence(&step.sentence));
        if !step.changes.is_empty() {
            json.raw(",");
            json.raw(&step.changes);
        }
        json.raw("]");
    });
}
