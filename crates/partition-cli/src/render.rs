//! `pod render`.

use std::io::Write;

use partition_figure::{layout, svg};
use partition_story::Story;

use crate::args::{Render, Theme};
use crate::failure::Failure;

/// Draws one step of a scenario.
pub fn run(args: &Render, out: &mut impl Write) -> Result<(), Failure> {
    let mut loaded = args.source.load()?;
    let index = step_index(&loaded.story, &args.step).map_err(Failure::Argument)?;
    let theme = match args.theme {
        Theme::Light => partition_figure::Theme::Light,
        Theme::Dark => partition_figure::Theme::Dark,
    };
    let mut picture = svg(&layout(&loaded.story.frame(index), args.width), theme);
    if !picture.ends_with('\n') {
        picture.push('\n');
    }
    match &args.output {
        Some(path) => std::fs::write(path, picture)?,
        None => out.write_all(picture.as_bytes())?,
    }
    Ok(())
}

/// The index, from 0, of a step that is named by its number from 1 or by its phase.
fn step_index(story: &Story, step: &str) -> Result<usize, String> {
    if let Some(id) = step.strip_prefix('@') {
        let phase = story.phases().iter().find(|phase| phase.id == id);
        return phase.map(|phase| phase.first).ok_or_else(|| {
            let ids: Vec<String> = story.phases().iter().map(|phase| format!("@{}", phase.id)).collect();
            match ids.as_slice() {
                [] => format!(
                    "--step {step}: this scenario has no phases, expected a number from 1 to {}",
                    story.len()
                ),
                ids => format!(
                    "--step {step}: there is no such phase, expected one of {}",
                    ids.join(", ")
                ),
            }
        });
    }
    match step.parse::<usize>() {
        Ok(number) if (1..=story.len()).contains(&number) => Ok(number - 1),
        _ => Err(format!(
            "--step {step}: expected a number from 1 to {}, or @ and the id of a phase",
            story.len()
        )),
    }
}
