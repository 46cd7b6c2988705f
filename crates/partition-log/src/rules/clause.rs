//! What a rule compared: one clause for each comparison, with its numbers. Code branches on [`Clause::holds`]; every text
//! and picture prints [`Clause::equation`]. Nobody compares or calculates again.

use core::fmt;

use crate::units::{TimestampMs, duration, grouped};

/// One comparison that a rule made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Clause {
    /// Which one.
    pub name: ClauseName,
    /// What was measured.
    pub left: Expression,
    /// The comparison that Kafka makes, as it makes it.
    pub relation: Relation,
    /// What it was compared with.
    pub right: Operand,
    /// The unit of all its numbers.
    pub unit: Unit,
    /// Why the comparison did not decide, if it did not.
    pub exemption: Option<Exemption>,
    /// The answer.
    pub holds: bool,
}

/// The comparisons of all rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClauseName {
    /// The append would pass `segment.bytes` (Kafka: `LogSegment.shouldRoll`).
    SegmentFull,
    /// The segment has waited longer than `segment.ms`.
    SegmentOld,
    /// The offset index has no room.
    OffsetIndexFull,
    /// The time index has no room but for its closing entry.
    TimeIndexFull,
    /// The offset does not fit 31 bits relative to the base.
    OffsetTooFar,
    /// More than `index.interval.bytes` was appended since the last entry (Kafka: `LogSegment.append`).
    IntervalPassed,
    /// The largest timestamp is above that of the last entry (Kafka: `TimeIndex.maybeAppend`).
    TimestampRisen,
    /// All of the segment is below the high watermark (Kafka: `UnifiedLog.deletableSegments`).
    BelowHighWatermark,
    /// The segment ends at the log start offset, or below it.
    BelowLogStart,
    /// The rest of the log would still reach `retention.bytes` without the segment.
    Surplus,
    /// The largest timestamp is older than `retention.ms`.
    TooOld,
    /// The last segment holds something.
    NotEmpty,
    /// A rule of retention has no limit.
    NoLimit,
    /// The log is below its limit.
    BelowLimit,
    /// The offset is not below the log start offset (Kafka: `UnifiedLog.read`).
    FromLogStart,
    /// The offset is not above the log end offset.
    UpToLogEnd,
    /// The offset is below what the reader may see.
    Visible,
    /// The first batch is larger than the limit, and is sent whole all the same (Kafka: `minOneMessage`).
    FirstBatchWhole,
    /// More bytes are left than may be sent.
    CutByLimit,
    /// The segment reaches above the recovery point (Kafka: `LogLoader.recoverLog`).
    AboveRecoveryPoint,
    /// A segment's base is not above the offset searched for (Kafka: `LogSegments.floorSegment`).
    BaseNotAbove,
    /// A segment's largest timestamp reaches the time searched for (Kafka: `UnifiedLog.fetchOffsetByTimestamp`).
    ReachesTime,
    /// An index entry is not above what is searched for (Kafka: `AbstractIndex.binarySearch`).
    EntryNotAbove,
    /// A batch holds the offset searched for, or a later one.
    ReachesOffset,
    /// A record is not older than the time searched for.
    NotBefore,
    /// A batch has exactly the largest timestamp.
    IsLargest,
    /// The leader epoch of a batch is above the one that the follower knows.
    EpochUnknown,
    /// The producer's epoch is accepted (Kafka: `ProducerAppendInfo.checkProducerEpoch`).
    ProducerEpoch,
    /// The sequence number is the next one (Kafka: `ProducerAppendInfo.checkSequence`).
    Sequence,
    /// The coordinator's epoch is not below the one known (Kafka: `ProducerAppendInfo.checkCoordinatorEpoch`).
    CoordinatorEpoch,
}

impl ClauseName {
    /// Its key in scripts, data and styles: lower case, words joined by hyphens.
    pub const fn key(self) -> &'static str {
        match self {
            ClauseName::SegmentFull => "size",
            ClauseName::SegmentOld => "time",
            ClauseName::OffsetIndexFull => "offset-index-full",
            ClauseName::TimeIndexFull => "time-index-full",
            ClauseName::OffsetTooFar => "offset-too-far",
            ClauseName::IntervalPassed => "interval-passed",
            ClauseName::TimestampRisen => "timestamp-risen",
            ClauseName::BelowHighWatermark => "below-high-watermark",
            ClauseName::BelowLogStart => "below-log-start",
            ClauseName::Surplus => "surplus",
            ClauseName::TooOld => "too-old",
            ClauseName::NotEmpty => "not-empty",
            ClauseName::NoLimit => "no-limit",
            ClauseName::BelowLimit => "below-limit",
            ClauseName::FromLogStart => "from-log-start",
            ClauseName::UpToLogEnd => "up-to-log-end",
            ClauseName::Visible => "visible",
            ClauseName::FirstBatchWhole => "first-batch-whole",
            ClauseName::CutByLimit => "cut-by-limit",
            ClauseName::AboveRecoveryPoint => "above-recovery-point",
            ClauseName::BaseNotAbove => "base-not-above",
            ClauseName::ReachesTime => "reaches-time",
            ClauseName::EntryNotAbove => "entry-not-above",
            ClauseName::ReachesOffset => "reaches-offset",
            ClauseName::NotBefore => "not-before",
            ClauseName::IsLargest => "is-largest",
            ClauseName::EpochUnknown => "epoch-unknown",
            ClauseName::ProducerEpoch => "producer-epoch",
            ClauseName::Sequence => "sequence",
            ClauseName::CoordinatorEpoch => "coordinator-epoch",
        }
    }
}

/// As [`ClauseName::key`] has it.
#[cfg(feature = "serde")]
impl serde::Serialize for ClauseName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}

/// What a number of a clause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Term {
    /// Bytes in a segment's `.log`.
    SegmentSize,
    /// Bytes about to be appended.
    AppendSize,
    /// Bytes of all live `.log` files.
    LogSize,
    /// Bytes since the last index entry (Kafka: `bytesSinceLastIndexEntry`).
    BytesSinceLastIndexEntry,
    /// Size of the first batch of a fetch.
    FirstBatchSize,
    /// A byte in a `.log`.
    Position,
    /// The most bytes that a fetch asks for.
    FetchLimit,
    /// The broker's clock.
    Clock,
    /// The timestamp of what is about to be appended.
    IncomingTimestamp,
    /// Largest timestamp of a segment's first batch.
    FirstTimestamp,
    /// Largest timestamp of a segment, or of a batch.
    LargestTimestamp,
    /// When a segment was created.
    Created,
    /// When a file was last changed, in place of a timestamp.
    FileTime,
    /// Timestamp of the last entry in a time index.
    LastEntryTimestamp,
    /// No timestamp: −1 (Kafka: `RecordBatch.NO_TIMESTAMP`).
    NoTimestamp,
    /// A time that is searched for.
    TargetTime,
    /// An offset.
    Offset,
    /// Base offset of a segment.
    BaseOffset,
    /// Base offset of the next segment.
    NextBase,
    /// The offset behind the last one of a segment.
    SegmentEnd,
    /// An offset that is asked for.
    TargetOffset,
    /// Log start offset.
    LogStart,
    /// High watermark.
    HighWatermark,
    /// Last stable offset.
    LastStable,
    /// Log end offset.
    LogEnd,
    /// Recovery point.
    RecoveryPoint,
    /// Entries in an index.
    Entries,
    /// Entries that an index can hold.
    Capacity,
    /// The entry that is kept free for the roll.
    ClosingEntry,
    /// A number in an index entry.
    EntryKey,
    /// A setting, by Kafka's name of it.
    Setting(&'static str),
    /// A limit that follows from the format.
    Limit,
    /// An epoch of a leader, a producer or a coordinator.
    Epoch,
    /// The epoch that is known.
    KnownEpoch,
    /// A producer's sequence number.
    Sequence,
    /// The sequence number that should come.
    ExpectedSequence,
}

/// A number, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Operand {
    /// In the unit of its clause; times in milliseconds.
    pub value: i64,
    /// What it is.
    pub of: Term,
}

impl Operand {
    /// A number of bytes, or an entry count; more than 2^63 − 1, which no file has, counts as that.
    pub(crate) fn size(value: u64, of: Term) -> Operand {
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        Operand { value, of }
    }

    pub(crate) const fn new(value: i64, of: Term) -> Operand {
        Operand { value, of }
    }
}

/// What stands on the left of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Expression {
    /// A number.
    Value(Operand),
    /// Two numbers added.
    Sum(Operand, Operand),
    /// The second taken from the first.
    Difference(Operand, Operand),
}

impl Expression {
    /// What it comes to. 128 bits hold every sum and difference.
    pub fn value(&self) -> i128 {
        match self {
            Expression::Value(value) => value.value.into(),
            Expression::Sum(first, second) => i128::from(first.value) + i128::from(second.value),
            Expression::Difference(first, second) => i128::from(first.value) - i128::from(second.value),
        }
    }

    fn operands(&self) -> (Operand, Option<(Operator, Operand)>) {
        match *self {
            Expression::Value(value) => (value, None),
            Expression::Sum(first, second) => (first, Some((Operator::Plus, second))),
            Expression::Difference(first, second) => (first, Some((Operator::Minus, second))),
        }
    }
}

#[derive(Clone, Copy)]
enum Operator {
    Plus,
    Minus,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Relation {
    /// `>`
    Above,
    /// `>=`
    AtLeast,
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `≠`
    NotEqual,
}

impl Relation {
    fn holds(self, left: i128, right: i128) -> bool {
        match self {
            Relation::Above => left > right,
            Relation::AtLeast => left >= right,
            Relation::Below => left < right,
            Relation::AtMost => left <= right,
            Relation::Equal => left == right,
            Relation::NotEqual => left != right,
        }
    }

    /// What is true where this is not.
    pub const fn negated(self) -> Relation {
        match self {
            Relation::Above => Relation::AtMost,
            Relation::AtLeast => Relation::Below,
            Relation::Below => Relation::AtLeast,
            Relation::AtMost => Relation::Above,
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
        }
    }
}

/// The unit of a clause's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Milliseconds: moments and spans.
    Time,
    /// Offsets, epochs, sequence numbers.
    Number,
    /// Index entries.
    Entries,
}

/// Why a comparison does not decide, though its numbers are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Exemption {
    /// The segment is empty.
    EmptySegment,
    /// There is no next segment.
    LastSegment,
    /// The broker was shut down cleanly.
    CleanShutdown,
    /// No sequence number is known.
    NoneKnown,
}

impl Clause {
    pub(crate) fn new(name: ClauseName, left: Expression, relation: Relation, right: Operand, unit: Unit) -> Clause {
        Clause {
            name,
            left,
            relation,
            right,
            unit,
            exemption: None,
            holds: relation.holds(left.value(), right.value.into()),
        }
    }

    pub(crate) fn value(name: ClauseName, left: Operand, relation: Relation, right: Operand, unit: Unit) -> Clause {
        Clause::new(name, Expression::Value(left), relation, right, unit)
    }

    /// The answer is settled by something else than the comparison.
    pub(crate) fn exempt(self, exemption: Exemption, holds: bool) -> Clause {
        Clause {
            exemption: Some(exemption),
            holds,
            ..self
        }
    }

    /// How far the left side is above the right one, in the clause's unit; negative where it is below.
    pub fn excess(&self) -> i128 {
        self.left.value() - i128::from(self.right.value)
    }

    /// The number that is this, if the clause has one.
    pub fn number(&self, of: Term) -> Option<i64> {
        let (first, rest) = self.left.operands();
        let all = [Some(first), rest.map(|(_, second)| second), Some(self.right)];
        all.into_iter()
            .flatten()
            .find(|operand| operand.of == of)
            .map(|operand| operand.value)
    }

    /// The comparison as it is true. What is added or subtracted has one unit, so that what is printed adds up; the right
    /// side has the same one, unless its number would be too long to read: `2 s - 0 s = 2 s <= 7 d`. Dates are written as
    /// such, and spans between them as people say them: `2026-03-03 10:00 - 2026-03-03 09:09 = 51 min <= 7 d`.
    pub fn equation(&self) -> Equation {
        let (first, rest) = self.left.operands();
        let result = self.left.value();
        if self.is_dated() {
            return self.dated();
        }
        let mut values = vec![result];
        values.extend(
            rest.iter()
                .flat_map(|(_, second)| [first.value.into(), i128::from(second.value)]),
        );
        let right = i128::from(self.right.value);
        let none = |operand: Operand| operand.of == Term::NoTimestamp;
        let own = Scale::of(self.unit, &values);
        let (scale, right_scale) = if none(self.right) {
            (own, None)
        } else if rest.is_none() && none(first) {
            (Scale::of(self.unit, &[right]), None)
        } else {
            values.push(right);
            let common = Scale::of(self.unit, &values);
            let nothing = values.iter().take(values.len() - 1).all(|value| *value == 0);
            if self.unit == Unit::Time && (nothing || (right / common.divisor).abs() >= READABLE) {
                (own, Some(Scale::of(self.unit, &[right])))
            } else {
                (common, None)
            }
        };
        let number = |operand: Operand| (scale.number(operand.value.into()), operand.of);
        let alone = |operand: Operand, scale: &Scale| match operand.of {
            Term::NoTimestamp => ("none".to_string(), operand.of),
            of => (scale.number(operand.value.into()), of),
        };
        Equation {
            first: if rest.is_some() {
                number(first)
            } else {
                alone(first, &scale)
            },
            second: rest.map(|(operator, second)| (matches!(operator, Operator::Minus), number(second))),
            result: rest.map(|_| scale.number(result)),
            relation: self.true_relation(),
            right: alone(self.right, right_scale.as_ref().unwrap_or(&scale)),
            suffix: scale.suffix,
        }
    }
}

impl Clause {
    /// Whether a time of it is a date.
    fn is_dated(&self) -> bool {
        let (first, rest) = self.left.operands();
        let mut all = [Some(first), rest.map(|(_, second)| second), Some(self.right)].into_iter();
        self.unit == Unit::Time && all.any(|operand| operand.is_some_and(Operand::is_date))
    }

    /// The comparison, with dates and spans.
    fn dated(&self) -> Equation {
        let (first, rest) = self.left.operands();
        let result = self.left.value();
        Equation {
            first: (first.time(), first.of),
            second: rest.map(|(operator, second)| {
                let taken = matches!(operator, Operator::Minus);
                (taken, (second.time(), second.of))
            }),
            result: rest.map(|_| match i64::try_from(result) {
                Ok(span) => duration(span),
                Err(_) => [&result.to_string(), " ms"].concat(),
            }),
            relation: self.true_relation(),
            right: (self.right.time(), self.right.of),
            suffix: "",
        }
    }

    /// The comparison that is true of the two sides.
    fn true_relation(&self) -> Relation {
        if self.relation.holds(self.left.value(), self.right.value.into()) {
            self.relation
        } else {
            self.relation.negated()
        }
    }
}

impl Operand {
    /// Its moment, unless it is a span.
    fn moment(self) -> Option<TimestampMs> {
        match self.of {
            Term::Setting(_) | Term::NoTimestamp | Term::Limit => None,
            _ => TimestampMs::stored(self.value),
        }
    }

    fn is_date(self) -> bool {
        self.moment().is_some_and(TimestampMs::is_date)
    }

    /// A moment as a date, or a span in words.
    fn time(self) -> String {
        match (self.moment(), self.of) {
            (Some(moment), _) => moment.dated(),
            (None, Term::NoTimestamp) => "none".to_string(),
            (None, _) => duration(self.value),
        }
    }
}

/// Numbers from here on are read more easily in a larger unit.
const READABLE: i128 = 10_000;

/// Terse: `size no (140 + 40 = 180 <= 300 B)`.
impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = if self.holds { "yes" } else { "no" };
        write!(f, "{} {answer} (", self.name.key())?;
        match self.exemption {
            Some(exemption) => exemption.fmt(f)?,
            None => self.equation().fmt(f)?,
        }
        f.write_str(")")
    }
}

/// Clauses one behind the other, as in a terse line.
pub(crate) fn write_clauses(f: &mut fmt::Formatter<'_>, clauses: &[Clause]) -> fmt::Result {
    for (index, clause) in clauses.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        write!(f, "{separator}{clause}")?;
    }
    Ok(())
}

impl fmt::Display for Exemption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exemption::EmptySegment => "the segment is empty",
            Exemption::LastSegment => "the last segment",
            Exemption::CleanShutdown => "clean shutdown",
            Exemption::NoneKnown => "none is known before it",
        })
    }
}

/// How numbers of one clause are written.
struct Scale {
    /// What one of the unit is in the clause's own.
    divisor: i128,
    /// Whether digits are grouped by threes.
    grouped: bool,
    /// Behind each number.
    each: &'static str,
    /// Once, behind the last number.
    suffix: &'static str,
}

impl Scale {
    fn of(unit: Unit, values: &[i128]) -> Scale {
        // A unit serves if it divides every number. Days, hours and minutes begin at two, so that 60 s and 90 s compare.
        let fits = |divisor: i128, least: i128| {
            values
                .iter()
                .all(|value| value % divisor == 0 && (*value == 0 || value.abs() >= least))
        };
        let plain = |grouped, suffix| Scale {
            divisor: 1,
            grouped,
            each: "",
            suffix,
        };
        match unit {
            Unit::Number => plain(false, ""),
            Unit::Entries => plain(true, ""),
            Unit::Bytes => {
                const UNITS: [(i128, &str); 2] = [(1 << 30, " GiB"), (1 << 20, " MiB")];
                let large = values.iter().any(|value| *value != 0);
                let found = UNITS.into_iter().find(|(divisor, _)| large && fits(*divisor, *divisor));
                let (divisor, suffix) = found.unwrap_or((1, " B"));
                Scale {
                    divisor,
                    ..plain(true, suffix)
                }
            }
            Unit::Time => {
                const UNITS: [(i128, i128, &str); 4] = [
                    (86_400_000, 2 * 86_400_000, " d"),
                    (3_600_000, 2 * 3_600_000, " h"),
                    (60_000, 2 * 60_000, " min"),
                    (1_000, 0, " s"),
                ];
                let moved = values.iter().any(|value| *value != 0);
                let found = UNITS
                    .into_iter()
                    .find(|(divisor, least, _)| (moved || *least == 0) && fits(*divisor, *least));
                let (divisor, _, each) = found.unwrap_or((1, 0, " ms"));
                Scale {
                    divisor,
                    each,
                    ..plain(true, "")
                }
            }
        }
    }

    fn number(&self, value: i128) -> String {
        let scaled = value / self.divisor;
        let digits = match (self.grouped, i64::try_from(scaled)) {
            (true, Ok(small)) => grouped(small),
            _ => scaled.to_string(),
        };
        digits + self.each
    }
}

/// A comparison in numbers, ready to be printed: `140 + 40 = 180 <= 300 B`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The first number.
    pub first: (String, Term),
    /// Whether the second is taken away, and the second number.
    pub second: Option<(bool, (String, Term))>,
    /// What they come to.
    pub result: Option<String>,
    /// The relation that is true.
    pub relation: Relation,
    /// What they are compared with.
    pub right: (String, Term),
    /// The unit behind the last number, with a space before it, where not every number has its own.
    pub suffix: &'static str,
}

/// The signs between the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signs {
    /// `-`, `<=`, `>=`, `!=`: scripts and terminals.
    Ascii,
    /// `−`, `≤`, `≥`, `≠`: pages and pictures.
    Typographic,
}

impl Relation {
    /// The sign.
    pub const fn sign(self, signs: Signs) -> &'static str {
        let ascii = matches!(signs, Signs::Ascii);
        match self {
            Relation::Above => ">",
            Relation::Below => "<",
            Relation::Equal => "=",
            Relation::AtLeast if ascii => ">=",
            Relation::AtMost if ascii => "<=",
            Relation::NotEqual if ascii => "!=",
            Relation::AtLeast => "≥",
            Relation::AtMost => "≤",
            Relation::NotEqual => "≠",
        }
    }

    /// In words, between two numbers.
    pub const fn words(self) -> &'static str {
        match self {
            Relation::Above => "above",
            Relation::AtLeast => "at least",
            Relation::Below => "below",
            Relation::AtMost => "not above",
            Relation::Equal => "equal to",
            Relation::NotEqual => "not equal to",
        }
    }
}

/// A part of a written equation: a number with what it is, or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// What the number is; `None` for signs, results and units.
    pub of: Option<Term>,
}

impl Equation {
    /// The measured side: `140 + 40 = 180`.
    pub fn measured(&self, signs: Signs) -> Vec<Piece> {
        let minus = if signs == Signs::Ascii { " - " } else { " − " };
        let mut pieces = vec![Piece::number(&self.first, signs)];
        if let Some((taken, second)) = &self.second {
            pieces.push(Piece::sign(if *taken { minus } else { " + " }));
            pieces.push(Piece::number(second, signs));
        }
        if let Some(result) = &self.result {
            pieces.push(Piece::sign(" = "));
            pieces.push(Piece::sign(&signed(result, signs)));
        }
        pieces
    }

    /// The other side, with the unit: `300 B`.
    pub fn limit(&self, signs: Signs) -> Vec<Piece> {
        let mut pieces = vec![Piece::number(&self.right, signs)];
        pieces.extend(self.unit());
        pieces
    }

    /// The same with a unit only where the next number has another one: `75 - 12 = 63 > 60 s`.
    pub fn unit_once(mut self) -> Equation {
        let mut next = unit(&self.right.0).to_string();
        let mut numbers: Vec<&mut String> = vec![&mut self.first.0];
        numbers.extend(self.second.as_mut().map(|(_, (text, _))| text));
        numbers.extend(self.result.as_mut());
        for number in numbers.into_iter().rev() {
            let own = unit(number).to_string();
            if own == next {
                number.truncate(number.len() - own.len());
            }
            next = own;
        }
        self
    }

    /// The same without the day, where all of its dates are of one: `09:51 - 09:00 = 51 min <= 7 d`.
    pub fn on_one_day(mut self) -> Equation {
        // What stands before the time of day, with the space behind it.
        let day = |number: &str| {
            number
                .contains(':')
                .then(|| number.find(' ').map(|at| number[..=at].to_string()))?
        };
        let mut numbers: Vec<&mut String> = vec![&mut self.first.0, &mut self.right.0];
        numbers.extend(self.second.as_mut().map(|(_, (text, _))| text));
        let mut days: Vec<String> = numbers.iter().filter_map(|number| day(number)).collect();
        days.dedup();
        if let [day] = &days[..] {
            for number in numbers {
                if let Some(time) = number.strip_prefix(&**day) {
                    *number = time.to_string();
                }
            }
        }
        self
    }

    /// The unit that stands once, where not every number has its own: ` B`.
    pub fn unit(&self) -> Option<Piece> {
        (!self.suffix.is_empty()).then(|| Piece::sign(self.suffix))
    }

    /// What the measured side comes to, without its parts: `180`.
    pub fn outcome(&self, signs: Signs) -> String {
        signed(self.result.as_ref().unwrap_or(&self.first.0), signs)
    }

    /// All of it: `140 + 40 = 180 ≤ 300 B`.
    pub fn pieces(&self, signs: Signs) -> Vec<Piece> {
        let mut pieces = self.measured(signs);
        pieces.push(Piece::sign(&[" ", self.relation.sign(signs), " "].concat()));
        pieces.extend(self.limit(signs));
        pieces
    }

    /// All of it in one text.
    pub fn text(&self, signs: Signs) -> String {
        self.pieces(signs).into_iter().map(|piece| piece.text).collect()
    }
}

impl Piece {
    fn number((text, of): &(String, Term), signs: Signs) -> Piece {
        Piece {
            text: signed(text, signs),
            of: Some(*of),
        }
    }

    fn sign(text: &str) -> Piece {
        Piece {
            text: text.to_string(),
            of: None,
        }
    }
}

/// What stands behind the digits of a number, with the space before it; nothing behind a date, or a span of several units.
fn unit(number: &str) -> &str {
    let behind = number.find(' ').map_or("", |at| &number[at..]);
    if behind.bytes().any(|byte| byte.is_ascii_digit()) {
        ""
    } else {
        behind
    }
}

/// A number below 0 with the minus of the kind.
fn signed(number: &str, signs: Signs) -> String {
    match (number.strip_prefix('-'), signs) {
        (Some(digits), Signs::Typographic) => ["−", digits].concat(),
        _ => number.to_string(),
    }
}

impl fmt::Display for Equation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Signs::Ascii))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn age(now: i64, largest: i64, limit: i64) -> Clause {
        Clause::new(
            ClauseName::TooOld,
            Expression::Difference(
                Operand::new(now, Term::Clock),
                Operand::new(largest, Term::LargestTimestamp),
            ),
            Relation::Above,
            Operand::new(limit, Term::Setting("retention.ms")),
            Unit::Time,
        )
    }

    #[test]
    fn all_numbers_of_an_equation_have_one_unit() {
        for (clause, text) in [
            (age(75_000, 12_000, 60_000), "75 s - 12 s = 63 s > 60 s"),
            (age(2_050, 50, 1_000), "2,050 ms - 50 ms = 2,000 ms > 1,000 ms"),
            (age(600_000, 0, 600_000), "10 min - 0 min = 10 min <= 10 min"),
            (age(0, 0, 604_800_000), "0 s - 0 s = 0 s <= 7 d"),
            (age(0, 0, 0), "0 s - 0 s = 0 s <= 0 s"),
            (age(5_000, -1, 6_000), "5,000 ms - -1 ms = 5,001 ms <= 6,000 ms"),
            (age(2_000, 0, 604_800_000), "2 s - 0 s = 2 s <= 7 d"),
            (age(2_050, 50, 60_000), "2,050 ms - 50 ms = 2,000 ms <= 60 s"),
        ] {
            assert_eq!(clause.equation().to_string(), text);
        }
        for (clause, text) in [
            (age(75_000, 12_000, 60_000), "75 - 12 = 63 > 60 s"),
            (age(2_050, 50, 1_000), "2,050 - 50 = 2,000 > 1,000 ms"),
            (age(2_000, 0, 604_800_000), "2 - 0 = 2 s <= 7 d"),
        ] {
            assert_eq!(clause.equation().unit_once().to_string(), text);
        }
        let nine = 1_772_528_400_000;
        for (clause, text) in [
            (
                age(nine + 3_060_000, nine, 604_800_000),
                "2026-03-03 09:51 - 2026-03-03 09:00 = 51 min <= 7 d",
            ),
            (age(nine, nine, 0), "2026-03-03 09:00 - 2026-03-03 09:00 = 0 s <= 0 s"),
            (
                age(nine, 31_000, 60_000),
                "2026-03-03 09:00 - 1970-01-01 00:00:31 = 20,515 d 8 h 59 min 29 s > 60 s",
            ),
        ] {
            assert_eq!(clause.equation().to_string(), text);
            // The unit of two spans stands once; a date has none.
            let once = clause.equation().unit_once().to_string();
            assert_eq!(once, text.replace("0 s <=", "0 <="));
        }
        for (clause, text) in [
            (
                age(nine + 3_060_000, nine, 604_800_000),
                "09:51 - 09:00 = 51 min <= 7 d",
            ),
            (
                age(nine + 86_400_000, nine, 60_000),
                "2026-03-04 09:00 - 2026-03-03 09:00 = 24 h > 60 s",
            ),
            (age(75_000, 12_000, 60_000), "75 s - 12 s = 63 s > 60 s"),
        ] {
            assert_eq!(clause.equation().on_one_day().to_string(), text);
        }
        let signs = Signs::Typographic;
        assert_eq!(age(0, 2_000, 1_000).equation().text(signs), "0 s − 2 s = −2 s ≤ 1 s");
    }

    #[test]
    fn bytes_have_their_unit_once_and_the_largest_that_divides_all() {
        let surplus = |log, limit, segment| {
            Clause::new(
                ClauseName::Surplus,
                Expression::Difference(
                    Operand::size(log, Term::LogSize),
                    Operand::size(limit, Term::Setting("retention.bytes")),
                ),
                Relation::AtLeast,
                Operand::size(segment, Term::SegmentSize),
                Unit::Bytes,
            )
        };
        assert_eq!(
            surplus(950, 600, 270).equation().to_string(),
            "950 - 600 = 350 >= 270 B"
        );
        assert_eq!(
            surplus(4 << 30, 3 << 30, 1 << 30).equation().to_string(),
            "4 - 3 = 1 >= 1 GiB"
        );
        assert_eq!(
            surplus(5 << 20, 4 << 20, 10).equation().to_string(),
            "5,242,880 - 4,194,304 = 1,048,576 >= 10 B"
        );
        assert!(!surplus(0, u64::MAX, 1).holds);
    }
}
