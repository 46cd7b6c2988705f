//! Recordings: each demo with its defaults, as the page plays it before any WebAssembly has arrived.
//!
//! The words are those that the WebAssembly gives, from the same conversions; the form is [`partition_figure::recording`].

use std::mem;

use anyhow::{Context, Result};
use partition_figure::layout;
use partition_figure::recording::{self, Panel, Piece, Step};
use partition_story::Story;
use partition_web::{convert, views};

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
pub fn record(mut info: views::DemoInfo, story: &mut Story, content: Content) -> Result<recording::Demo> {
    let mut outline = serde_json::to_value(convert::outline(&info.id, &info.title, story))?;
    let fields = outline.as_object_mut().context("an outline is an object")?;
    // The page makes them again from the steps below.
    fields.remove("steps");
    let mut steps: Vec<Step> = (0..story.len()).map(|index| step(story, index)).collect();
    let widths = match content {
        Content::Start(width) => {
            info.tries.clear();
            fields.insert(String::from("files"), serde_json::json!([]));
            for step in &mut steps {
                *step = Step {
                    sentence: mem::take(&mut step.sentence),
                    title: mem::take(&mut step.title),
                    picks: mem::take(&mut step.picks),
                    ..Step::default()
                };
            }
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
        info: serde_json::to_string(&info)?,
        outline: outline.to_string(),
        scenes: scenes.collect(),
        steps,
    })
}

/// What one step says beside its picture.
fn step(story: &mut Story, index: usize) -> Step {
    let view = convert::step_view(story, index, WIDTHS[1]);
    let number = |number: views::NumberView| (String::from(number.label), number.value, number.was);
    let file = |file: views::FileRow| {
        let state = match file.state {
            "live" => 0,
            "deleted" => 1,
            _ => 2,
        };
        (file.name, file.size, state)
    };
    Step {
        sentence: pieces(view.sentence),
        command: view.command,
        title: view.scene.title,
        numbers: view.numbers.into_iter().map(number).collect(),
        panel: view.panel.map(panel),
        files: view.files.into_iter().map(file).collect(),
        picks: view
            .picks
            .into_iter()
            .map(|pick| (pick.key, pick.right, pieces(pick.answer)))
            .collect(),
    }
}

fn pieces(spans: Vec<views::Span>) -> Vec<Piece> {
    spans
        .into_iter()
        .map(|span| {
            (
                span.text,
                span.class.map_or_else(String::new, |class| class.to_string()),
            )
        })
        .collect()
}

fn panel(panel: views::Inspection) -> Panel {
    let row = |row: views::InspectionRow| {
        [
            row.at.unwrap_or_default(),
            row.hex.unwrap_or_default(),
            row.name,
            row.value,
            row.answer.unwrap_or_default(),
        ]
    };
    let section = |section: views::InspectionSection| {
        (
            section.title.unwrap_or_default(),
            section.rows.into_iter().map(row).collect(),
        )
    };
    let part = |part: views::MapPart| (part.label, u64::from(part.length), String::from(part.class));
    Panel {
        key: panel.key,
        title: panel.title,
        subtitle: panel.subtitle,
        size: panel.size.unwrap_or_default(),
        sections: panel.sections.into_iter().map(section).collect(),
        map: panel.map.into_iter().map(part).collect(),
    }
}
