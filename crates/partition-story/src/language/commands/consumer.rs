//! The consumer and its group: `commit`, `reset`.

use partition_log::rules::reset::ResetPolicy;
use partition_log::units::Offset;

use super::{Definition, Words};
use crate::language::amount::Amount;
use crate::language::args::{Args, bare, is_number, pair, unexpected};
use crate::language::print::Printer;
use crate::language::written::{POLICY, reset_policy};
use crate::language::{Fault, InputValue, Written};
use crate::machine::{Machine, Outcome};

/// `commit 3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Commit {
    /// An offset.
    Offset(Written<Offset>),
    /// The offset that the consumer reads next. Nothing after an exception: the application has stopped.
    Next,
    /// Nothing: the group has no committed offset.
    None,
}

impl Words for Commit {
    const NAME: &'static str = "commit";
    const GRAMMAR: &'static str = "( offset | \"next\" | \"none\" )";

    fn parse(args: &mut Args<'_, '_>) -> Result<Commit, Fault> {
        const EXPECTED: &str = "an offset, `next` or `none`";
        let text = args.bare(EXPECTED)?;
        Ok(match text.text {
            "next" => Commit::Next,
            "none" => Commit::None,
            other if is_number(other) => Commit::Offset(args.offset(text)?),
            _ => return Err(text.unexpected(EXPECTED)),
        })
    }
}

impl Definition for Commit {
    fn print(&self, words: &mut Printer) {
        match self {
            Commit::Offset(offset) => words.value(offset),
            Commit::Next => words.word("next"),
            Commit::None => words.word("none"),
        }
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        let offset = match self {
            Commit::Offset(offset) => Some(**offset),
            Commit::None => None,
            Commit::Next => match machine.consumer.position().filter(|_| !machine.stopped) {
                Some(next) => Some(next),
                None => return Ok(Outcome::default()),
            },
        };
        Ok(Outcome::done(
            machine.consumer.trace(|consumer| consumer.commit(offset)),
        ))
    }
}

/// `reset earliest`: the consumer's `auto.offset.reset`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reset {
    /// A policy.
    Policy(Written<ResetPolicy>),
    /// `by-duration=20s`, in milliseconds.
    ByDuration(Written<i64>),
}

impl Reset {
    /// The policy.
    pub fn policy(&self) -> ResetPolicy {
        match self {
            Reset::Policy(policy) => **policy,
            Reset::ByDuration(span) => ResetPolicy::ByDuration { ms: **span },
        }
    }
}

impl Words for Reset {
    const NAME: &'static str = "reset";
    const GRAMMAR: &'static str = "( policy | \"$reset\" )";

    fn parse(args: &mut Args<'_, '_>) -> Result<Reset, Fault> {
        let word = args.words.next().ok_or_else(|| args.missing(POLICY))?;
        if let Some(pair) = pair(word).filter(|pair| pair.key.text == "by-duration") {
            return args.span(pair.value).map(Reset::ByDuration);
        }
        let refused = || unexpected(word, POLICY);
        let text = bare(word).ok_or_else(refused)?;
        if !text.text.starts_with('$') {
            let policy = reset_policy(text.text).ok_or_else(refused)?;
            return Ok(match *policy {
                ResetPolicy::ByDuration { ms } => {
                    Reset::ByDuration(Written::new(ms, Amount::of_milliseconds(ms).to_string()))
                }
                _ => Reset::Policy(policy),
            });
        }
        match args.scope.declared(text.behind(1))? {
            (input, InputValue::Policy(policy)) => Ok(Reset::Policy(Written::of_input(
                **policy,
                policy.to_string(),
                input.name,
            ))),
            _ => Err(refused()),
        }
    }
}

impl Definition for Reset {
    fn print(&self, words: &mut Printer) {
        match self {
            Reset::Policy(policy) => words.value(policy),
            Reset::ByDuration(span) => words.pair("by-duration", Some(&words.shown(span))),
        }
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        let policy = self.policy();
        Ok(Outcome::done(
            machine.consumer.trace(|consumer| consumer.set_reset_policy(policy)),
        ))
    }
}
