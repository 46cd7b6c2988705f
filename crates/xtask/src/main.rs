//! `cargo xtask`: sets up what the project needs, builds the page, serves it, tests everything.
//!
//! The order of the modules is the order of a build: where things are, how commands are run, the compiler, the other tools,
//! the wasm, the scripts, the page; then what is done with it.

mod bench;
mod broker;
mod bundle;
mod dist;
mod dump;
mod fuzz;
mod maven;
mod node;
mod oracle;
mod page;
mod process;
mod serve;
mod suite;
mod toolchain;
mod tools;
mod trunk;
mod wasm;
mod weight;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::maven::Maven;
use crate::workspace::Workspace;

/// Sets up, builds, serves and tests Partition on Disk.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Set up what is missing, build the page and serve it on loopback.
    Serve(Serve),
    /// Build the page into dist/.
    Build(Build),
    /// Check formatting, lints, tests, documentation, types and the page in a browser.
    ///
    /// Installs what is missing, and says before each step what goes where: the compiler target into rustup's toolchain, npm
    /// packages into www/node_modules, programs of crates into target/tools, Chromium and its driver as system packages.
    Test(Test),
    /// Write everything but the wasm into a folder (Trunk's hook calls this).
    Page(Page),
    /// Add the target for wasm32 to the compiler and stop.
    Toolchain,
    /// Do what scenarios do to Apache Kafka's own log, too, and compare every file (needs a JDK and Maven).
    Oracle(Oracle),
    /// Let Kafka's own dump tool read what `pod files` writes of the demos and the scripts (needs a JDK and Maven).
    Dump,
    /// Make anew what real brokers left in tests/fixtures/broker (needs a JDK and Maven; some minutes).
    Broker(Broker),
    /// Measure the model natively, in WebAssembly, and beside Kafka's own classes (some minutes; a quiet machine).
    Bench,
    /// Feed what reads other people's bytes with random ones (needs cargo-fuzz).
    Fuzz(Fuzz),
}

#[derive(Args)]
struct Serve {
    /// Port to listen on; without it, the first free one from 8080 on.
    #[arg(long)]
    port: Option<u16>,
    /// Serve dist/ as it is.
    #[arg(long)]
    no_build: bool,
}

#[derive(Args)]
struct Build {
    /// Where the page will live, for the links that have to be absolute.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

#[derive(Args)]
struct Test {
    /// Check everything that CI does: also build with Trunk and compare, and ask Apache Kafka where there are a JDK and Maven.
    #[arg(long)]
    full: bool,
}

#[derive(Args)]
struct Page {
    /// The folder; bindings that are in it already are used.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Where the page will live, for the links that have to be absolute.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

#[derive(Args)]
struct Oracle {
    /// Scenario files; without any, and without random cases, the demos and all scripts.
    files: Vec<PathBuf>,
    /// How many random scenarios to make.
    #[arg(long, default_value_t = 0)]
    traces: u64,
    /// How many random sequences of operations to make: they reach what no scenario can say.
    #[arg(long, default_value_t = 0)]
    operations: u64,
    /// How many random sequences to make in which a consumer, too, does something.
    #[arg(long, default_value_t = 0)]
    consumers: u64,
    /// What these may do besides plain appends, reads and retention; by default everything.
    #[arg(long, value_delimiter = ',')]
    features: Vec<oracle::Feature>,
    /// The first of their seeds; without it, a fresh one, which is printed.
    #[arg(long)]
    seed: Option<u64>,
    /// Write down what Kafka answers to the demos, all scripts, and the random cases, for the tests without Kafka; with
    /// `--consumers`, to these alone.
    #[arg(long)]
    record: bool,
}

#[derive(Args)]
struct Broker {
    /// Scenarios of tests/broker; without any, all of them.
    scenarios: Vec<String>,
}

#[derive(Args)]
struct Fuzz {
    /// The target; without it, all, one after the other.
    target: Option<String>,
    /// How long each runs.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    minutes: u32,
}

/// The exit code where what a command needs is not on this machine.
const UNAVAILABLE: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments.command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one command; its exit code says whether it found something wrong, which it has then said.
fn run(command: Command) -> Result<ExitCode> {
    let workspace = Workspace::locate();
    match command {
        Command::Serve(serve) => {
            if !serve.no_build {
                dist::build(&workspace, None)?;
            }
            serve::serve(&workspace.dist(), serve.port)?;
        }
        Command::Build(build) => {
            dist::build(&workspace, build.base_url.as_deref())?;
            weight::print(&weight::weigh(&workspace.dist())?);
        }
        Command::Test(test) => return Ok(found(suite::run(workspace, test.full)?)),
        Command::Page(page) => trunk::complete(&workspace, &page.out, page.base_url.as_deref())?,
        Command::Oracle(asked) => {
            let scope = oracle::Scope {
                files: &asked.files,
                traces: asked.traces,
                operations: asked.operations,
                consumers: asked.consumers,
                features: if asked.features.is_empty() {
                    oracle::Feature::value_variants()
                } else {
                    &asked.features
                },
                seed: asked.seed.unwrap_or_else(|| fastrand::u32(..).into()),
                record: asked.record,
            };
            let verdict = oracle::run(&workspace, &scope)?;
            return Ok(match verdict {
                oracle::Comparison::Same => ExitCode::SUCCESS,
                oracle::Comparison::Different => ExitCode::FAILURE,
                oracle::Comparison::Unavailable => ExitCode::from(UNAVAILABLE),
            });
        }
        Command::Broker(Broker { scenarios }) => {
            let Some(maven) = Maven::find() else {
                eprintln!("{}", maven::MISSING);
                return Ok(ExitCode::from(UNAVAILABLE));
            };
            broker::run(&workspace, &maven, &scenarios)?;
        }
        Command::Dump => {
            let Some(maven) = Maven::find() else {
                eprintln!("{}", maven::MISSING);
                return Ok(ExitCode::from(UNAVAILABLE));
            };
            dump::run(&workspace, &maven)?;
        }
        Command::Bench => bench::run(&workspace)?,
        Command::Fuzz(Fuzz { target, minutes }) => fuzz::run(&workspace, minutes, target.as_deref())?,
        Command::Toolchain => {
            toolchain::set_up()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The exit code of a check.
fn found(sound: bool) -> ExitCode {
    if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
