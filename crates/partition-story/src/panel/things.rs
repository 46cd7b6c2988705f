//! A record, an index entry or a file, byte by byte.

use partition_log::PartitionState;
use partition_log::disk::{FileKind, Vfs};
use partition_log::format::batch::Field;
use partition_log::questions::inspect::{self, Inspected};
use partition_log::units::{Offset, bytes, grouped};

use super::{MapPart, Panel, PanelRow, PanelSection, fact};

/// Bytes of a file that its panel shows.
const FILE_BYTES_SHOWN: u64 = 96;

/// Bytes in one line of hex.
const HEX_LINE: usize = 8;

pub(super) fn record(offset: Offset, state: &PartitionState) -> Option<Panel> {
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
        sections: vec![PanelSection {
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

pub(super) fn entry(base: Offset, kind: FileKind, entry_number: u32, state: &PartitionState) -> Option<Panel> {
    let found = inspect::entry(state, base, kind, entry_number)?;
    let name = kind.extension();
    let class = if kind == FileKind::Index { "index" } else { "timeindex" };
    let map = found.fields.iter().map(|field| MapPart {
        label: format!("{} B {}", field.bytes.len(), field.name),
        length: field.bytes.len() as u64,
        class,
    });
    Some(Panel {
        key: format!("entry/{base}/{}/{entry_number}", &name[1..]),
        title: format!("Entry {entry_number} of {name}"),
        subtitle: format!(
            "Bytes {} to {} of {base}{name}",
            found.position,
            found.position + found.size - 1
        ),
        size: Some(bytes(found.size as i64)),
        sections: vec![PanelSection {
            title: None,
            rows: field_rows(&found),
        }],
        map: map.collect(),
    })
}

fn field_rows(found: &Inspected) -> Vec<PanelRow> {
    let row = |field: &Field| PanelRow {
        at: Some(field.at.to_string()),
        hex: Some(spaced_hex(&field.bytes)),
        name: field.name.to_string(),
        value: field.value.clone(),
        answer: None,
    };
    found.fields.iter().map(row).collect()
}

pub(super) fn file(base: Offset, kind: FileKind, state: &PartitionState) -> Option<Panel> {
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
    let lines = dump.chunks(HEX_LINE).enumerate().map(|(line, chunk)| PanelRow {
        at: Some((line * HEX_LINE).to_string()),
        hex: Some(spaced_hex(chunk)),
        value: ascii(chunk),
        ..PanelRow::default()
    });
    let mut sections = vec![PanelSection { title: None, rows }];
    if shown > 0 {
        let title = if shown < used {
            format!("First {shown} of {} bytes", grouped(used as i64))
        } else {
            "Bytes".to_string()
        };
        sections.push(PanelSection {
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
