//! Scenario scripts and what they print: `scripts/<topic>/<claim>.pod` with its golden `<claim>.out`, the demos, and the
//! examples of the language's reference page.
//!
//! `UPDATE_GOLDENS=1 cargo test -p partition-tests --test scripts` writes the golden files anew; read the difference as
//! you would read code. What a script expects is typed by hand and never comes from here: a golden file says how
//! something happened, an `expect` says that it is right.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use partition_story::language::{Command, grammar};
use partition_story::{InputValues, Story, Transcript, demos, parse};
use walkdir::{DirEntry, WalkDir};

/// Scripts of this topic are refused; their golden file holds the error.
const BAD_INPUT: &str = "bad-input";

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts")
}

/// All files below a folder, in order of their paths.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    let entries = entries.map(|entry| entry.expect("a readable folder"));
    let files = entries.filter(|entry| entry.file_type().is_file());
    files.map(DirEntry::into_path).collect()
}

/// What a scenario prints: its transcript, without the steps of its set-up, or why it cannot be used.
fn output(text: &str) -> (String, Option<Story>) {
    let story = parse(text).and_then(|scenario| Story::run(&scenario, &InputValues::defaults()));
    match story {
        Ok(story) => (Transcript::of(&story).brief().to_string(), Some(story)),
        Err(error) => (format!("{error}\n"), None),
    }
}

/// Compares with a golden file, or writes it. Says where the first difference is.
fn compare(golden: &Path, actual: &str, faults: &mut Vec<String>) {
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(golden, actual).unwrap_or_else(|error| panic!("{}: {error}", golden.display()));
        return;
    }
    let expected = fs::read_to_string(golden).unwrap_or_default();
    if expected == actual {
        return;
    }
    let (mut old, mut new) = (expected.lines(), actual.lines());
    let mut line = 1;
    loop {
        match (old.next(), new.next()) {
            (Some(left), Some(right)) if left == right => line += 1,
            (left, right) => {
                let show = |line: Option<&str>| line.unwrap_or("(the end)").to_string();
                faults.push(format!(
                    "{}:{line}\n  golden  {}\n  now     {}",
                    golden.display(),
                    show(left),
                    show(right)
                ));
                return;
            }
        }
    }
}

/// Every expectation of a run that is not met.
fn unmet(name: &Path, story: &Story) -> Vec<String> {
    let unmet = story.expectations().iter().filter(|checked| !checked.met);
    unmet
        .map(|checked| {
            let actual = checked.actual.as_deref().unwrap_or("not checked");
            format!(
                "{}:{}: {} is {actual}, expected {}",
                name.display(),
                checked.line,
                checked.key,
                checked.expected
            )
        })
        .collect()
}

fn report(faults: &[String]) {
    assert!(
        faults.is_empty(),
        "\n{}\n(UPDATE_GOLDENS=1 writes golden files anew)",
        faults.join("\n")
    );
}

#[test]
fn scripts_print_what_their_golden_files_say() {
    let (mut faults, mut seen) = (Vec::new(), BTreeSet::new());
    for path in files(&scripts())
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "pod"))
    {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let golden = path.with_extension("out");
        let (printed, story) = output(&text);
        let refused = path.parent().is_some_and(|topic| topic.ends_with(BAD_INPUT));
        match &story {
            Some(_) if refused => faults.push(format!("{} is not refused", path.display())),
            None if !refused => faults.push(format!("{}: {printed}", path.display())),
            None => {}
            Some(story) => {
                if story.expectations().is_empty() {
                    faults.push(format!("{} expects nothing", path.display()));
                }
                faults.extend(unmet(&path, story));
            }
        }
        compare(&golden, &printed, &mut faults);
        seen.insert(golden);
    }
    for demo in demos() {
        let golden = scripts().join("demos").join(demo.id).with_extension("out");
        let (brief, story) = output(demo.text);
        let printed = story.as_ref().map_or(brief, |story| Transcript::of(story).to_string());
        faults.extend(story.iter().flat_map(|story| unmet(Path::new(demo.id), story)));
        compare(&golden, &printed, &mut faults);
        seen.insert(golden);
    }
    for path in files(&scripts()) {
        if path.extension().is_some_and(|extension| extension != "pod") && !seen.contains(&path) {
            faults.push(format!("{} belongs to no script", path.display()));
        }
    }
    report(&faults);
}

#[test]
fn names_are_claims() {
    let mut faults = Vec::new();
    for path in files(&scripts()) {
        let name = path
            .file_stem()
            .and_then(|name| name.to_str())
            .unwrap_or_default()
            .to_string();
        let letters = name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        // A demo is called by its id.
        let of_demo = path.parent().is_some_and(|folder| folder.ends_with("demos"));
        if !letters || !(of_demo || name.contains('-')) {
            faults.push(format!("{}: expected small-letters-with-hyphens", path.display()));
        }
    }
    report(&faults);
}

/// Code blocks of the reference page: ` ```pod ` has to run and to be as expected, ` ```pod fails ` has to be refused, with
/// the error that the next block, ` ```text `, holds.
#[test]
fn examples_of_the_reference_page_run() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scenario-language.md");
    let text = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let (mut faults, mut examples, mut refusal) = (Vec::new(), 0, None::<String>);
    for block in blocks(&text) {
        match block.kind {
            "pod" => {
                examples += 1;
                let (printed, story) = output(&block.text);
                match story {
                    Some(story) => faults.extend(unmet(Path::new(&format!("example at line {}", block.line)), &story)),
                    None => faults.push(format!("example at line {}: {printed}", block.line)),
                }
            }
            "pod fails" => {
                examples += 1;
                let (printed, story) = output(&block.text);
                if story.is_some() {
                    faults.push(format!("example at line {} is not refused", block.line));
                }
                refusal = Some(printed);
            }
            "text" => {
                if let Some(printed) = refusal.take()
                    && printed.trim() != block.text.trim()
                {
                    faults.push(format!(
                        "line {}: the page says\n{}it is\n{printed}",
                        block.line, block.text
                    ));
                }
            }
            _ => {}
        }
    }
    assert!(examples >= 15, "only {examples} examples were found");
    report(&faults);
}

/// The rule for commands in the page's grammar is the one that the language writes, and each command is spoken of.
#[test]
fn the_reference_page_has_every_command() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scenario-language.md");
    let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (before, rest) = page.split_once("command   = ").expect("a grammar");
    let (_, behind) = rest.split_once("append-option = ").expect("the rule behind");
    let grammar = grammar();
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        let page = format!("{before}{grammar}append-option = {behind}");
        fs::write(&path, page).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    } else {
        assert!(
            page.contains(&grammar),
            "UPDATE_GOLDENS=1 writes the grammar anew:\n{grammar}"
        );
    }
    for name in Command::NAMES {
        let spoken = [before, behind].iter().any(|part| part.contains(&format!("`{name}")));
        assert!(spoken, "the page says nothing of `{name}`");
    }
}

struct Block<'a> {
    kind: &'a str,
    line: usize,
    text: String,
}

/// The fenced blocks of a page.
fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (index, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(kind), None) => {
                open = Some(Block {
                    kind: kind.trim(),
                    line: index + 2,
                    text: String::new(),
                })
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}
