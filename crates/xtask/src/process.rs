//! Running other programs: shown while they run, or quiet and reduced to one line when they fail.

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, anyhow, bail};
use walkdir::{DirEntry, WalkDir};

/// Says what is about to happen.
pub fn say(message: &str) {
    println!("xtask: {message}");
}

/// Says what is about to be installed, and where: the reader's machine is changed by it.
pub fn announce(what: &str, place: impl Display) {
    say(&format!("installing {what} into {place}"));
}

/// Runs a program whose output the user sees.
pub fn show(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if !status.success() {
        bail!("`{}` failed ({status}), see above", line_of(command));
    }
    Ok(())
}

/// Runs a program quietly and returns what it printed; a failure is reduced to the line that tells most.
pub fn quiet(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| not_started(command, &error))?;
    if !output.status.success() {
        bail!("`{}` failed: {}", line_of(command), reason(&output));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The file that a program's name stands for, looked up in `PATH`.
pub fn find(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

/// `PATH` with folders put before all others.
pub fn path_with(first: &[PathBuf]) -> Result<OsString> {
    let rest = env::var_os("PATH").unwrap_or_default();
    let folders = first.iter().cloned().chain(env::split_paths(&rest));
    env::join_paths(folders).context("a folder in PATH has a colon in its name")
}

/// All files below a folder, sorted by their paths.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries: Vec<DirEntry> = WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .collect::<Result<_, _>>()?;
    let files = entries.into_iter().filter(|entry| entry.file_type().is_file());
    Ok(files.map(DirEntry::into_path).collect())
}

/// An empty folder, whatever was there before.
pub fn empty_folder(folder: &Path) -> Result<()> {
    remove(folder)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))
}

/// Removes a file or a folder, if it is there.
pub fn remove(path: &Path) -> Result<()> {
    let removed = if path.is_dir() && !path.is_symlink() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Puts a finished file or folder in its place in one move.
pub fn replace(finished: &Path, place: &Path) -> Result<()> {
    if place.is_dir() {
        remove(place)?;
    }
    match fs::rename(finished, place) {
        // The target folder may be on another disk than the sources.
        Err(error) if error.kind() == ErrorKind::CrossesDevices => {
            quiet(Command::new("cp").arg("-R").arg(finished).arg(place))?;
            remove(finished)
        }
        moved => moved.with_context(|| format!("cannot move {} to {}", finished.display(), place.display())),
    }
}

/// Reads a file; a failure names it.
pub fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Writes a file; a failure names it.
pub fn write(file: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    fs::write(file, content).with_context(|| format!("cannot write {}", file.display()))
}

fn not_started(command: &Command, error: &std::io::Error) -> anyhow::Error {
    anyhow!("cannot start `{}`: {error}", command.get_program().display())
}

fn line_of(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

/// The line of a failed program's output that names the trouble, or else its last one.
fn reason(output: &Output) -> String {
    let text = [&output.stderr, &output.stdout]
        .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        .join("\n");
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let names_trouble = |line: &&str| {
        ["E: ", "error", "npm error", "npm ERR"]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let line = lines().find(names_trouble).or_else(|| lines().next_back());
    line.map_or_else(|| format!("no output, {}", output.status), str::to_owned)
}
