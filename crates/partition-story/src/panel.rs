//! What the inspector shows: a record's bytes field by field, an index entry, a file, or the decision of a beat with
//! each clause, its numbers and its answer.

use partition_log::PartitionState;
use partition_log::disk::{FileKind, FileName, Vfs};
use partition_log::format::batch::Field;
use partition_log::questions::inspect::{self, Inspected};
use partition_log::rules::fetch::{FetchRange, FetchSlice, RangeAnswer};
use partition_log::rules::index_entry::{IndexEntryDecision, TimeEntryDecision};
use partition_log::rules::reset::{ResetDecision, ResetPolicy, ResetReason};
use partition_log::rules::retention::{RetentionAnswer, RetentionDecision, RetentionOperands, RetentionRule};
use partition_log::rules::roll::{RollDecision, Waited};
use partition_log::step::Step;
use partition_log::units::{Offset, bytes, duration, grouped};

/// Bytes of a file that its panel shows.
const FILE_BYTES_SHOWN: u64 = 96;

/// Bytes in one line of hex.
const HEX_LINE: usize = 8;

/// A thing or a decision, laid open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// What it is about: a key of the picture, or `decision`.
    pub key: String,
    /// For example `Record 9`.
    pub title: String,
    /// For example where its bytes are.
    pub subtitle: String,
    /// Its size, if it has one.
    pub size: Option<String>,
    /// Its fields or clauses.
    pub sections: Vec<Section>,
    /// Its parts to scale.
    pub map: Vec<MapPart>,
}

/// Rows that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What they have in common.
    pub title: Option<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A field or a clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// First byte, for a field.
    pub at: Option<String>,
    /// Its bytes, for a field.
    pub hex: Option<String>,
    /// Its name.
    pub name: String,
    /// Its value, or a clause's numbers.
    pub value: String,
    /// A clause's answer.
    pub answer: Option<String>,
}

/// A part of a thing; `class` names the role that colours it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapPart {
    /// What it is.
    pub label: String,
    /// Its length in bytes.
    pub length: u64,
    /// Role of its colour.
    pub class: &'static str,
}

/// The panel of a beat: its decision, or the thing that it touched. `trail` holds the steps of the command so far, the
/// beat's own included; `state` is the state after them.
pub fn of_beat(steps: &[Step], trail: &[Step], state: &PartitionState) -> Option<Panel> {
    // A roll is about its clauses; the closing entry and the cut indexes come with it.
    let rolled = steps.iter().find(|step| matches!(step, Step::Rolled { .. }));
    let panel = rolled.and_then(|step| of_step(step, trail, state));
    panel.or_else(|| steps.iter().rev().find_map(|step| of_step(step, trail, state)))
}

/// The panel behind a key of the picture: `record/9`, `batch/8`, `entry/6/index/0`, `file/6/log`, `segment/6`.
/// `None` where the key is malformed, or its thing is not there.
pub fn of_key(key: &str, state: &PartitionState) -> Option<Panel> {
    let mut parts = key.split('/');
    let noun = parts.next()?;
    let number = parts.next()?.parse().ok().and_then(Offset::new)?;
    match noun {
        "record" | "batch" => of_record(number, state),
        "segment" => of_file(number, FileKind::Log, state),
        "file" => of_file(number, kind_of(parts.next()?)?, state),
        "entry" => {
            let kind = kind_of(parts.next()?)?;
            of_entry(number, kind, parts.next()?.parse().ok()?, state)
        }
        _ => None,
    }
}

/// The file behind a key of the picture: `file/6/index`, or the segment's `.log` for anything else in it.
pub fn file_of_key(key: &str, state: &PartitionState) -> Option<FileName> {
    let mut parts = key.split('/');
    let (noun, number) = (parts.next()?, parts.next()?.parse().ok().and_then(Offset::new)?);
    let file = match noun {
        "file" | "entry" => state.file(number, kind_of(parts.next()?)?),
        "segment" => state.file(number, FileKind::Log),
        "record" | "batch" => state.file(inspect::record(state, number)?.base, FileKind::Log),
        _ => return None,
    };
    state.files().apparent_size(file).map(|_| file)
}

fn kind_of(name: &str) -> Option<FileKind> {
    FileKind::ALL.into_iter().find(|kind| kind.extension()[1..] == *name)
}

fn of_step(step: &Step, trail: &[Step], state: &PartitionState) -> Option<Panel> {
    match step {
        Step::RollDecided(decision) => Some(of_roll(decision)),
        Step::Rolled { closed, .. } => trail.iter().rev().find_map(|earlier| match earlier {
            Step::RollDecided(decision) if decision.base == *closed => Some(of_roll(decision)),
            _ => None,
        }),
        Step::Appended { first_offset, .. } => of_record(*first_offset, state),
        Step::IndexEntryDecided(decision) => Some(of_index_entry(decision, trail)),
        Step::TimeEntryDecided(decision) => Some(of_time_entry(decision)),
        Step::CheckStarted { .. }
        | Step::RetentionRuleOff { .. }
        | Step::RetentionDecided(_)
        | Step::SegmentsDeleted { .. }
        | Step::CheckFinished { .. } => of_check(trail),
        Step::FetchRangeDecided(range) => Some(of_range(range)),
        Step::FetchSliceDecided(slice) => Some(of_slice(slice)),
        Step::ResetDecided(decision) => Some(of_reset(decision)),
        Step::FloorLookedUp { target, bases, found } => Some(of_floor(*target, bases, *found)),
        Step::IndexProbed(probe) => of_entry(probe.base, probe.kind, probe.slot, state),
        Step::IndexLookedUp {
            base,
            kind,
            slot: Some(slot),
            ..
        } => of_entry(*base, *kind, *slot, state),
        Step::IndexLookedUp {
            base, kind, slot: None, ..
        } => of_file(*base, *kind, state),
        Step::BatchScanned { first_offset, .. } => of_record(*first_offset, state),
        Step::TimeSearchAnswered {
            found: Some((offset, _)),
            ..
        } => of_record(*offset, state),
        Step::TimeSegmentProbed { target, .. } => Some(of_time_segments(*target, trail)),
        _ => None,
    }
}

fn decision(title: impl Into<String>, subtitle: impl Into<String>, rows: Vec<Row>) -> Panel {
    Panel {
        key: "decision".to_string(),
        title: title.into(),
        subtitle: subtitle.into(),
        size: None,
        sections: vec![Section { title: None, rows }],
        map: Vec::new(),
    }
}

fn clause(name: impl Into<String>, value: impl Into<String>, answer: impl Into<String>) -> Row {
    Row {
        name: name.into(),
        value: value.into(),
        answer: Some(answer.into()),
        ..Row::default()
    }
}

fn fact(name: impl Into<String>, value: impl Into<String>) -> Row {
    Row {
        name: name.into(),
        value: value.into(),
        ..Row::default()
    }
}

const fn yes(answer: bool) -> &'static str {
    if answer { "yes" } else { "no" }
}

const fn above(is: bool) -> &'static str {
    if is { ">" } else { "≤" }
}

fn of_roll(roll: &RollDecision) -> Panel {
    let total = roll.total();
    let exceeded = total > roll.segment_bytes;
    let size = format!(
        "{} + {} = {total} {} {}",
        roll.size,
        roll.append_size,
        above(exceeded),
        roll.segment_bytes
    );
    let waited = roll.waited.ms();
    let relation = above(waited > roll.waited_limit_ms);
    let limit = duration(roll.waited_limit_ms);
    let time = match roll.waited {
        _ if roll.size == 0 => "the segment is empty".to_string(),
        Waited::Timestamps {
            incoming: Some(incoming),
            first,
        } => {
            format!("{incoming} − {first} = {} {relation} {limit}", duration(waited))
        }
        Waited::Timestamps { incoming: None, .. } => "the record has no timestamp".to_string(),
        Waited::Clock { now, created } => format!("clock {now} − {created} = {} {relation} {limit}", duration(waited)),
    };
    let fill = |(entries, capacity): (u32, u32)| {
        format!("{} of {}", grouped(i64::from(entries)), grouped(i64::from(capacity)))
    };
    let rows = vec![
        clause("size", size, yes(roll.size_exceeded())),
        clause("time", time, yes(roll.time_exceeded())),
        clause("index full", fill(roll.offset_index), yes(roll.offset_index_full())),
        clause("time index full", fill(roll.time_index), yes(roll.time_index_full())),
        clause(
            "offset too far",
            format!(
                "{} − {} {} 2³¹",
                roll.append_last_offset,
                roll.base,
                if roll.offset_out_of_range() { "≥" } else { "<" }
            ),
            yes(roll.offset_out_of_range()),
        ),
    ];
    let title = format!("Roll before offset {}?", roll.append_last_offset);
    let subtitle = format!(
        "Asked before every append, of segment {}. One yes is enough.",
        roll.base
    );
    decision(title, subtitle, rows)
}

fn of_index_entry(entry: &IndexEntryDecision, trail: &[Step]) -> Panel {
    let counter = format!("{} {} {}", entry.counter, above(entry.due()), entry.interval);
    let mut rows = vec![clause("bytes since the last entry", counter, yes(entry.due()))];
    if entry.due() {
        rows.push(fact(".index", format!("{} → byte {}", entry.relative, entry.position)));
        let offered = trail.iter().rev().find_map(|step| match step {
            Step::TimeEntryDecided(decision) if decision.base == entry.base => Some(decision),
            _ => None,
        });
        if let Some(decision) = offered {
            rows.push(time_entry_row(decision));
        }
    }
    rows.push(fact("counter after it", format!("{} B", entry.counter_after())));
    decision(
        format!("Index entry for offset {}?", entry.last_offset),
        "The count does not include the record itself; an entry sets it back to 0 first.",
        rows,
    )
}

fn time_entry_row(entry: &TimeEntryDecision) -> Row {
    let value = match (entry.timestamp, entry.last) {
        (None, _) => "no timestamp in the segment".to_string(),
        (Some(timestamp), None) => format!("{timestamp} → {}, the first", entry.relative),
        (Some(timestamp), Some(last)) => {
            format!(
                "{timestamp} → {}, {timestamp} {} {last}",
                entry.relative,
                above(entry.written())
            )
        }
    };
    clause(".timeindex", value, yes(entry.written()))
}

fn of_time_entry(entry: &TimeEntryDecision) -> Panel {
    decision(
        format!("Time entry in segment {}?", entry.base),
        "The largest timestamp so far; written only above the last entry.",
        vec![time_entry_row(entry)],
    )
}

/// The clauses of the retention check that the trail ends in.
fn of_check(trail: &[Step]) -> Option<Panel> {
    let start = trail
        .iter()
        .rposition(|step| matches!(step, Step::CheckStarted { .. }))?;
    let Step::CheckStarted { now, log_size, .. } = &trail[start] else {
        return None;
    };
    let mut sections: Vec<Section> = Vec::new();
    for rule in RetentionRule::ALL {
        let mut title = rule_name(rule).to_string();
        let mut rows = Vec::new();
        for step in &trail[start..] {
            match step {
                Step::RetentionDecided(decided) if decided.rule() == rule => rows.push(retention_row(decided)),
                Step::RetentionRuleOff {
                    rule: off,
                    log_size,
                    limit,
                } if *off == rule => {
                    let value = if *limit < 0 {
                        "no limit is set".to_string()
                    } else {
                        format!("{} < {}", bytes(*log_size as i64), bytes(*limit))
                    };
                    rows.push(clause("", value, "off"));
                }
                _ => {}
            }
        }
        if let Some(limit) = trail[start..].iter().find_map(|step| limit_of(step, rule)) {
            title = format!("{title}, {limit}");
        }
        if !rows.is_empty() {
            sections.push(Section {
                title: Some(title),
                rows,
            });
        }
    }
    Some(Panel {
        key: "decision".to_string(),
        title: "Retention check".to_string(),
        subtitle: format!(
            "At {now}, log size {}. Three rules, oldest segment first; each stops at the first that it keeps.",
            bytes(*log_size as i64)
        ),
        size: None,
        sections,
        map: Vec::new(),
    })
}

const fn rule_name(rule: RetentionRule) -> &'static str {
    match rule {
        RetentionRule::LogStart => "Below the log start offset",
        RetentionRule::Size => "Size",
        RetentionRule::Time => "Age",
    }
}

/// The limit of a rule that was asked.
fn limit_of(step: &Step, rule: RetentionRule) -> Option<String> {
    match step {
        Step::RetentionDecided(decided) if decided.rule() == rule => match decided.operands {
            RetentionOperands::LogStart { .. } => None,
            RetentionOperands::Size { retention_bytes, .. } => Some(bytes(retention_bytes as i64)),
            RetentionOperands::Time { retention_ms, .. } => Some(duration(retention_ms)),
        },
        _ => None,
    }
}

fn retention_row(decided: &RetentionDecision) -> Row {
    let value = match decided.operands {
        _ if decided.answer() == RetentionAnswer::AboveHighWatermark => {
            format!("end {} > high watermark {}", decided.end, decided.high_watermark)
        }
        RetentionOperands::LogStart {
            next_base: Some(next),
            log_start,
        } => {
            format!("next base {next} {} {log_start}", above(!decided.holds()))
        }
        RetentionOperands::LogStart { next_base: None, .. } => "the last segment".to_string(),
        RetentionOperands::Size {
            log_size,
            retention_bytes,
            segment_size,
        } => {
            let excess = decided.measured();
            let relation = if decided.holds() { "≥" } else { "<" };
            format!("{log_size} − {retention_bytes} = {excess} {relation} {segment_size}")
        }
        RetentionOperands::Time {
            now,
            largest,
            retention_ms,
            ..
        } => {
            format!(
                "{now} − {largest} = {} {} {}",
                duration(decided.measured()),
                above(decided.holds()),
                duration(retention_ms)
            )
        }
    };
    let answer = match decided.answer() {
        RetentionAnswer::Delete => "delete",
        RetentionAnswer::Keep | RetentionAnswer::AboveHighWatermark => "keep",
        RetentionAnswer::EmptyActive => "keep, empty",
    };
    clause(format!("segment {}", decided.base), value, answer)
}

fn of_range(range: &FetchRange) -> Panel {
    let answer = match range.answer() {
        RangeAnswer::OutOfRange => "OFFSET_OUT_OF_RANGE",
        RangeAnswer::Empty => "nothing to read yet",
        RangeAnswer::Readable => "readable",
    };
    let requested = range.requested;
    let from_start = if requested < range.log_start { "<" } else { "≥" };
    let to_bound = if requested < range.high_watermark { "<" } else { "≥" };
    let rows = vec![
        clause(
            "log start offset",
            format!("{requested} {from_start} {}", range.log_start),
            yes(requested >= range.log_start),
        ),
        clause(
            "high watermark",
            format!("{requested} {to_bound} {}", range.high_watermark),
            yes(requested < range.high_watermark),
        ),
        clause(
            "log end offset",
            format!("{requested} {} {}", above(requested > range.log_end), range.log_end),
            yes(requested <= range.log_end),
        ),
    ];
    decision(
        format!("May offset {requested} be read?"),
        format!("Answer: {answer}."),
        rows,
    )
}

fn of_slice(slice: &FetchSlice) -> Panel {
    let left = slice.end.saturating_sub(u64::from(slice.start.get()));
    let rows = vec![
        fact("start", format!("byte {} of {}.log", slice.start, slice.base)),
        fact("left in the file", format!("{} − {} = {left}", slice.end, slice.start)),
        fact(
            "limit",
            format!(
                "max({}, first batch {}) = {}",
                slice.limit,
                slice.first_batch_size,
                slice.adjusted_limit()
            ),
        ),
        fact(
            "sent",
            format!("min({left}, {}) = {}", slice.adjusted_limit(), slice.length()),
        ),
    ];
    decision(
        "Bytes sent",
        "A slice of one file. The cut may fall inside a record; the consumer drops that rest.",
        rows,
    )
}

fn of_reset(reset: &ResetDecision) -> Panel {
    let goes_on = reset
        .target()
        .map_or("an exception".to_string(), |target| format!("offset {target}"));
    let mut rows = vec![clause("goes on at", reset.policy.to_string(), goes_on)];
    if let ResetReason::OutOfRange { requested } = reset.reason {
        rows.push(fact("offset asked for", requested.to_string()));
    }
    rows.push(fact("log start offset", reset.log_start.to_string()));
    rows.push(fact("high watermark", reset.high_watermark.to_string()));
    if let Some((target, found)) = reset.by_time {
        let found = found.map_or("no record that young".to_string(), |offset| format!("offset {offset}"));
        rows.push(fact(format!("first record from {target} on"), found));
    }
    rows.push(fact("never read", format!("{} records are gone", reset.lost())));
    rows.push(fact(
        "passed over",
        format!("{} records that are still there", reset.skipped()),
    ));
    let subtitle = match (reset.policy, reset.reason) {
        (ResetPolicy::None, ResetReason::OutOfRange { .. }) => "OffsetOutOfRangeException: the application decides.",
        (ResetPolicy::None, ResetReason::NoCommittedOffset) => {
            "NoOffsetForPartitionException: the application decides."
        }
        (_, ResetReason::OutOfRange { .. }) => "The offset is not in the log; auto.offset.reset decides.",
        (_, ResetReason::NoCommittedOffset) => "The group has no committed offset; auto.offset.reset decides.",
    };
    decision(format!("Reset: {}", reset.policy), subtitle, rows)
}

fn of_floor(target: Offset, bases: &[Offset], found: Option<Offset>) -> Panel {
    let rows = bases.iter().map(|base| {
        let answer = if Some(*base) == found {
            "this one"
        } else {
            yes(*base <= target)
        };
        clause(
            format!("segment {base}"),
            format!("{base} {} {target}", above(*base > target)),
            answer,
        )
    });
    decision(
        format!("Which segment holds offset {target}?"),
        "The one with the largest base offset not above it. The file names alone tell.",
        rows.collect(),
    )
}

fn of_time_segments(target: partition_log::TimestampMs, trail: &[Step]) -> Panel {
    let rows = trail.iter().filter_map(|step| match step {
        Step::TimeSegmentProbed {
            base,
            largest,
            searched,
            ..
        } => {
            let relation = if *searched { "≥" } else { "<" };
            let answer = if *searched { "search it" } else { "too old" };
            Some(clause(
                format!("segment {base}"),
                format!("{largest} {relation} {target}"),
                answer,
            ))
        }
        _ => None,
    });
    decision(
        format!("Which segment reaches {target}?"),
        "Oldest first: the first whose largest timestamp is not below it.",
        rows.collect(),
    )
}

fn of_record(offset: Offset, state: &PartitionState) -> Option<Panel> {
    let found = inspect::record(state, offset)?;
    let (title, format) = match found.magic {
        1 => (format!("Record {offset}"), "message format v1"),
        _ => (format!("Batch with offset {offset}"), "record batch v2"),
    };
    let last = found.position + found.size - 1;
    let value: u64 = found
        .fields
        .iter()
        .filter(|field| is_payload(field))
        .map(|field| field.bytes.len() as u64)
        .sum();
    let map = vec![
        MapPart {
            label: format!("{} B of framing", found.size - value),
            length: found.size - value,
            class: "framing",
        },
        MapPart {
            label: format!("{value} B of {}", payload_name(found.magic)),
            length: value,
            class: "log",
        },
    ];
    Some(Panel {
        key: format!("record/{offset}"),
        title,
        subtitle: format!("Bytes {} to {last} of {}.log, {format}", found.position, found.base),
        size: Some(bytes(found.size as i64)),
        sections: vec![Section {
            title: None,
            rows: field_rows(&found),
        }],
        map,
    })
}

fn is_payload(field: &Field) -> bool {
    matches!(field.name, "key" | "value" | "record")
}

const fn payload_name(magic: i8) -> &'static str {
    if magic == 1 { "key and value" } else { "records" }
}

fn of_entry(base: Offset, kind: FileKind, slot: u32, state: &PartitionState) -> Option<Panel> {
    let found = inspect::entry(state, base, kind, slot)?;
    let name = kind.extension();
    let class = if kind == FileKind::Index { "index" } else { "timeindex" };
    let map = found.fields.iter().map(|field| MapPart {
        label: format!("{} B {}", field.bytes.len(), field.name),
        length: field.bytes.len() as u64,
        class,
    });
    Some(Panel {
        key: format!("entry/{base}/{}/{slot}", &name[1..]),
        title: format!("Entry {slot} of {name}"),
        subtitle: format!(
            "Bytes {} to {} of {base}{name}",
            found.position,
            found.position + found.size - 1
        ),
        size: Some(bytes(found.size as i64)),
        sections: vec![Section {
            title: None,
            rows: field_rows(&found),
        }],
        map: map.collect(),
    })
}

fn field_rows(found: &Inspected) -> Vec<Row> {
    let row = |field: &Field| Row {
        at: Some(field.at.to_string()),
        hex: Some(spaced_hex(&field.bytes)),
        name: field.name.to_string(),
        value: field.value.clone(),
        answer: None,
    };
    found.fields.iter().map(row).collect()
}

fn of_file(base: Offset, kind: FileKind, state: &PartitionState) -> Option<Panel> {
    let key = format!("file/{base}/{}", &kind.extension()[1..]);
    let file = state.file(base, kind);
    let Some(apparent) = state.files().apparent_size(file) else {
        let known = state.bases().any(|live| live == base);
        return known.then(|| Panel {
            key,
            title: kind.extension().to_string(),
            subtitle: format!("{file}: not created yet. Kafka makes an index file when it is first needed."),
            size: None,
            sections: Vec::new(),
            map: Vec::new(),
        });
    };
    let used = state.files().used_size(file).unwrap_or(0);
    let mut rows = vec![
        fact("bytes used", bytes(used as i64)),
        fact("length of the file", bytes(apparent as i64)),
    ];
    match kind {
        FileKind::Index => rows.push(fact("entries, 8 B each", state.offset_entries(base).len().to_string())),
        FileKind::TimeIndex => rows.push(fact("entries, 12 B each", state.time_entries(base).len().to_string())),
        _ => {}
    }
    let shown = used.min(FILE_BYTES_SHOWN);
    let dump = state.files().read_at(file, 0, shown).unwrap_or_default();
    let lines = dump.chunks(HEX_LINE).enumerate().map(|(line, chunk)| Row {
        at: Some((line * HEX_LINE).to_string()),
        hex: Some(spaced_hex(chunk)),
        value: ascii(chunk),
        ..Row::default()
    });
    let mut sections = vec![Section { title: None, rows }];
    if shown > 0 {
        let title = if shown < used {
            format!("First {shown} of {} bytes", grouped(used as i64))
        } else {
            "Bytes".to_string()
        };
        sections.push(Section {
            title: Some(title),
            rows: lines.collect(),
        });
    }
    let purpose = match kind {
        FileKind::Log => "the records, back to back",
        FileKind::Index => "relative offset → byte position",
        FileKind::TimeIndex => "timestamp → relative offset",
        FileKind::TxnIndex => "aborted transactions",
        FileKind::Snapshot => "the state of the producers",
        FileKind::LeaderEpochs => "leader epoch → first offset",
    };
    Some(Panel {
        key,
        title: kind.extension().to_string(),
        subtitle: format!("{file}: {purpose}"),
        size: Some(bytes(used as i64)),
        sections,
        map: Vec::new(),
    })
}

/// Bytes as pairs of hex digits, a space between two.
pub fn spaced_hex(bytes: &[u8]) -> String {
    let pairs: Vec<String> = bytes.iter().map(|byte| hex::encode([*byte])).collect();
    pairs.join(" ")
}

fn ascii(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| {
            if (b' '..=b'~').contains(byte) {
                char::from(*byte)
            } else {
                '·'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use partition_log::config::Settings;
    use partition_log::format::batch::NewBatch;
    use partition_log::{Partition, TimestampMs};

    fn partition() -> Partition {
        let settings = Settings {
            segment_bytes: 300,
            index_interval_bytes: 80,
            ..Settings::default()
        };
        let mut partition = Partition::create(settings, 0).outcome.expect("sound settings");
        for size in [40, 55, 35, 60] {
            let timestamp = Some(TimestampMs::ZERO);
            partition
                .append(&NewBatch::Message {
                    size,
                    timestamp,
                    key: None,
                })
                .outcome
                .expect("it fits");
        }
        partition
    }

    #[test]
    fn a_records_fields_cover_its_bytes() {
        let partition = partition();
        let panel = of_key("record/2", partition.state()).expect("record 2 is there");
        assert_eq!(panel.subtitle, "Bytes 95 to 129 of 0.log, message format v1");
        let covered: usize = panel.sections[0]
            .rows
            .iter()
            .filter_map(|row| row.hex.as_ref())
            .map(|hex| hex.len().div_ceil(3))
            .sum();
        assert_eq!(covered, 35);
        assert_eq!(panel.map.iter().map(|part| part.length).sum::<u64>(), 35);
    }

    #[test]
    fn an_entry_and_a_file_open_by_their_keys() {
        let partition = partition();
        let entry = of_key("entry/0/index/0", partition.state()).expect("2 -> 95");
        assert_eq!(entry.sections[0].rows[0].hex.as_deref(), Some("00 00 00 02"));
        assert_eq!(entry.sections[0].rows[1].value, "byte 95");
        assert_eq!(
            of_key("file/0/timeindex", partition.state())
                .expect("it is there")
                .sections[0]
                .rows[0]
                .value,
            "12 B"
        );
        assert_eq!(
            file_of_key("record/1", partition.state()).map(|file| file.kind),
            Some(FileKind::Log)
        );
    }

    #[test]
    fn nonsense_keys_open_nothing() {
        let partition = partition();
        for key in [
            "",
            "record",
            "record/x",
            "record/-1",
            "record/99",
            "entry/0/index/9",
            "entry/0/log/0",
            "file/0/snapshot",
            "file/7/log",
            "clock",
        ] {
            assert_eq!(of_key(key, partition.state()), None, "{key}");
        }
    }
}
