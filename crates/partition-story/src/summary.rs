//! A run as a person reads it: what each command came to, equal ones in a row as one.

use crate::event::{Done, Event};
use crate::expectation::Checked;
use crate::sentence::{Digest, Sentence, refused};
use crate::story::Story;

/// One part of a run, for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SummaryEntry {
    /// A phase begins, with this title.
    Phase(String),
    /// The author speaks.
    Said(Sentence),
    /// A command was done.
    Done(CommandSummary),
    /// An expectation was checked.
    Expected(Checked),
}

/// A command, or equal ones in a row, and what they came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandSummary {
    /// The command as the scenario has it, with the inputs filled in.
    pub command: String,
    /// How many lines of the scenario say so in a row, from 1. Repetitions within a line (`x72`) are not counted.
    pub times: u64,
    /// What it came to, a sentence an effect.
    pub sentences: Vec<Sentence>,
}

/// What each command of a story came to: one sentence an effect, where a [`Transcript`](crate::Transcript) has every step.
///
/// ```
/// use partition_story::{InputValues, Story, SummaryEntry, parse, summary};
///
/// let scenario = parse("set segment.bytes=100B\nappend 50B x7\n").expect("well formed");
/// let story = Story::run(&scenario, &InputValues::defaults()).expect("within the limits");
/// let [SummaryEntry::Done(append)] = &summary(&story)[..] else { panic!("one command") };
/// assert_eq!(append.command, "append 50B x7");
/// assert_eq!(append.sentences[0].to_string(), "Offsets 0 to 6, 350 B; 3 segments are opened (size), 2, 4, 6.");
/// ```
pub fn summary(story: &Story) -> Vec<SummaryEntry> {
    let mut writer = Writer {
        story,
        entries: Vec::new(),
        last: None,
    };
    story.replay(&mut |event| writer.event(&event));
    writer.close();
    writer.entries
}

struct Writer<'a> {
    story: &'a Story,
    entries: Vec<SummaryEntry>,
    /// The command to which the next one may be added.
    last: Option<Open>,
}

/// A command that is being told.
struct Open {
    line: usize,
    command: String,
    times: u64,
    digest: Digest,
}

impl Writer<'_> {
    fn event(&mut self, event: &Event<'_>) {
        let entry = match event {
            // The first segment is there before any command.
            Event::Created(_) => return,
            Event::Done(done) => return self.done(done),
            Event::Phase { phase, .. } => SummaryEntry::Phase(phase.title.clone()),
            Event::Said { say, .. } => SummaryEntry::Said(say.sentence.clone()),
            Event::Expected(checked) => SummaryEntry::Expected((*checked).clone()),
        };
        self.close();
        self.entries.push(entry);
    }

    fn done(&mut self, done: &Done<'_>) {
        let manner = done
            .command
            .filter(|_| !done.continues)
            .map(|command| command.definition().manner());
        let mut digest = Digest::of(done.steps, manner.unwrap_or_default());
        let told = |step: &partition_log::Step| matches!(step, partition_log::Step::Refused(_));
        if let Some(error) = done.error.filter(|_| !done.steps.iter().any(told)) {
            digest.say(refused(error).finish_within_limit());
        }
        match &mut self.last {
            // Work that was due at the same instant belongs to the command above.
            Some(last) if done.continues || last.line == done.line => return last.digest.merge(digest),
            _ if done.continues && done.steps.is_empty() => return,
            _ => {}
        }
        let command = self.story.line(done.line);
        match &mut self.last {
            Some(last) if last.command == command && last.digest.is_like(&digest) => {
                last.line = done.line;
                last.times += 1;
                last.digest.merge(digest);
            }
            _ => {
                self.close();
                self.last = Some(Open {
                    line: done.line,
                    command,
                    times: 1,
                    digest,
                });
            }
        }
    }

    /// Nothing more belongs to the last command.
    fn close(&mut self) {
        self.entries.extend(self.last.take().map(|open| {
            SummaryEntry::Done(CommandSummary {
                command: open.command,
                times: open.times,
                sentences: open.digest.sentences(),
            })
        }));
    }
}
