//! Recordings: each demo with its defaults, as the page plays it before any WebAssembly has arrived.
//!
//! The words are those that the WebAssembly gives, from the same conversions; the form is [`partition_figure::recording`].

use anyhow::{Context, Result};
use partition_figure::layout;
use partition_figure::recording::{self, Piece, Step};
use partition_story::Story;
use partition_web::{convert, views};
use serde_json::Map;

use super::demos::WIDTHS;

/// How much of a demo a recording holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// What the first frames need at one width. What the page shows of a step beside its picture and its sentence arrives
    /// later, and so does the model that it can be asked of.
    Start(u32),
    /// Everything at all widths, for a browser that refuses WebAssembly.
    Everything,
}

/// Records a demo; `info` is its row in the list of demos.
pub fn record(info: &views::DemoInfo, story: &mut Story, content: Content) -> Result<recording::Demo> {
    let mut outline = serde_json::to_value(convert::outline(&info.id, &info.title, story))?;
    let fields = outline.as_object_mut().context("an outline is an object")?;
    // The page makes them again from the steps below.
    fields.remove("steps");
    let widths = match content {
        Content::Start(width) => {
            fields.insert(String::from("files"), serde_json::json!([]));
            vec![width]
        }
        // The order is that of the reader's expectations: the widest two are most alike.
        Content::Everything => vec![WIDTHS[1], WIDTHS[2], WIDTHS[0]],
    };
    let scenes = widths.into_iter().map(|width| {
        let scenes = (0..story.len()).map(|index| layout(&story.frame(index), width));
        (width, scenes.collect())
    });
    Ok(recording::Demo {
        info: serde_json::to_string(info)?,
        outline: outline.to_string(),
        scenes: scenes.collect(),
        steps: steps(story, content)?,
    })
}

/// What the steps say beside their pictures, each without what is as in the step before.
fn steps(story: &mut Story, content: Content) -> Result<Vec<Step>> {
    let length = story.len();
    let mut before = Map::new();
    let step = |index| {
        let view = convert::step_view(story, index, WIDTHS[1]);
        let mut now = Map::new();
        now.insert(String::from("title"), view.scene.title.into());
        if content == Content::Everything {
            now.insert(String::from("command"), view.command.into());
            now.insert(String::from("numbers"), serde_json::to_value(view.numbers)?);
            now.insert(String::from("files"), serde_json::to_value(view.files)?);
            now.insert(String::from("panel"), serde_json::to_value(view.panel)?);
        }
        let mut changes = now.clone();
        changes.retain(|name, value| before.get(name) != Some(value));
        before = now;
        // A question is of one step only.
        if !view.picks.is_empty() {
            changes.insert(String::from("picks"), serde_json::to_value(view.picks)?);
        }
        Ok(Step {
            sentence: pieces(view.sentence),
            changes: if changes.is_empty() {
                String::new()
            } else {
                serde_json::to_string(&changes)?
            },
        })
    };
    (0..length).map(step).collect()
}

fn pieces(spans: Vec<views::Span>) -> Vec<Piece> {
    let piece = |span: views::Span| (span.text, span.class.unwrap_or_default());
    spans.into_iter().map(piece).collect()
}
