//! What the inspector shows: a record's bytes field by field, an index entry, a file, or the decision of a beat with
//! each clause, its numbers and its answer.

mod decisions;
mod things;

use partition_log::PartitionState;
use partition_log::disk::{FileKind, FileName, Vfs};
use partition_log::questions::inspect;
use partition_log::step::Step;
use partition_log::units::Offset;

pub use things::spaced_hex;

/// A thing or a decision, laid open.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(serde::Serialize, tsify::Tsify))]
pub struct Panel {
    /// What it is about: a key of the picture, or `decision`.
    pub key: String,
    /// For example `Record 9`.
    pub title: String,
    /// For example where its bytes are.
    pub subtitle: String,
    /// Its size, if it has one.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "Option::is_none"),
        tsify(optional)
    )]
    pub size: Option<String>,
    /// Its fields or clauses.
    pub sections: Vec<PanelSection>,
    /// Its parts to scale.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "Vec::is_empty"),
        tsify(optional)
    )]
    pub map: Vec<MapPart>,
}

/// Rows that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(serde::Serialize, tsify::Tsify))]
pub struct PanelSection {
    /// What they have in common.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "Option::is_none"),
        tsify(optional)
    )]
    pub title: Option<String>,
    /// The rows.
    pub rows: Vec<PanelRow>,
}

/// A field or a clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(serde::Serialize, tsify::Tsify))]
pub struct PanelRow {
    /// First byte, for a field.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "Option::is_none"),
        tsify(optional)
    )]
    pub at: Option<String>,
    /// Its bytes, for a field.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "Option::is_none"),
        tsify(optional)
    )]
    pub hex: Option<String>,
    /// Its name.
    pub name: String,
    /// Its value, or a clause's numbers.
    pub value: String,
    /// A clause's answer.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "Option::is_none"),
        tsify(optional)
    )]
    pub answer: Option<String>,
}

/// A part of a thing; `class` names the role that colours it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(serde::Serialize, tsify::Tsify))]
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
        "record" | "batch" => things::record(number, state),
        "segment" => things::file(number, FileKind::Log, state),
        "file" => things::file(number, kind_of(parts.next()?)?, state),
        "entry" => {
            let kind = kind_of(parts.next()?)?;
            things::entry(number, kind, parts.next()?.parse().ok()?, state)
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
    FileKind::OF_EVERY_SEGMENT
        .into_iter()
        .find(|kind| kind.extension()[1..] == *name)
}

fn of_step(step: &Step, trail: &[Step], state: &PartitionState) -> Option<Panel> {
    match step {
        Step::Appended { first_offset, .. } | Step::BatchScanned { first_offset, .. } => {
            things::record(*first_offset, state)
        }
        Step::IndexProbed(probe) => things::entry(probe.base, probe.kind, probe.entry_number, state),
        Step::IndexLookedUp {
            base,
            kind,
            entry_number: Some(entry_number),
            ..
        } => things::entry(*base, *kind, *entry_number, state),
        Step::IndexLookedUp {
            base,
            kind,
            entry_number: None,
            ..
        } => things::file(*base, *kind, state),
        Step::TimeSearchAnswered {
            found: Some((offset, _)),
            ..
        } => things::record(*offset, state),
        _ => decisions::of_step(step, trail),
    }
}

fn fact(name: impl Into<String>, value: impl Into<String>) -> PanelRow {
    PanelRow {
        name: name.into(),
        value: value.into(),
        ..PanelRow::default()
    }
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
        let mut partition = Partition::create(settings, 0).expect("sound settings");
        for size in [40, 55, 35, 60] {
            let timestamp = Some(TimestampMs::ZERO);
            partition
                .append(&NewBatch::Message {
                    size,
                    timestamp,
                    key: None,
                })
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
