//! `pod run`.

use std::io::Write;

use partition_story::Transcript;

use crate::args::{Format, Run};
use crate::failure::Failure;
use crate::json;
use crate::summary;

/// Runs a scenario and prints what happened.
pub fn run(args: &Run, out: &mut impl Write) -> Result<(), Failure> {
    let mut loaded = args.source.load()?;
    match args.format {
        Format::Text if args.brief => write!(out, "{}", Transcript::of(&loaded.story).brief())?,
        Format::Text if args.steps => write!(out, "{}", Transcript::of(&loaded.story))?,
        Format::Text => summary::write(&mut loaded, out)?,
        Format::Json => json::run::write(&mut loaded, out)?,
    }
    let expectations = loaded.story.expectations();
    let failed = expectations.iter().filter(|checked| !checked.met).count();
    if failed > 0 {
        return Err(Failure::Expectations(failed, expectations.len()));
    }
    Ok(())
}
