//! Records: `append`, `batch`, `bytes`, `format`.

use partition_log::format::batch::{self, NewBatch, NewProducer};
use partition_log::rules::validate::AppendOrigin;
use partition_log::units::{Offset, TimestampMs};

use super::producer::known_producer;
use super::{Command, Definition, Kind, Needs, Words};
use crate::beat::Manner;
use crate::language::args::{Args, Pairs, SEQUENCE, Text, is_number};
use crate::language::print::Printer;
use crate::language::written::Choice;
use crate::language::{Fault, Measure, Problem, Written, limits};
use crate::machine::{Machine, Outcome};

/// `append 45B every=2s x6`: records, each alone in its message or batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// Sizes in the log, taken in turn.
    pub sizes: Vec<Written<u64>>,
    /// The rest.
    pub options: Options,
}

/// `batch 3 total=145B`: several records in one batch of format v2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// How many records.
    pub records: Written<u32>,
    /// Size of the whole batch in the log.
    pub total: Written<u64>,
    /// Headers of each record; 0 if not given.
    pub headers: Option<Written<u32>>,
    /// The rest.
    pub options: Options,
}

/// What `append` and `batch` share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How far the clock moves before each append, in milliseconds.
    pub every: Option<Written<i64>>,
    /// The timestamp, where it is not the clock; `None` in it is none at all: −1 on disk.
    pub ts: Option<Written<Option<TimestampMs>>>,
    /// The key of each record.
    pub key: Option<String>,
    /// The idempotent producer that sends it, by name.
    pub producer: Option<String>,
    /// Its sequence number for the first record; the one that follows if not given.
    pub sequence: Option<Written<i32>>,
    /// Who sends it; a client if not given.
    pub from: Option<AppendOrigin>,
    /// The first offset, where a replica's log has a gap.
    pub offset: Option<Written<Offset>>,
    /// How often, in all; once through the sizes if not given.
    pub times: Option<Written<u64>>,
    /// Whether all arrive in one append, after the clock has moved for each.
    pub together: bool,
}

/// One batch to be sent, without what all share.
struct Shape {
    records: u32,
    size: u64,
    headers: u32,
    /// Whether a message of format v1 can hold it.
    single: bool,
}

impl Options {
    /// Takes those among the pairs that are known; then `xN` and `together`.
    fn parse(mut pairs: Pairs<'_>, args: &mut Args<'_, '_>) -> Result<Options, Fault> {
        let mut options = Options {
            every: pairs.option("every", |span| args.span(span))?,
            ts: pairs.option("ts", |text| timestamp(args, text))?,
            key: pairs.option("key", |key| Ok(key.text.to_string()))?,
            producer: pairs.option("producer", |name| known_producer(args, name))?,
            sequence: pairs
                .option("sequence", |number| args.within(number, SEQUENCE))?
                .map(|number| number.map(|number| number as i32)),
            from: pairs.option("from", Text::choice)?,
            offset: pairs.option("offset", |offset| args.offset(offset))?,
            times: None,
            together: false,
        };
        pairs.done()?;
        let times = args.bare_if(is_times);
        options.together = args.bare_if(|text| text == "together").is_some();
        args.end("the end of the line: sizes come first, then options such as every=2s, and xN last")?;
        if let Some(text) = times {
            let times = args.within(text.behind(1), ("repetitions", 0, limits::APPENDS as i64))?;
            options.times = Some(times.map(|times| times as u64));
        }
        let alone = |option, needs| Err(Fault::in_word(0, Problem::OptionAlone { option, needs }));
        if options.sequence.is_some() && options.producer.is_none() {
            return alone("sequence", "producer=p1");
        }
        if options.offset.is_some() && options.from != Some(AppendOrigin::Replication) {
            return alone("offset", "from=replica");
        }
        Ok(options)
    }

    fn print(&self, words: &mut Printer) {
        words.option("every", &self.every);
        words.option("ts", &self.ts);
        words.text("key", self.key.as_deref());
        words.pair("producer", self.producer.as_deref());
        words.option("sequence", &self.sequence);
        words.pair("from", self.from.map(AppendOrigin::word));
        words.option("offset", &self.offset);
        if let Some(times) = &self.times {
            words.word(&format!("x{}", words.shown(times)));
        }
        if self.together {
            words.word("together");
        }
    }

    /// How often something is done that is done so often unless the line says otherwise.
    fn repetitions(&self, once: u64) -> u64 {
        let count = self.count(once);
        if self.together { count.min(1) } else { count }
    }

    fn count(&self, once: u64) -> u64 {
        self.times.as_deref().copied().unwrap_or(once)
    }

    /// Those of one repetition, behind so many records of those before it.
    fn repetition(&self, number: u64, records_before: u64) -> Options {
        let sequence = self.sequence.as_ref().map(|first| match number {
            0 => first.clone(),
            _ => {
                // Behind the largest comes 0 (Kafka: `DefaultRecordBatch.incrementSequence`).
                let sequence = ((**first as u64).saturating_add(records_before) % (1 << 31)) as i32;
                Written::new(sequence, sequence.to_string())
            }
        });
        Options {
            sequence,
            // The gap lies before the first one.
            offset: self.offset.clone().filter(|_| number == 0),
            times: None,
            ..self.clone()
        }
    }

    /// Sends batches of these shapes in one append.
    fn send(&self, shapes: &[Shape], machine: &mut Machine) -> Result<Outcome, Fault> {
        let producer = self.producer.as_deref();
        let producer = producer
            .and_then(|name| machine.producers.get(name))
            .map(|known| *known);
        let origin = self.from.unwrap_or_default();
        let every = self.every.as_deref().copied().unwrap_or(0);
        let mut next = producer.map(|known| {
            let given = self.sequence.as_deref().copied();
            given.unwrap_or_else(|| machine.producers.next_sequence((known.id, known.epoch)))
        });
        let mut at = machine.clock();
        let mut batches = Vec::with_capacity(shapes.len());
        for shape in shapes {
            let moved = at.checked_add(every);
            at = moved.ok_or_else(|| Fault::in_word(0, Problem::ClockTooLarge))?;
            machine.count(1, shape.size)?;
            let timestamp = self.ts.as_deref().copied().unwrap_or(Some(at));
            let key = self.key.as_ref().map(|key| key.clone().into_bytes());
            let size = shape.size;
            // Message formats know no producers.
            if shape.single && producer.is_none() && machine.format == Format::V1 {
                batches.push(NewBatch::Message { size, timestamp, key });
                continue;
            }
            batches.push(NewBatch::Batch {
                records: shape.records,
                size,
                timestamp,
                key,
                headers: shape.headers,
                producer: producer.zip(next).map(|(known, sequence)| NewProducer {
                    id: known.id,
                    epoch: known.epoch,
                    sequence,
                    transactional: known.open,
                }),
            });
            next = next.map(|sequence| batch::increment_sequence(sequence, shape.records as i32));
        }
        if origin == AppendOrigin::Client && !self.together {
            let mut outcome = Outcome::of(machine.partition.trace(|partition| partition.advance_to(at)));
            batches
                .into_iter()
                .for_each(|batch| machine.append(batch, &mut outcome));
            return Ok(outcome);
        }
        let offset = self.offset.as_deref().copied();
        let bytes = match machine.encode(&batches, origin, offset) {
            Ok(bytes) => bytes,
            Err(error) => return Ok(Outcome::refused(error)),
        };
        let mut outcome = Outcome::of(machine.partition.trace(|partition| partition.advance_to(at)));
        machine.append_records(bytes, origin, &mut outcome);
        Ok(outcome)
    }
}

/// A record's timestamp; −1 is Kafka's for none (Kafka: `RecordBatch.NO_TIMESTAMP`).
fn timestamp(args: &mut Args<'_, '_>, text: Text<'_>) -> Result<Written<Option<TimestampMs>>, Fault> {
    match text.text {
        "none" | "-1" => Ok(Written::new(None, "none")),
        _ => args.time(text).map(|time| time.map(Some)),
    }
}

/// Whether a word is `xN`.
fn is_times(text: &str) -> bool {
    text.strip_prefix('x').is_some_and(is_number)
}

impl Words for Append {
    const NAME: &'static str = "append";
    const GRAMMAR: &'static str = "size { size } { append-option } [ \"x\" count ] [ \"together\" ]";

    fn parse(args: &mut Args<'_, '_>) -> Result<Append, Fault> {
        let first = args.bare(Measure::Size.expected())?;
        let mut sizes = vec![args.size(first)?];
        while let Some(text) = args.bare_if(|text| !is_times(text) && text != "together") {
            sizes.push(args.size(text)?);
        }
        let pairs = args.pairs()?;
        let options = Options::parse(pairs, args)?;
        Ok(Append { sizes, options })
    }
}

impl Append {
    fn once(&self) -> u64 {
        self.sizes.len() as u64
    }

    fn size(&self, number: u64) -> &Written<u64> {
        &self.sizes[(number % self.once()) as usize]
    }
}

impl Definition for Append {
    fn print(&self, words: &mut Printer) {
        self.sizes.iter().for_each(|size| words.value(size));
        self.options.print(words);
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn manner(&self) -> Manner {
        Manner::Append
    }

    fn repetitions(&self) -> u64 {
        self.options.repetitions(self.once())
    }

    fn repetition(&self, number: u64) -> Option<Command> {
        let one = || Append {
            sizes: vec![self.size(number).clone()],
            options: self.options.repetition(number, number),
        };
        // What arrives in one append is one command.
        (!self.options.together).then(|| Command::Append(one()))
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        let shape = |number| Shape {
            records: 1,
            size: **self.size(number),
            headers: 0,
            single: true,
        };
        let shapes: Vec<Shape> = (0..self.options.count(self.once())).map(shape).collect();
        self.options.send(&shapes, machine)
    }
}

impl Words for Batch {
    const NAME: &'static str = "batch";
    const GRAMMAR: &'static str =
        "count \"total=\" size { \"headers=\" count | append-option } [ \"x\" count ] [ \"together\" ]";

    fn parse(args: &mut Args<'_, '_>) -> Result<Batch, Fault> {
        let records = args.bare("a number of records, such as 3")?;
        let records = args.within(records, ("records of a batch", 1, limits::APPENDS as i64))?;
        let mut pairs = args.pairs()?;
        let total = pairs.option("total", |size| args.size(size))?;
        let headers = pairs.option("headers", |headers| {
            args.within(headers, ("headers of a record", 0, limits::HEADERS))
        })?;
        let options = Options::parse(pairs, args)?;
        Ok(Batch {
            records: records.map(|records| records as u32),
            total: total.ok_or_else(|| args.missing("the size of the batch, such as total=145B"))?,
            headers: headers.map(|headers| headers.map(|headers| headers as u32)),
            options,
        })
    }
}

impl Definition for Batch {
    fn print(&self, words: &mut Printer) {
        words.value(&self.records);
        words.option("total", &Some(self.total.clone()));
        words.option("headers", &self.headers);
        self.options.print(words);
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn manner(&self) -> Manner {
        Manner::Append
    }

    fn repetitions(&self) -> u64 {
        self.options.repetitions(1)
    }

    fn repetition(&self, number: u64) -> Option<Command> {
        let before = number.saturating_mul(u64::from(*self.records));
        let one = || Batch {
            options: self.options.repetition(number, before),
            ..self.clone()
        };
        (!self.options.together).then(|| Command::Batch(one()))
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        let shape = |_| Shape {
            records: *self.records,
            size: *self.total,
            headers: self.headers.as_deref().copied().unwrap_or(0),
            single: false,
        };
        let shapes: Vec<Shape> = (0..self.options.count(1)).map(shape).collect();
        self.options.send(&shapes, machine)
    }
}

/// `bytes 0000… from=replica`: batches as they are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Who sends them; a client if not given.
    pub from: Option<AppendOrigin>,
}

/// Pairs of hex digits, at least one.
pub(super) fn bytes(text: Text<'_>) -> Result<Vec<u8>, Fault> {
    let bytes = hex::decode(text.text).ok().filter(|bytes| !bytes.is_empty());
    bytes.ok_or_else(|| text.unexpected(HEX))
}

const HEX: &str = "bytes as pairs of hex digits, such as 00ff";

impl Words for Bytes {
    const NAME: &'static str = "bytes";
    const GRAMMAR: &'static str = "HEX [ \"from=\" SOURCE ]";

    fn parse(args: &mut Args<'_, '_>) -> Result<Bytes, Fault> {
        let bytes = bytes(args.bare(HEX)?)?;
        let mut pairs = args.pairs()?;
        let from = pairs.option("from", Text::choice)?;
        pairs.done()?;
        Ok(Bytes { bytes, from })
    }
}

impl Definition for Bytes {
    fn print(&self, words: &mut Printer) {
        words.word(&hex::encode(&self.bytes));
        words.pair("from", self.from.map(AppendOrigin::word));
    }

    fn needs(&self) -> Needs {
        Needs::Running
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        machine.count(1, self.bytes.len() as u64)?;
        let mut outcome = Outcome::default();
        machine.append_records(self.bytes.clone(), self.from.unwrap_or_default(), &mut outcome);
        Ok(outcome)
    }
}

/// `format v2`: how `append` writes from here on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Message format v1, one record a message, at least 34 B.
    #[default]
    V1,
    /// Record batch v2.
    V2,
}

impl Choice for Format {
    const WORDS: &'static [(&'static str, Format)] = &[("v1", Format::V1), ("v2", Format::V2)];
    const EXPECTED: &'static str = "`v1` or `v2`";
}

impl Words for Format {
    const NAME: &'static str = "format";
    const GRAMMAR: &'static str = "( \"v1\" | \"v2\" )";

    fn parse(args: &mut Args<'_, '_>) -> Result<Format, Fault> {
        args.bare(Format::EXPECTED)?.choice()
    }
}

impl Definition for Format {
    fn print(&self, words: &mut Printer) {
        words.word(self.word());
    }

    fn kind(&self) -> Kind {
        Kind::Declares
    }

    fn run(&self, machine: &mut Machine) -> Result<Outcome, Fault> {
        machine.format = *self;
        Ok(Outcome::default())
    }
}
