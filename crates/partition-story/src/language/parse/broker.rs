//! Commands about the broker and its clients.

use super::args::{Args, Fault, Text, fault};
use super::{Parser, is_id};
use partition_log::rules::fetch::Isolation;

use crate::language::broker::{
    BrokerCommand, Bytes, FileDamage, FileWord, ISOLATIONS, IndexEntries, Producer, Source, Transaction,
    TransactionAct, from_hex,
};
use crate::language::nearest::nearest;
use crate::language::problem::{Problem, clip};
use crate::language::quantity::Measure;

const PRODUCER: &str = "a producer's name of up to 40 small letters, digits and hyphens, such as p1";
const FILE: &str = "a file, such as 0.log, 10.timeindex, 15.snapshot or leader-epoch-checkpoint";
const DAMAGE: &str = "what becomes of it: cut=40B, flip=400, at=400 bytes=00ff, add=7B or `remove`";
const SOURCE: &str = "`client`, `coordinator` or `replica`";
const ISOLATION: &str = "`uncommitted`, `committed` or `log-end`";
const HEX: &str = "bytes as pairs of hex digits, such as 00ff";

/// Numbers of the protocol, and how large they may be.
pub(super) const PRODUCER_ID: (&str, i64) = ("producer ids", i64::MAX);
const PRODUCER_EPOCH: (&str, i64) = ("producer epochs", i16::MAX as i64);
pub(super) const SEQUENCE: (&str, i64) = ("sequence numbers", i32::MAX as i64);
const EPOCH: (&str, i64) = ("epochs", i32::MAX as i64);

impl Parser {
    /// A command by its name, which is one of theirs.
    pub(super) fn broker(&mut self, name: &str, args: &mut Args<'_>) -> Result<BrokerCommand, Fault> {
        let offset = |parser: &Parser, args: &mut Args<'_>| {
            parser.quantity(args.bare(Measure::Offset.expected())?, Measure::Offset)
        };
        Ok(match name {
            "producer" => self.producer(args)?,
            "transaction" => self.transaction(args)?,
            "bytes" => bytes(args)?,
            "leader-epoch" => self.leader_epoch(args)?,
            "truncate" => BrokerCommand::Truncate(offset(self, args)?),
            "truncate-fully" => BrokerCommand::TruncateFully(offset(self, args)?),
            "roll" => BrokerCommand::Roll,
            "flush" => BrokerCommand::Flush,
            "expire-producers" => BrokerCommand::ExpireProducers,
            "index-entries" => index_entries(args)?,
            "stop" => BrokerCommand::Stop,
            "crash" => self.crash(args)?,
            "damage" => self.damage(args)?,
            "touch" => BrokerCommand::Touch(file(args)?),
            _ => BrokerCommand::Start,
        })
    }

    fn producer(&mut self, args: &mut Args<'_>) -> Result<BrokerCommand, Fault> {
        let name = args.bare(PRODUCER)?;
        if !is_id(name.text) {
            return Err(name.unexpected(PRODUCER));
        }
        let (mut id, mut epoch) = (None, None);
        for pair in args.pairs()? {
            match pair.key.text {
                "id" => id = Some(self.quantity_within(pair.value, PRODUCER_ID.0, 0, PRODUCER_ID.1)?),
                "epoch" => epoch = Some(self.quantity_within(pair.value, PRODUCER_EPOCH.0, 0, PRODUCER_EPOCH.1)?),
                _ => return Err(pair.unknown("producer", &["id", "epoch"])),
            }
        }
        self.producers.insert(name.text.to_string());
        Ok(BrokerCommand::Producer(Producer {
            name: name.text.to_string(),
            id,
            epoch,
        }))
    }

    /// The name of a producer that a line above declares.
    pub(super) fn known_producer(&self, name: Text<'_>) -> Result<String, Fault> {
        if self.producers.contains(name.text) {
            return Ok(name.text.to_string());
        }
        let nearest = nearest(name.text, self.producers.iter().map(String::as_str)).map(str::to_string);
        let found = clip(name.text);
        Err(fault(name.column, Problem::NoSuchProducer { found, nearest }))
    }

    fn transaction(&self, args: &mut Args<'_>) -> Result<BrokerCommand, Fault> {
        const ACT: &str = "`begin`, `commit` or `abort`";
        let producer = self.known_producer(args.bare(PRODUCER)?)?;
        let word = args.bare(ACT)?;
        let act = TransactionAct::ALL.into_iter().find(|act| act.name() == word.text);
        let act = act.ok_or_else(|| word.unexpected(ACT))?;
        let (mut epoch, mut coordinator_epoch, mut version) = (None, None, None);
        if act == TransactionAct::Begin {
            args.end("the end of the line")?;
        }
        for pair in args.pairs()? {
            match pair.key.text {
                "epoch" => epoch = Some(self.quantity_within(pair.value, PRODUCER_EPOCH.0, 0, PRODUCER_EPOCH.1)?),
                "coordinator-epoch" => coordinator_epoch = Some(self.quantity_within(pair.value, EPOCH.0, 0, EPOCH.1)?),
                "version" => version = Some(self.quantity_within(pair.value, "versions of transactions", 0, 2)?),
                _ => return Err(pair.unknown("transaction", &["epoch", "coordinator-epoch", "version"])),
            }
        }
        Ok(BrokerCommand::Transaction(Transaction {
            producer,
            act,
            epoch,
            coordinator_epoch,
            version,
        }))
    }

    fn leader_epoch(&self, args: &mut Args<'_>) -> Result<BrokerCommand, Fault> {
        let number = args.bare("an epoch, such as 3")?;
        Ok(BrokerCommand::LeaderEpoch(
            self.quantity_within(number, EPOCH.0, 0, EPOCH.1)?,
        ))
    }

    fn crash(&self, args: &mut Args<'_>) -> Result<BrokerCommand, Fault> {
        let mut lose = None;
        for pair in args.pairs()? {
            match pair.key.text {
                "lose" => lose = Some(self.quantity(pair.value, Measure::Size)?),
                _ => return Err(pair.unknown("crash", &["lose"])),
            }
        }
        Ok(BrokerCommand::Crash { lose })
    }

    fn damage(&self, args: &mut Args<'_>) -> Result<BrokerCommand, Fault> {
        let file = file(args)?;
        if args.bare_if(|text| text == "remove").is_some() {
            let damage = FileDamage::Remove;
            return Ok(BrokerCommand::Damage { file, damage });
        }
        let mut pairs = args.pairs()?.into_iter();
        let Some(first) = pairs.next() else {
            args.end(DAMAGE)?;
            return Err(args.missing(DAMAGE));
        };
        let damage = match first.key.text {
            "cut" => FileDamage::Cut(self.quantity(first.value, Measure::Size)?),
            "add" => FileDamage::Add(self.quantity(first.value, Measure::Size)?),
            "flip" => FileDamage::Flip(self.quantity(first.value, Measure::Offset)?),
            "at" => {
                let at = self.quantity(first.value, Measure::Offset)?;
                let bytes = pairs.next().filter(|pair| pair.key.text == "bytes");
                let bytes = bytes.ok_or_else(|| args.missing("the bytes, such as bytes=00ff"))?;
                FileDamage::Write {
                    at,
                    bytes: hex(bytes.value)?,
                }
            }
            _ => return Err(first.unknown("damage", &["cut", "flip", "at", "add", "remove"])),
        };
        match pairs.next() {
            Some(more) => Err(more.key.unexpected("one kind of damage a line")),
            None => Ok(BrokerCommand::Damage { file, damage }),
        }
    }
}

fn bytes(args: &mut Args<'_>) -> Result<BrokerCommand, Fault> {
    let bytes = hex(args.bare(HEX)?)?;
    let mut from = None;
    for pair in args.pairs()? {
        match pair.key.text {
            "from" => from = Some(source(pair.value)?),
            _ => return Err(pair.unknown("bytes", &["from"])),
        }
    }
    Ok(BrokerCommand::Bytes(Bytes { bytes, from }))
}

fn index_entries(args: &mut Args<'_>) -> Result<BrokerCommand, Fault> {
    let word = args.bare("`per-batch` or `per-append`")?;
    [IndexEntries::PerBatch, IndexEntries::PerAppend]
        .into_iter()
        .find(|often| often.name() == word.text)
        .map(BrokerCommand::IndexEntries)
        .ok_or_else(|| word.unexpected("`per-batch` or `per-append`"))
}

fn file(args: &mut Args<'_>) -> Result<FileWord, Fault> {
    let word = args.bare(FILE)?;
    FileWord::parse(word.text).ok_or_else(|| word.unexpected(FILE))
}

pub(super) fn source(text: Text<'_>) -> Result<Source, Fault> {
    let found = Source::ALL.into_iter().find(|source| source.name() == text.text);
    found.ok_or_else(|| text.unexpected(SOURCE))
}

pub(super) fn isolation(text: Text<'_>) -> Result<Isolation, Fault> {
    let found = ISOLATIONS.into_iter().find(|(name, _)| *name == text.text);
    found
        .map(|(_, isolation)| isolation)
        .ok_or_else(|| text.unexpected(ISOLATION))
}

fn hex(text: Text<'_>) -> Result<Vec<u8>, Fault> {
    from_hex(text.text).ok_or_else(|| text.unexpected(HEX))
}
