//! What `pod` understands.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

const ABOUT: &str = "Shows, to the byte, how Apache Kafka stores one partition";

const EXAMPLES: &str = "\
A scenario is a text of commands, one a line:

    set segment.bytes=300B
    append 70B every=2s x6      # six records of 70 B, one every 2 s
    fetch 4                     # read from offset 4
    expect segments=0,4         # stop with code 1 if it is otherwise

Examples:
    pod demos                                    the scenarios that come with pod
    pod demos find-offset > mine.pod             one of them, as a start for your own
    pod run mine.pod                             each command, its steps, what changed
    pod run find-offset --input offset=12        another value for an input
    pod run mine.pod --format json               the same as data
    pod render find-offset --step @scan -o scan.svg
                                                 a picture of the step where the scan begins
    pod trace mine.pod                           what was done, with absolute times and bytes in hex

Exit codes: 0, 1 if an expectation was not met, 2 for bad input.";

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "pod", version, about = ABOUT, after_help = EXAMPLES)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scenario: print each command, its steps and what changed
    Run(Run),
    /// Draw one step of a scenario as SVG
    Render(Render),
    /// Write what a scenario does and what comes of it as JSON lines: docs/scenario-language.md describes them
    Trace(Trace),
    /// List the demos, or print one
    Demos(Demos),
}

/// A scenario and values for its inputs.
#[derive(Debug, clap::Args)]
pub struct Source {
    /// A file with a scenario, the id of a demo, or - for the standard input
    #[arg(value_name = "FILE|DEMO")]
    pub name: String,

    /// Another value for an input, such as offset=12; may be given several times
    #[arg(long = "input", value_name = "NAME=VALUE")]
    pub inputs: Vec<String>,
}

/// `pod run`.
#[derive(Debug, clap::Args)]
pub struct Run {
    /// What to run.
    #[command(flatten)]
    pub source: Source,

    /// text, or json: the format is described in docs/scenario-language.md
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// In text, leave out the steps of the commands before the first phase
    #[arg(long)]
    pub brief: bool,
}

/// How `pod run` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people, and for golden files.
    Text,
    /// For programs.
    Json,
}

/// `pod render`.
#[derive(Debug, clap::Args)]
pub struct Render {
    /// What to run.
    #[command(flatten)]
    pub source: Source,

    /// The step: a number from 1, or @ and the id of a phase for the phase's first step
    #[arg(long, value_name = "N|@PHASE")]
    pub step: String,

    /// Width of the picture in px; the arrangement follows it
    #[arg(long, default_value_t = 704, value_parser = clap::value_parser!(u32).range(288..=4096))]
    pub width: u32,

    /// Colours
    #[arg(long, value_enum, default_value_t = Theme::Light)]
    pub theme: Theme,

    /// Where to write; the standard output if not given
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// `pod trace`.
#[derive(Debug, clap::Args)]
pub struct Trace {
    /// What to run.
    #[command(flatten)]
    pub source: Source,
}

/// `pod demos`.
#[derive(Debug, clap::Args)]
pub struct Demos {
    /// The demo whose scenario is printed
    #[arg(value_name = "DEMO")]
    pub id: Option<String>,
}
