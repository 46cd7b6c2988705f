//! `cargo xtask fuzz`: the targets of the folder `fuzz`, one after the other.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{quiet, say, show};
use crate::workspace::Workspace;

/// A target.
struct Target {
    name: &'static str,
    /// Files that the fuzzer begins with.
    seeds: Option<&'static str>,
    /// Largest input in bytes.
    longest: u32,
    /// What else libFuzzer is told.
    options: &'static [&'static str],
}

/// All of them. What is built of an input by its structure does without seeds, and is long from the start.
const TARGETS: [Target; 4] = [
    Target {
        name: "batches",
        seeds: Some("tests/fixtures/broker"),
        longest: 2_048,
        options: &[],
    },
    Target {
        name: "indexes",
        seeds: None,
        longest: 1_024,
        options: &["-len_control=0"],
    },
    Target {
        name: "directory",
        seeds: None,
        longest: 1_024,
        options: &["-len_control=0"],
    },
    Target {
        name: "scenario",
        seeds: Some("tests/scripts"),
        longest: 2_000,
        options: &["-only_ascii=1"],
    },
];

/// Seconds after which an input counts as a loop.
const LOOP_S: u32 = 25;

/// The memory that a run may take at once, in MiB. An input is at most 2 kB; a decoder's window takes 8 MiB.
const AT_ONCE_MIB: u32 = 400;

/// Runs each target for so many minutes.
///
/// # Errors
///
/// cargo-fuzz is missing, or a target has found something: libFuzzer has said what, and where the input is.
pub fn run(workspace: &Workspace, minutes: u32, only: Option<&str>) -> Result<()> {
    quiet(Command::new("cargo").args(["fuzz", "--version"]))
        .context("this needs cargo-fuzz: `cargo install cargo-fuzz --locked`")?;
    let chosen: Vec<&Target> = TARGETS
        .iter()
        .filter(|target| only.is_none_or(|only| only == target.name))
        .collect();
    if chosen.is_empty() {
        let names = TARGETS.map(|target| target.name).join(", ");
        bail!(
            "there is no target `{}`; the targets are {names}",
            only.unwrap_or_default()
        );
    }
    for target in chosen {
        say(&format!("{} for {minutes} min", target.name));
        let corpus = workspace.root().join("fuzz/corpus").join(target.name);
        fs::create_dir_all(&corpus).with_context(|| format!("cannot make {}", corpus.display()))?;
        show(&mut command(workspace.root(), target, minutes))?;
    }
    Ok(())
}

fn command(root: &Path, target: &Target, minutes: u32) -> Command {
    let mut command = Command::new("cargo");
    // The model has no unsafe code, and without a sanitizer the stable compiler does.
    command
        .current_dir(root)
        .args(["fuzz", "run", "--sanitizer", "none", target.name]);
    command.arg(format!("fuzz/corpus/{}", target.name));
    command.args(target.seeds);
    command.arg("--");
    command.arg(format!("-max_total_time={}", minutes * 60));
    command.arg(format!("-max_len={}", target.longest));
    command.arg(format!("-timeout={LOOP_S}"));
    command.arg(format!("-malloc_limit_mb={AT_ONCE_MIB}"));
    command.arg("-print_final_stats=1");
    command.args(target.options);
    command
}
