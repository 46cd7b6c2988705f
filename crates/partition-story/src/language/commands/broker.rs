//! The broker and its disk: `roll`, `flush`, `stop`, `crash`, `start`, `damage`, `touch` and friends.

use partition_log::disk::FileName;
use partition_log::operations::load::{Damage, StartOptions};

use super::append::bytes;
use super::{Definition, Needs, Record, Words, plain};
use crate::language::args::{Args, Text};
use crate::language::print::Printer;
use crate::language::written::{Choice, FileWord};
use crate::language::{Fault, Problem, Written, limits};
use crate::machine::{Machine, Outcome};

plain! {
    /// `roll`: the active segment is closed.
    Roll = "roll", Running, Plain, |machine| Outcome::of(machine.partition.trace(|partition| partition.roll()))
}

plain! {
    /// `flush`: everything is written to disk.
    Flush = "flush", Running, Plain, |machine| Outcome::of(machine.partition.trace(|partition| partition.flush()))
}

plain! {
    /// `expire-producers`: producers that were silent for too long are forgotten.
    ExpireProducers = "expire-producers", Running, Plain, |machine| Outcome::of(machine.partition.trace(|partition| partition.expire_producers()))
}

plain! {
    /// `stop`: a clean shutdown of the broker.
    Stop = "stop", Running, Plain, |machine| {
        machine.down = true;
        Outcome::of(machine.partition.trace(|partition| partition.stop()))
    }
}

plain! {
    /// `start`: the broker starts and loads the partition from its files.
    Start = "start", Down, No, |machine| {
        machine.down = false;
        Outcome::of(machine.partition.trace(|partition| partition.start(StartOptions::default())))
    }
}

/// `crash lose=50B`: the broker is killed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// Bytes at the end of the active `.log` that never reached the disk; none if not given.
    pub lose: Option<Written<u64>>,
}

impl Words for Crash {
    const NAME: &'static str = "crash";
    const GRAMMAR: &'static str = "[ \"lose=\" size ]";
    const RECORD: Record = Record::Number("lose");

    fn parse(args: &mut Args<'_, '_>) -> Result<Crash, Fault> {
        let mut pairs = args.pairs()?;
        let lose = pairs.option("lose", |size| args.size(size))?;
        pairs.done()?;
        Ok(Crash { lose })
    }

    fn recall(number: Option<i64>) -> Option<Crash> {
        let lose = number.map(u64::try_from).transpose().ok()?;
        let lose = lose.map(Written::from);
        Some(Crash { lose })
    }
}

impl Definition for Crash {
    fn print(&self, words: &mut Printer) {
        words.option("lose", &self.lose);
    }

    fn number(&self) -> Option<i64> {
        self.lose.as_deref().map(|lose| *lose as i64).filter(|lose| *lose > 0)
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        machine.down = true;
        let lose = self.lose.as_deref().copied().unwrap_or(0);
        Ok(Outcome::of(machine.partition.trace(|partition| partition.crash(lose))))
    }
}

/// `index-entries per-append`: how often an append looks whether an index entry is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexEntries {
    /// For every batch, as Kafka 4.1 and later.
    PerBatch,
    /// Once, as before.
    PerAppend,
}

impl Choice for IndexEntries {
    const WORDS: &'static [(&'static str, IndexEntries)] = &[
        ("per-batch", IndexEntries::PerBatch),
        ("per-append", IndexEntries::PerAppend),
    ];
    const EXPECTED: &'static str = "`per-batch` or `per-append`";
}

impl Words for IndexEntries {
    const NAME: &'static str = "index-entries";
    const GRAMMAR: &'static str = "( \"per-batch\" | \"per-append\" )";

    fn parse(args: &mut Args<'_, '_>) -> Result<IndexEntries, Fault> {
        args.bare(IndexEntries::EXPECTED)?.choice()
    }
}

impl Definition for IndexEntries {
    fn print(&self, words: &mut Printer) {
        words.word(self.word());
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        let per_batch = *self == IndexEntries::PerBatch;
        Ok(Outcome::done(
            machine
                .partition
                .trace(|partition| partition.set_entries_per_batch(per_batch)),
        ))
    }
}

/// `damage 0.log cut=40B`: a file changes while the broker is down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamageFile {
    /// The file.
    pub file: FileName,
    /// What becomes of it.
    pub damage: Written<Damage>,
}

fn file(args: &mut Args<'_, '_>) -> Result<FileName, Fault> {
    const FILE: &str = "a file, such as 0.log, 10.timeindex, 15.snapshot or leader-epoch-checkpoint";
    let word = args.bare(FILE)?;
    FileWord::find(word.text).ok_or_else(|| word.unexpected(FILE))
}

impl Words for DamageFile {
    const NAME: &'static str = "damage";
    const GRAMMAR: &'static str =
        "FILE ( \"cut=\" size | \"flip=\" offset | \"at=\" offset \"bytes=\" HEX | \"add=\" size | \"remove\" )";

    fn parse(args: &mut Args<'_, '_>) -> Result<DamageFile, Fault> {
        const EXPECTED: &str = "what becomes of it: cut=40B, flip=400, at=400 bytes=00ff, add=7B or `remove`";
        let file = file(args)?;
        if args.bare_if(|text| text == "remove").is_some() {
            let damage = Written::new(Damage::Remove, "remove");
            return Ok(DamageFile { file, damage });
        }
        let mut pairs = args.some_pairs(EXPECTED)?.into_iter();
        let Some(first) = pairs.next() else {
            return Err(args.missing(EXPECTED));
        };
        let damage = match first.key.text {
            "cut" => args.size(first.value)?.map(|size| Damage::CutEnd { size }),
            "add" => zeros(args, first.value)?,
            "flip" => args.position(first.value)?.map(|position| Damage::Flip { position }),
            "at" => {
                let position = args.position(first.value)?;
                let written = pairs.next().filter(|pair| pair.key.text == "bytes");
                let written = written.ok_or_else(|| args.missing("the bytes, such as bytes=00ff"))?;
                let bytes = bytes(written.value)?;
                position.map(|position| Damage::Write { position, bytes })
            }
            _ => return Err(first.unknown(Self::NAME, vec!["cut", "flip", "at", "add", "remove"])),
        };
        match pairs.next() {
            Some(more) => Err(more.key.unexpected("one kind of damage a line")),
            None => Ok(DamageFile { file, damage }),
        }
    }
}

/// So many zeros at the end of a file. They are kept from here on, and count like what is written.
fn zeros(args: &mut Args<'_, '_>, text: Text<'_>) -> Result<Written<Damage>, Fault> {
    let size = args.size(text)?;
    args.scope.added = args.scope.added.saturating_add(*size);
    if args.scope.added > limits::LOG_BYTES {
        return Err(Fault::in_word(0, Problem::TooMuchLog { max: limits::LOG_BYTES }));
    }
    Ok(size.map(|size| Damage::Add {
        bytes: vec![0; size as usize],
    }))
}

impl Definition for DamageFile {
    fn print(&self, words: &mut Printer) {
        words.word(&FileWord(self.file).to_string());
        let shown = words.shown(&self.damage);
        match &*self.damage {
            Damage::Cut { length } => words.pair("cut-to", Some(&length.to_string())),
            Damage::CutEnd { .. } => words.pair("cut", Some(&shown)),
            Damage::Add { .. } => words.pair("add", Some(&shown)),
            Damage::Flip { .. } => words.pair("flip", Some(&shown)),
            Damage::Write { bytes, .. } => {
                words.pair("at", Some(&shown));
                words.pair("bytes", Some(&hex::encode(bytes)));
            }
            Damage::Remove => words.word("remove"),
            Damage::Touch => words.word("touch"),
        }
    }

    fn needs(&self) -> Needs {
        Needs::Down
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        if let Damage::Add { bytes } = &*self.damage {
            machine.count(0, bytes.len() as u64)?;
        }
        Ok(Outcome::of(
            machine
                .partition
                .trace(|partition| partition.damage(self.file, &self.damage)),
        ))
    }
}

/// `touch 3.log`: the file's time becomes the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch(pub FileName);

impl Words for Touch {
    const NAME: &'static str = "touch";
    const GRAMMAR: &'static str = "FILE";

    fn parse(args: &mut Args<'_, '_>) -> Result<Touch, Fault> {
        file(args).map(Touch)
    }
}

impl Definition for Touch {
    fn print(&self, words: &mut Printer) {
        words.word(&FileWord(self.0).to_string());
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        Ok(Outcome::of(
            machine
                .partition
                .trace(|partition| partition.damage(self.0, &Damage::Touch)),
        ))
    }
}
