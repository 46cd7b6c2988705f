//! Which batches of a log are drawn one by one, and which only counted.

use partition_log::questions::view::BatchView;

use crate::marks::scale::Scale;

/// A stretch of a log.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    /// One batch.
    One(&'a BatchView),
    /// Neighbours that would be too narrow one by one.
    Many {
        /// The first of them.
        first: &'a BatchView,
        /// The last of them.
        last: &'a BatchView,
        /// Their records.
        records: usize,
    },
}

impl Piece<'_> {
    /// First byte.
    pub fn from(&self) -> u64 {
        match self {
            Piece::One(batch) | Piece::Many { first: batch, .. } => batch.position.get().into(),
        }
    }

    /// The byte after the last.
    pub fn to(&self) -> u64 {
        match self {
            Piece::One(batch) | Piece::Many { last: batch, .. } => u64::from(batch.position.get()) + batch.size,
        }
    }
}

/// Pieces drawn one by one at most, beside those that are kept.
const MOST: usize = 40;

/// Cuts a log into pieces; a batch narrower than `least` is drawn only if `keep` says so.
pub fn pieces<'a>(
    batches: &'a [BatchView],
    scale: Scale,
    least: i32,
    keep: impl Fn(&BatchView) -> bool,
) -> Vec<Piece<'a>> {
    let wide = |batch: &BatchView| scale.length(batch.size) >= least;
    let all = batches.iter().filter(|batch| wide(batch)).count() <= MOST;
    let mut pieces = Vec::new();
    for batch in batches {
        if keep(batch) || (all && wide(batch)) {
            pieces.push(Piece::One(batch));
        } else if let Some(Piece::Many { last, records, .. }) = pieces.last_mut() {
            *last = batch;
            *records += batch.records.len();
        } else {
            pieces.push(Piece::Many {
                first: batch,
                last: batch,
                records: batch.records.len(),
            });
        }
    }
    pieces
}
