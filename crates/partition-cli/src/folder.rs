//! The folder of a partition as a listing: a line a segment, with what it waits for.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::Style;
use partition_log::PartitionState;
use partition_log::disk::{FileKind, FileName, Suffix, Vfs};
use partition_log::questions::segments::LogSegment;
use partition_log::questions::verdict::Verdict;
use partition_log::units::{Offset, TimestampMs, bytes, grouped};
use textwrap::core::display_width;

use crate::terminal::{FAINT, GONE, STRONG, left, right, styled, wrap};

/// Spaces between two columns.
const GAP: &str = "  ";

const HEADINGS: [&str; 5] = ["segment", "offsets", "size", "newest", "what it waits for"];

/// A line of the listing.
type Row = [String; 5];

/// Prints the folder, and where the group that reads it has committed.
pub fn write(state: &PartitionState, committed: Option<Offset>, width: usize, out: &mut impl Write) -> io::Result<()> {
    for line in wrap(&heading(state), width, 2) {
        writeln!(out, "{line}")?;
    }
    for line in wrap(&styled(FAINT, marks(state, committed)), width, 2) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    let live = state.log_segments().zip(state.verdicts());
    let deleted = state.deleted_segments().filter_map(|segment| {
        let gone_at = segment.gone_at()?;
        Some((segment, Verdict::Deleted { gone_at }))
    });
    let rows: Vec<Row> = deleted
        .chain(live)
        .map(|(segment, verdict)| row(segment, &verdict, state.clock()))
        .collect();
    table(&rows, width, out)?;
    let others = others(state);
    if !others.is_empty() {
        for line in wrap(&styled(FAINT, format!("Beside them: {others}")), width, 2) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// `The folder at 75 s: 4 segments, 745 B`.
fn heading(state: &PartitionState) -> String {
    let count = state.log_segments().len();
    let noun = if count == 1 { "segment" } else { "segments" };
    let size = |value: u64| bytes(value as i64);
    let mut text = format!(
        "The folder at {}: {} {noun}, {}",
        state.clock(),
        grouped(count as i64),
        size(state.log_size())
    );
    if state.deleted_size() > 0 {
        text.push_str(&format!(", and {} in .deleted files", size(state.deleted_size())));
    }
    styled(STRONG, text)
}

/// The offsets that stand for the whole partition.
fn marks(state: &PartitionState, committed: Option<Offset>) -> String {
    let mut marks = vec![
        format!("log start offset {}", state.log_start()),
        format!("high watermark {}", state.high_watermark()),
    ];
    if state.last_stable() != state.high_watermark() {
        marks.push(format!("last stable offset {}", state.last_stable()));
    }
    marks.push(format!("log end offset {}", state.log_end()));
    marks.extend(committed.map(|committed| format!("committed offset {committed}")));
    if !state.running() {
        let how = if state.clean_shutdown() {
            "stopped"
        } else {
            "not stopped cleanly"
        };
        marks.push(format!("the broker is down, {how}"));
    }
    marks.join(", ")
}

fn row(segment: LogSegment<'_>, verdict: &Verdict, now: TimestampMs) -> Row {
    let offsets = match segment.end() - segment.base() {
        0 => "none yet".to_string(),
        1 => segment.base().to_string(),
        count => format!("{} to {}", segment.base(), segment.base().get() + count - 1),
    };
    let [waits, _] = partition_story::verdict(verdict, now);
    let waits = if waits.is_empty() {
        "no limit takes it".to_string()
    } else {
        waits
    };
    let waits = match segment.is_active() && *verdict != Verdict::EmptyActive {
        true => format!("active, {waits}"),
        false => waits,
    };
    [
        name(segment.file(FileKind::Log)),
        offsets,
        bytes(segment.size() as i64),
        segment
            .largest_timestamp()
            .map_or_else(|| "–".to_string(), |newest| newest.to_string()),
        waits,
    ]
}

/// A file's name; the zeros at its front are there for its length only.
fn name(file: FileName) -> String {
    let name = file.to_string();
    let zeros = name.len() - name.trim_start_matches('0').len();
    // Of segment 0 one zero is its number.
    let zeros = zeros - usize::from(file.base == Offset::ZERO);
    let (zeros, rest) = name.split_at(zeros);
    let style = match file.suffix {
        Suffix::Deleted => GONE,
        _ => Style::new(),
    };
    styled(FAINT, zeros) + &styled(style, rest)
}

/// More segments than these are shown by the oldest and the newest ones.
const SEGMENTS: usize = 40;

/// Rows with the middle ones left out where they are many.
fn shown(rows: &[Row]) -> (&[Row], usize, &[Row]) {
    let left_out = if rows.len() > SEGMENTS {
        rows.len() - SEGMENTS / 2
    } else {
        0
    };
    let (first, rest) = rows.split_at(if left_out > 0 { SEGMENTS / 4 } else { rows.len() });
    (first, left_out, &rest[left_out..])
}

fn table(rows: &[Row], width: usize, out: &mut impl Write) -> io::Result<()> {
    let headings = HEADINGS.map(str::to_string);
    let all = || rows.iter().chain([&headings]);
    let columns: [usize; 4] =
        std::array::from_fn(|column| all().map(|row| display_width(&row[column])).max().unwrap_or(0));
    let behind: usize = columns.iter().sum::<usize>() + 4 * GAP.len();
    let line = |[name, offsets, size, newest, waits]: &Row, out: &mut dyn Write| -> io::Result<()> {
        let cells = [
            left(name, columns[0]),
            right(offsets, columns[1]),
            right(size, columns[2]),
            right(newest, columns[3]),
        ];
        let mut waits = wrap(waits, width.saturating_sub(behind).max(12), 0).into_iter();
        writeln!(out, "{}{GAP}{}", cells.join(GAP), waits.next().unwrap_or_default())?;
        waits.try_for_each(|rest| writeln!(out, "{}{rest}", left("", behind)))
    };
    line(&headings.map(|heading| styled(FAINT, heading)), out)?;
    let (first, left_out, last) = shown(rows);
    first.iter().try_for_each(|row| line(row, out))?;
    if left_out > 0 {
        writeln!(
            out,
            "{}",
            styled(FAINT, format!("… {} segments more …", grouped(left_out as i64)))
        )?;
    }
    last.iter().try_for_each(|row| line(row, out))
}

/// Files that are no segment's own: `leader-epoch-checkpoint, 2 .snapshot`.
fn others(state: &PartitionState) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut named = Vec::new();
    for file in state.files().list() {
        match file.kind {
            FileKind::Log | FileKind::Index | FileKind::TimeIndex => {}
            FileKind::LeaderEpochs => named.push(file.to_string()),
            kind => *kinds.entry(kind.extension()).or_default() += 1,
        }
    }
    named.extend(kinds.iter().map(|(kind, count)| format!("{count} {kind}")));
    named.join(", ")
}
