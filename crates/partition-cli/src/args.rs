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
    pod run mine.pod                             what each command came to, and the folder afterwards
    pod run mine.pod --steps                     every step: what was read, decided, written
    pod run find-offset --input offset=12        another value for an input
    pod run mine.pod --format json               the same as data
    pod render find-offset --step @scan -o scan.svg
                                                 a picture of the step where the scan begins
    pod render data/orders-0 -o orders.svg       a picture of a broker's real directory
    pod files mine.pod -o logs                   the files, as a broker would have them
    pod trace mine.pod                           what was done, with absolute times and bytes in hex

Exit codes: 0, 1 if an expectation was not met, 2 for bad input.";

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "pod", version, about = ABOUT, after_help = EXAMPLES)]
pub struct Args {
    /// Colours of what is printed; auto: where a terminal has them, unless NO_COLOR is set
    #[command(flatten)]
    pub color: colorchoice_clap::Color,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scenario: print what each command came to, and the folder afterwards
    Run(Run),
    /// Draw one step of a scenario, or the directory of a partition, as SVG
    Render(Render),
    /// Write the files of a scenario's partition into a directory, as a broker would have them
    Files(Files),
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

    /// Print every step of every command: what was read, decided, written
    #[arg(long, conflicts_with = "format")]
    pub steps: bool,

    /// With --steps: leave out those of the commands before the first phase
    #[arg(long, requires = "steps")]
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
    /// A file with a scenario, the id of a demo, - for the standard input, or the directory of a partition, such as orders-0
    #[arg(value_name = "FILE|DEMO|DIR")]
    pub name: String,

    /// Another value for an input of a scenario, such as offset=12; may be given several times
    #[arg(long = "input", value_name = "NAME=VALUE")]
    pub inputs: Vec<String>,

    /// The step of a scenario: a number from 1, or @ and the id of a phase for the phase's first step
    #[arg(long, value_name = "N|@PHASE")]
    pub step: Option<String>,

    /// A setting that a directory's topic has, as Kafka writes it, such as retention.ms=86400000; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,

    /// The time at which a directory is looked at, in ms since 1970; now if not given
    #[arg(long, value_name = "MS", allow_hyphen_values = true)]
    pub now: Option<i64>,

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

/// `pod files`.
#[derive(Debug, clap::Args)]
pub struct Files {
    /// What to run.
    #[command(flatten)]
    pub source: Source,

    /// The step after which the files are written: a number from 1, or @ and the id of a phase; the last one if not given
    #[arg(long, value_name = "N|@PHASE")]
    pub step: Option<String>,

    /// The log directory to make: orders-0 is in it, and beside that the checkpoints and the marker of a clean shutdown
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// Replace what pod wrote into the directory before
    #[arg(long)]
    pub force: bool,
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
