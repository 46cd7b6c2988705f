//! Idempotent producers and their transactions: `producer`, `transaction`.

use partition_log::TransactionEnd;

use super::{Definition, Kind, Needs, Words};
use crate::language::args::{Args, EPOCH, PRODUCER_EPOCH, PRODUCER_ID, Text, is_id};
use crate::language::nearest::nearest;
use crate::language::print::Printer;
use crate::language::problem::clip;
use crate::language::written::Choice;
use crate::language::{Fault, Problem, Written};
use crate::machine::{Machine, Outcome, Sent};

const NAME: &str = "a producer's name of up to 40 small letters, digits and hyphens, such as p1";

/// The name of a producer that a line above declares.
pub(super) fn known_producer(args: &Args<'_, '_>, name: Text<'_>) -> Result<String, Fault> {
    let declared = &args.scope.producers;
    if declared.contains(name.text) {
        return Ok(name.text.to_string());
    }
    let nearest = nearest(name.text, declared.iter().map(String::as_str)).map(str::to_string);
    let found = clip(name.text);
    Err(Fault::at(name.column, Problem::NoSuchProducer { found, nearest }))
}

/// `producer p1 id=9 epoch=0`: an idempotent producer, or the same one again under another epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producer {
    /// What later lines call it.
    pub name: String,
    /// Producer id; the smallest from 1 that is free if not given.
    pub id: Option<Written<i64>>,
    /// Producer epoch; 0 if not given, and one more than before where the producer is known.
    pub epoch: Option<Written<i64>>,
}

impl Words for Producer {
    const NAME: &'static str = "producer";
    const GRAMMAR: &'static str = "NAME { \"id=\" count | \"epoch=\" count }";

    fn parse(args: &mut Args<'_, '_>) -> Result<Producer, Fault> {
        let name = args.bare(NAME)?;
        if !is_id(name.text) {
            return Err(name.unexpected(NAME));
        }
        let mut pairs = args.pairs()?;
        let id = pairs.option("id", |id| args.within(id, PRODUCER_ID))?;
        let epoch = pairs.option("epoch", |epoch| args.within(epoch, PRODUCER_EPOCH))?;
        pairs.done()?;
        let name = name.text.to_string();
        args.scope.producers.insert(name.clone());
        Ok(Producer { name, id, epoch })
    }
}

impl Definition for Producer {
    fn print(&self, words: &mut Printer) {
        words.word(&self.name);
        words.option("id", &self.id);
        words.option("epoch", &self.epoch);
    }

    fn kind(&self) -> Kind {
        Kind::Declares
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        let epoch = self.epoch.as_deref().map(|epoch| *epoch as i16);
        machine
            .producers
            .declare(&self.name, self.id.as_deref().copied(), epoch);
        Ok(Outcome::default())
    }
}

/// `transaction p1 commit`: a step of a producer's transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The producer.
    pub producer: String,
    /// What happens.
    pub act: TransactionAct,
    /// The epoch in the marker; the producer's if not given.
    pub epoch: Option<Written<i64>>,
    /// The coordinator's epoch in the marker; 0 if not given.
    pub coordinator_epoch: Option<Written<i64>>,
    /// `transaction.version` of the cluster, 0 to 2; 1 if not given.
    pub version: Option<Written<i64>>,
}

/// A step of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransactionAct {
    /// What the producer appends from here on belongs to it.
    Begin,
    /// The coordinator writes the marker of a commit.
    Commit,
    /// The coordinator writes the marker of an abort.
    Abort,
}

impl Choice for TransactionAct {
    const WORDS: &'static [(&'static str, TransactionAct)] = &[
        ("begin", TransactionAct::Begin),
        ("commit", TransactionAct::Commit),
        ("abort", TransactionAct::Abort),
    ];
    const EXPECTED: &'static str = "`begin`, `commit` or `abort`";
}

impl Words for Transaction {
    const NAME: &'static str = "transaction";
    const GRAMMAR: &'static str = "NAME ( \"begin\" | ( \"commit\" | \"abort\" ) { \"epoch=\" count | \
                                   \"coordinator-epoch=\" count | \"version=\" count } )";

    fn parse(args: &mut Args<'_, '_>) -> Result<Transaction, Fault> {
        let name = args.bare(NAME)?;
        let producer = known_producer(args, name)?;
        let act = args.bare(TransactionAct::EXPECTED)?.choice()?;
        if act == TransactionAct::Begin {
            args.end("the end of the line")?;
        }
        let mut pairs = args.pairs()?;
        let transaction = Transaction {
            producer,
            act,
            epoch: pairs.option("epoch", |epoch| args.within(epoch, PRODUCER_EPOCH))?,
            coordinator_epoch: pairs.option("coordinator-epoch", |epoch| args.within(epoch, EPOCH))?,
            version: pairs.option("version", |version| {
                args.within(version, ("versions of transactions", 0, 2))
            })?,
        };
        pairs.done()?;
        Ok(transaction)
    }
}

impl Definition for Transaction {
    fn print(&self, words: &mut Printer) {
        words.word(&self.producer);
        words.word(self.act.word());
        words.option("epoch", &self.epoch);
        words.option("coordinator-epoch", &self.coordinator_epoch);
        words.option("version", &self.version);
    }

    fn kind(&self) -> Kind {
        match self.act {
            TransactionAct::Begin => Kind::Declares,
            TransactionAct::Commit | TransactionAct::Abort => Kind::Acts,
        }
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        // The parser has found its declaration.
        let Some(known) = machine.producers.get(&self.producer) else {
            return Ok(Outcome::default());
        };
        let begins = self.act == TransactionAct::Begin;
        if begins && known.open {
            let producer = self.producer.clone();
            return Err(Fault::in_word(1, Problem::TransactionTwice { producer }));
        }
        known.open = begins;
        if begins {
            return Ok(Outcome::default());
        }
        let version = self.version.as_deref().map_or(1, |version| *version as i16);
        if version == 2 {
            // Each transaction ends under a new epoch, under which the producer goes on.
            known.epoch = known.epoch.saturating_add(1);
        }
        let end = TransactionEnd {
            producer_id: known.id,
            producer_epoch: self.epoch.as_deref().map_or(known.epoch, |epoch| *epoch as i16),
            commit: self.act == TransactionAct::Commit,
            coordinator_epoch: self.coordinator_epoch.as_deref().map_or(0, |epoch| *epoch as i32),
            transaction_version: version,
        };
        machine.count(1, 0)?;
        let mut outcome = Outcome::default();
        outcome.appended = outcome.take(machine.partition.trace(|partition| partition.end_transaction(&end)));
        outcome.sent = Some(Sent::Marker(end));
        Ok(outcome)
    }
}
