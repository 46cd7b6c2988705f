//! `pod render`.

use std::io::Write;
use std::path::Path;

use partition_figure::{layout, svg};
use partition_story::{Frame, Story};

use crate::args::{Render, Source, Theme};
use crate::directory;
use crate::failure::Failure;

/// Draws one step of a scenario, or a directory.
pub fn run(args: &Render, out: &mut impl Write) -> Result<(), Failure> {
    let frame = frame(args)?;
    let theme = match args.theme {
        Theme::Light => partition_figure::Theme::Light,
        Theme::Dark => partition_figure::Theme::Dark,
    };
    let mut picture = svg(&layout(&frame, args.width), theme);
    if !picture.ends_with('\n') {
        picture.push('\n');
    }
    match &args.output {
        Some(path) => std::fs::write(path, picture)?,
        None => out.write_all(picture.as_bytes())?,
    }
    Ok(())
}

/// What is drawn.
fn frame(args: &Render) -> Result<Frame, Failure> {
    let misplaced = |flag: &str, of: &str| Failure::Argument(format!("{flag}: {} is {of}, which has none", args.name));
    let directory = Path::new(&args.name);
    if directory.is_dir() {
        return match (&args.step, args.inputs.is_empty()) {
            (Some(_), _) => Err(misplaced("--step", "a directory")),
            (None, false) => Err(misplaced("--input", "a directory")),
            (None, true) => {
                let partition = directory::open(directory, &args.settings, args.now)?;
                Ok(Frame::still(partition.state()))
            }
        };
    }
    if !args.settings.is_empty() {
        return Err(Failure::Argument(format!(
            "--set: {} is no directory; a scenario says `set`",
            args.name
        )));
    }
    if args.now.is_some() {
        return Err(Failure::Argument(format!(
            "--now: {} is no directory; a scenario has its own clock",
            args.name
        )));
    }
    let source = Source {
        name: args.name.clone(),
        inputs: args.inputs.clone(),
    };
    let mut story = source.load()?.story;
    let step = args.step.as_ref().ok_or_else(|| {
        Failure::Argument(format!(
            "say which step to draw: --step with a number from 1 to {}, or @ and the id of a phase",
            story.len()
        ))
    })?;
    let index = step_index(&story, step).map_err(Failure::Argument)?;
    Ok(story.frame(index))
}

/// The index, from 0, of a step that is named by its number from 1 or by its phase.
pub fn step_index(story: &Story, step: &str) -> Result<usize, String> {
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
