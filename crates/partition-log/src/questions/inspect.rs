//! The bytes of a record or an index entry, field by field.

use crate::disk::FileKind;
use crate::format::batch::{self, Field};
use crate::format::index::{offset_entry, time_entry};
use crate::state::PartitionState;
use crate::units::{Offset, Position, grouped};

/// The bytes of one batch, and where they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspected {
    /// Base offset of the segment.
    pub base: Offset,
    /// First byte in the file.
    pub position: u64,
    /// Size in bytes.
    pub size: u64,
    /// Format of the batch: 1 or 2; 0 for an index entry.
    pub magic: i8,
    /// Its fields, in the order of the bytes.
    pub fields: Vec<Field>,
}

/// The batch that holds an offset, in a live or a deleted segment; `None` if its bytes are gone.
pub fn record(state: &PartitionState, offset: Offset) -> Option<Inspected> {
    let deleted = state.deleted().keys();
    let base = state.bases().chain(deleted).filter(|base| *base <= offset).max()?;
    let bytes = state.files().used(state.file(base, FileKind::Log))?;
    let (position, header, batch) = batch::batches(bytes, Position::ZERO)
        .find(|(_, header, _)| (header.first_offset..=header.last_offset).contains(&offset))?;
    let position = u64::from(position.get());
    let fields = batch::read_fields(&batch.bytes(), position).ok()?;
    Some(Inspected {
        base,
        position,
        size: header.size,
        magic: header.magic,
        fields,
    })
}

/// An entry of an index, in a live or a deleted segment.
pub fn entry(state: &PartitionState, base: Offset, kind: FileKind, entry_number: u32) -> Option<Inspected> {
    let bytes = state.files().used(state.file(base, kind))?;
    let field = |at: u64, bytes: &[u8], name, value| Field {
        at,
        bytes: bytes.to_vec(),
        name,
        value,
    };
    let (position, fields) = match kind {
        FileKind::Index => {
            let entry = offset_entry(bytes, entry_number)?;
            let at = u64::from(entry_number) * 8;
            let raw = entry.to_bytes();
            let offset = entry.relative.absolute(base);
            let relative = format!("{} (offset {base} + {} = {offset})", entry.relative, entry.relative);
            let fields = vec![
                field(at, &raw[..4], "relative offset", relative),
                field(at + 4, &raw[4..], "position", format!("byte {}", entry.position)),
            ];
            (at, fields)
        }
        FileKind::TimeIndex => {
            let entry = time_entry(bytes, entry_number)?;
            let at = u64::from(entry_number) * 12;
            let raw = entry.to_bytes();
            let offset = entry.relative.absolute(base);
            let ms = entry.timestamp.get();
            let relative = format!("{} (offset {base} + {} = {offset})", entry.relative, entry.relative);
            let fields = vec![
                field(
                    at,
                    &raw[..8],
                    "timestamp",
                    format!("{} ms = {}", grouped(ms), entry.timestamp),
                ),
                field(at + 8, &raw[8..], "relative offset", relative),
            ];
            (at, fields)
        }
        _ => return None,
    };
    let size = fields.iter().map(|field| field.bytes.len() as u64).sum();
    Some(Inspected {
        base,
        position,
        size,
        magic: 0,
        fields,
    })
}
