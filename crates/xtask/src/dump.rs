//! Kafka's own dump tool reads what `pod files` writes: of the demos and the scripts, each after a stop.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::maven::{Maven, Program};
use crate::oracle::all_scripts;
use crate::process::{self, empty_folder, say};
use crate::workspace::Workspace;

/// The class behind `kafka-dump-log`.
const TOOL: &str = "org.apache.kafka.tools.DumpLogSegments";

/// Files that the tool knows.
const ENDINGS: [&str; 5] = ["log", "index", "timeindex", "snapshot", "txnindex"];

/// What the tool prints of a file that is not as it should be.
const COMPLAINTS: [&str; 7] = [
    "Mismatches in :",
    "Ignoring unknown file ",
    " invalid bytes at the end of ",
    "Found timestamp mismatch in :",
    "Found out of order timestamp in :",
    "The following indexed offsets are not found in the log",
    "isvalid: false",
];

/// Behind two offsets that do not follow each other. The tool takes −1 for the offset before a file, and so says it of
/// every file that does not begin with offset 0, a broker's own as well.
const GAP: &str = " is followed by ";
const BEFORE_A_FILE: &str = "-1 is followed by ";

/// Commands after which files need not be sound, or offsets be without gaps: damage, bytes of somebody else, and what a
/// follower copies.
const UNSOUND: [&str; 3] = ["damage", "crash", "bytes"];
const COPIED: &str = "from=replica";

/// Writes the files and has them read.
///
/// # Errors
///
/// The tool complains, or ends in an error.
pub fn run(workspace: &Workspace, maven: &Maven) -> Result<()> {
    let program = maven.compile(workspace, "dump")?;
    let folder = workspace.scratch("dump");
    empty_folder(&folder)?;
    let pod = pod(workspace)?;
    let mut files = Vec::new();
    let scenarios = all_scripts(workspace)?;
    let unsound = |line: &str| UNSOUND.iter().any(|word| line.split_whitespace().next() == Some(word));
    let sound = |text: &str| !text.lines().any(|line| unsound(line) || line.contains(COPIED));
    let mut scripts = 0;
    for (number, (name, text)) in scenarios.iter().filter(|(_, text)| sound(text)).enumerate() {
        let directory = folder.join(number.to_string());
        // An index of a broker that runs has zeros behind its entries, which the tool takes for entries.
        if !written(&pod, &format!("{text}\nstop\n"), &directory)? {
            // It is down already.
            if !written(&pod, text, &directory)? {
                bail!("pod cannot write the files of {name}");
            }
        }
        files.extend(readable(&directory)?);
        scripts += 1;
    }
    say(&format!(
        "Kafka's dump tool reads {} files of {scripts} scenarios",
        files.len()
    ));
    let printed = dump(&program, &files)?;
    let dumped = printed.lines().filter(|line| line.starts_with("Dumping ")).count();
    if dumped != files.len() {
        bail!("the tool read {dumped} of {} files:\n{printed}", files.len());
    }
    let complaints: Vec<&str> = printed.lines().filter(|line| is_complaint(line)).collect();
    if !complaints.is_empty() {
        bail!("Kafka's dump tool complains:\n{}", complaints.join("\n"));
    }
    Ok(())
}

fn is_complaint(line: &str) -> bool {
    let gap = line.contains(GAP) && !line.trim_start().starts_with(BEFORE_A_FILE);
    gap || COMPLAINTS.iter().any(|complaint| line.contains(complaint))
}

/// The command, compiled.
fn pod(workspace: &Workspace) -> Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(workspace.root())
        .args(["build", "--quiet", "--package", "partition-cli"]);
    process::show(&mut cargo)?;
    Ok(workspace.target().join("debug/pod"))
}

/// Writes the files of a scenario; whether `pod` could do it.
fn written(pod: &Path, scenario: &str, directory: &Path) -> Result<bool> {
    let mut child = Command::new(pod)
        .args(["files", "-", "--output"])
        .arg(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("pod does not start")?;
    child
        .stdin
        .take()
        .context("pod has no input")?
        .write_all(scenario.as_bytes())?;
    Ok(child.wait()?.success())
}

/// The files of a partition that the tool knows.
fn readable(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = process::files(&directory.join("orders-0"))?;
    files.retain(|file| {
        file.extension()
            .is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
    });
    Ok(files)
}

/// So many files at once: a word of a command line has 128 KiB at most.
const AT_ONCE: usize = 400;

/// What the tool prints of all files.
fn dump(program: &Program, files: &[PathBuf]) -> Result<String> {
    let mut printed = String::new();
    for some in files.chunks(AT_ONCE) {
        let names: Vec<String> = some.iter().map(|file| file.display().to_string()).collect();
        let mut java = Command::new("java");
        java.args(["-XX:TieredStopAtLevel=1", "-cp", &program.class_path, TOOL])
            .args(["--deep-iteration", "--files", &names.join(",")]);
        // What the tool complains of goes to the other output.
        let output = java.output().context("java does not start")?;
        printed.push_str(&String::from_utf8_lossy(&output.stdout));
        printed.push_str(&String::from_utf8_lossy(&output.stderr));
        if !output.status.success() {
            bail!("Kafka's dump tool ended with {}:\n{printed}", output.status);
        }
    }
    Ok(printed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_a_complaint_and_the_start_of_a_file_is_none() {
        assert!(is_complaint("  4 is followed by 6"));
        assert!(!is_complaint("  -1 is followed by 17"));
        assert!(is_complaint("Found timestamp mismatch in :a.timeindex"));
        assert!(!is_complaint(
            "| offset: 3 CreateTime: 8000 keySize: -1 valueSize: 36 isValid: true"
        ));
    }
}
