//! `pod demos`.

use std::io::Write;

use partition_story::{Demo, InputValues, Story, demos, parse};

use crate::args::Demos;
use crate::failure::Failure;

/// Lists the demos, or prints one.
pub fn run(args: &Demos, out: &mut impl Write) -> Result<(), Failure> {
    if let Some(id) = &args.id {
        let demo = Demo::find(id).ok_or_else(|| Failure::Unknown { name: id.clone() })?;
        out.write_all(demo.text.as_bytes())?;
        return Ok(());
    }
    for demo in demos() {
        let fault = |error| Failure::Scenario {
            name: demo.id.to_string(),
            error,
        };
        let scenario = parse(demo.text).map_err(fault)?;
        let story = Story::run(&scenario, &InputValues::defaults()).map_err(fault)?;
        let title = scenario.title().unwrap_or(demo.id);
        writeln!(out, "{:<17} {title}, {} steps", demo.id, story.len())?;
        for input in scenario.inputs() {
            let label = match input.label() {
                label if label == input.name.label() => String::new(),
                label => format!("   {label}"),
            };
            writeln!(
                out,
                "    --input {}={}   {}{label}",
                input.name,
                input.default(),
                input.range()
            )?;
        }
    }
    Ok(())
}
