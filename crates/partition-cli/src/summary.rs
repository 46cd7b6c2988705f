//! What a person wants of a run: what each command came to, and the folder afterwards.

use std::io::{self, Write};

use partition_story::{Checked, CommandSummary, SummaryEntry, summary};
use textwrap::core::display_width;

use crate::folder;
use crate::source::Loaded;
use crate::terminal::{self, FAINT, HEADING, RIGHT, STRONG, WRONG, left, sentence, styled, wrap};

/// Spaces between a command and what it came to.
const GAP: usize = 2;

/// Prints a run.
pub fn write(loaded: &mut Loaded, out: &mut impl Write) -> io::Result<()> {
    let width = terminal::width();
    let entries = summary(&loaded.story);
    if let Some(title) = loaded.scenario.title() {
        writeln!(out, "{}\n", styled(STRONG, title))?;
    }
    let mut page = Page {
        out,
        width,
        column: command_column(&entries, width),
        phases: Vec::new(),
        bare: true,
    };
    for entry in &entries {
        page.entry(entry)?;
    }
    let last = loaded.story.len() - 1;
    let state = loaded.story.state(last);
    if !page.bare {
        writeln!(out)?;
    }
    let committed = loaded.story.consumer(last).committed();
    folder::write(&state, committed, width, out)?;
    expectations(loaded.story.expectations(), out)
}

/// Where what commands came to begins: behind the longest command that leaves enough room for it.
fn command_column(entries: &[SummaryEntry], width: usize) -> usize {
    let lengths = entries.iter().filter_map(|entry| match entry {
        SummaryEntry::Done(command) => Some(display_width(&name(command))),
        _ => None,
    });
    lengths.filter(|length| *length <= width * 2 / 5).max().unwrap_or(0) + GAP
}

/// A command, and how often.
fn name(command: &CommandSummary) -> String {
    match command.times {
        1 => command.command.clone(),
        times => format!("{}  ({times} times)", command.command),
    }
}

struct Page<'a, W> {
    out: &'a mut W,
    width: usize,
    column: usize,
    /// Titles of phases that wait for what happens in them.
    phases: Vec<&'a str>,
    /// Whether nothing was printed yet.
    bare: bool,
}

impl<'a, W: Write> Page<'a, W> {
    fn entry(&mut self, entry: &'a SummaryEntry) -> io::Result<()> {
        if !matches!(entry, SummaryEntry::Phase(_)) && !self.phases.is_empty() {
            if !self.bare {
                writeln!(self.out)?;
            }
            let phases = std::mem::take(&mut self.phases).join(" · ");
            for line in wrap(&phases, self.width, 2) {
                writeln!(self.out, "{}", styled(HEADING, line))?;
            }
        }
        match entry {
            // The stages of one command stand in one line.
            SummaryEntry::Phase(title) => {
                self.phases.push(title);
                return Ok(());
            }
            SummaryEntry::Said(said) => {
                for line in wrap(&sentence(said), self.width, 0) {
                    writeln!(self.out, "{line}")?;
                }
            }
            SummaryEntry::Done(command) => self.command(command)?,
            // What is as expected is counted at the end.
            SummaryEntry::Expected(checked) if checked.met => return Ok(()),
            SummaryEntry::Expected(checked) => self.failed(checked)?,
        }
        self.bare = false;
        Ok(())
    }

    fn command(&mut self, command: &CommandSummary) -> io::Result<()> {
        let name = name(command);
        let said: Vec<String> = command.sentences.iter().map(sentence).collect();
        let lines = wrap(&said.join(" "), self.width.saturating_sub(self.column), 0);
        let mut lines = lines.iter();
        if display_width(&name) + GAP > self.column {
            for line in wrap(&name, self.width, 4) {
                writeln!(self.out, "{}", styled(STRONG, line))?;
            }
        } else {
            let first = lines.next().map(String::as_str).unwrap_or_default();
            writeln!(self.out, "{}{first}", left(&styled(STRONG, name), self.column))?;
        }
        for line in lines {
            writeln!(self.out, "{}{line}", left("", self.column))?;
        }
        Ok(())
    }

    fn failed(&mut self, checked: &Checked) -> io::Result<()> {
        let Checked {
            line, key, expected, ..
        } = checked;
        let actual = checked.actual.as_deref().unwrap_or_default();
        let text = format!("{key} is {actual}, expected {expected} (line {line})");
        writeln!(self.out, "{}{text}", left(&styled(WRONG, "expect"), self.column))
    }
}

/// How many expectations were met.
fn expectations(all: &[Checked], out: &mut impl Write) -> io::Result<()> {
    let open = all.iter().filter(|checked| checked.actual.is_none()).count();
    let met = all
        .iter()
        .filter(|checked| checked.actual.is_some() && checked.met)
        .count();
    let line = match open {
        // What is not met is told where the command ends.
        0 if met < all.len() || all.is_empty() => return Ok(()),
        0 => styled(RIGHT, format!("{met} of {} expectations are met.", all.len())),
        _ => styled(
            FAINT,
            format!("{open} expectations are not checked: an input has another value than its default."),
        ),
    };
    writeln!(out, "\n{line}")
}
