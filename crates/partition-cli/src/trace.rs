//! `pod trace`: what was done, one JSON object a line.

use std::io::Write;

use crate::args::Trace;
use crate::failure::Failure;
use crate::json;

/// Writes the resolved commands of a scenario.
pub fn run(args: &Trace, out: &mut impl Write) -> Result<(), Failure> {
    let loaded = args.source.load()?;
    json::trace::write(&loaded, out)
}
