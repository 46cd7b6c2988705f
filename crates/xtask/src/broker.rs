//! Directories that a real broker left, with what real clients got from it: made by the program in `tests/broker`, kept
//! in `tests/fixtures/broker` and `tests/fixtures/consumers`, and compared with the model by `tests/broker_directories` and
//! `tests/kafka_consumers.rs`.
//!
//! Beside them, what Kafka defines of each setting: `tests/fixtures/settings.jsonl`.
//!
//! Producer ids, topic ids, the timestamps of markers and the times of files are the broker's own, so a directory that is
//! made anew differs from the old one in these.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::maven::Maven;
use crate::process::{empty_folder, say, show};
use crate::workspace::Workspace;

/// The name under which Kafka's settings are made anew, beside those of the scenarios.
const SETTINGS: &str = "settings";

/// Makes the directories of some scenarios anew, or of all where none is named.
///
/// # Errors
///
/// Maven or the broker failed, with their own words.
pub fn run(workspace: &Workspace, maven: &Maven, scenarios: &[String]) -> Result<()> {
    let program = maven.compile(workspace, "broker")?;
    if scenarios.is_empty() || scenarios.iter().any(|name| name == SETTINGS) {
        let kept = workspace.root().join("tests/fixtures/settings.jsonl");
        let mut java = Command::new("java");
        java.args(["-cp", &program.class_path, "broker.Definitions"]).arg(&kept);
        show(&mut java)?;
        say("tests/fixtures/settings.jsonl is new");
    }
    if scenarios.iter().any(|name| name == SETTINGS) {
        return Ok(());
    }
    let scratch = workspace.scratch("broker-run");
    empty_folder(&scratch)?;
    let (made, consumers) = (scratch.join("made"), scratch.join("consumers"));
    say("starting brokers, one after the other; all scenarios take some minutes");
    let mut java = Command::new("java");
    java.args([
        "-XX:TieredStopAtLevel=1",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
    ])
    .args(["-cp", &program.class_path, "broker.Main"])
    .args([&made, &consumers, &scratch.join("brokers")])
    .args(scenarios);
    show(&mut java)?;

    for (made, kept) in [(made, "tests/fixtures/broker"), (consumers, "tests/fixtures/consumers")] {
        let folder = workspace.root().join(kept);
        if scenarios.is_empty() {
            empty_folder(&folder)?;
        }
        let (files, bytes) = replace(&made, &folder)?;
        say(&format!("{files} files with {bytes} B in {kept} are new"));
    }
    Ok(())
}

/// Copies a folder over another: a folder in it takes the place of the other one's. How many files and bytes it had.
fn replace(from: &Path, to: &Path) -> Result<(u64, u64)> {
    let (mut files, mut bytes) = (0, 0);
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            empty_folder(&target)?;
            let (more_files, more_bytes) = replace(&entry.path(), &target)?;
            files += more_files;
            bytes += more_bytes;
        } else {
            bytes += fs::copy(entry.path(), &target).with_context(|| format!("cannot write {}", target.display()))?;
            files += 1;
        }
    }
    Ok((files, bytes))
}
