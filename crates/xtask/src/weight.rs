//! What the page weighs, beside its goal and its limit.
//!
//! The goal is where it shall come; the limit is a ratchet a little above where it is, so that nothing grows unseen. Lower
//! the limits when the page gets lighter.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use brotli::CompressorWriter;

use crate::page::FIRST_DEMO;
use crate::process::read;

/// A row of the table: some files of the page; goal and limit in bytes after Brotli, where there are any.
#[derive(Debug)]
pub struct Weight {
    name: &'static str,
    raw: usize,
    brotli: usize,
    goal: Option<usize>,
    limit: Option<usize>,
}

/// Weighs the page in this folder.
pub fn weigh(dist: &Path) -> Result<Vec<Weight>> {
    let one = |name: &str| vec![dist.join(name)];
    let recordings = dist.join("recordings");
    // A page loads the one of its width; the heaviest counts.
    let recording = |demo: &str| heaviest(&recordings, |name| name.starts_with(&format!("{demo}.")));
    let start = recording(FIRST_DEMO)?;
    // Linked in the page's head, or imported by what is: page.js is not waited for, and the element imports the rest later.
    let needed = [one("pod.js"), one("pod.css")].concat();
    let first_next = [one("index.html"), needed.clone(), start].concat();
    let later = [
        one("page.js"),
        files_in(dist, |name| name.starts_with("pod-") && name.ends_with(".js"))?,
    ]
    .concat();
    let details = heaviest(&recordings, |name| name.matches('.').count() == 1)?;
    let mut rows = vec![
        weight("wasm", one("pod.wasm"), Some(200_000), Some(280_000))?,
        weight("HTML", one("index.html"), None, Some(15_000))?,
        weight("first JavaScript", one("pod.js"), None, None)?,
        weight("CSS", one("pod.css"), None, None)?,
        weight("first JavaScript + CSS", needed, Some(18_000), Some(21_000))?,
        weight("until Next answers", first_next, Some(34_000), Some(40_000))?,
        weight("later JavaScript", later, None, Some(11_000))?,
    ];
    for demo in partition_story::demos() {
        rows.push(weight(demo.id, recording(demo.id)?, Some(5_000), Some(6_250))?);
    }
    rows.push(weight("details of a recording", details, None, Some(1_000))?);
    Ok(rows)
}

fn weight(name: &'static str, files: Vec<PathBuf>, goal: Option<usize>, limit: Option<usize>) -> Result<Weight> {
    let (mut raw, mut brotli) = (0, 0);
    for file in files.iter().filter(|file| file.is_file()) {
        let content = read(file)?;
        raw += content.len();
        brotli += compressed_length(&content)?;
    }
    Ok(Weight {
        name,
        raw,
        brotli,
        goal,
        limit,
    })
}

/// The largest of the files whose names are wanted.
fn heaviest(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let files = files_in(folder, wanted)?;
    let largest = files
        .into_iter()
        .max_by_key(|file| file.metadata().map_or(0, |facts| facts.len()));
    Ok(largest.into_iter().collect())
}

/// The rows that are over their limit, in words.
pub fn excess(weights: &[Weight]) -> Vec<String> {
    let over = |weight: &Weight| {
        let limit = weight.limit.filter(|&limit| weight.brotli > limit)?;
        let (name, brotli) = (weight.name, weight.brotli);
        Some(format!(
            "{name}: {brotli} B Brotli, {} B over its limit of {limit} B",
            brotli - limit
        ))
    };
    weights.iter().filter_map(over).collect()
}

/// Prints the table.
pub fn print(weights: &[Weight]) {
    let mut table = format!(
        "{:<24}{:>12}{:>12}{:>12}{:>12}\n",
        "bytes", "raw", "Brotli", "goal", "limit"
    );
    let show = |bytes: Option<usize>| bytes.map_or_else(|| String::from("-"), |bytes| bytes.to_string());
    for Weight {
        name,
        raw,
        brotli,
        goal,
        limit,
    } in weights
    {
        let (goal, limit) = (show(*goal), show(*limit));
        writeln!(table, "{name:<24}{raw:>12}{brotli:>12}{goal:>12}{limit:>12}").expect("a string takes all");
    }
    print!("{table}");
}

/// The files of a folder whose names are wanted.
fn files_in(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let entries = entries.collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<PathBuf> = entries
        .into_iter()
        .filter(|entry| entry.file_name().to_str().is_some_and(&wanted))
        .map(|entry| entry.path())
        .collect();
    files.sort();
    Ok(files)
}

/// The length as a server sends it: Brotli at its best level.
fn compressed_length(content: &[u8]) -> Result<usize> {
    const BUFFER: usize = 4096;
    const QUALITY: u32 = 11;
    const WINDOW_BITS: u32 = 22;
    let mut writer = CompressorWriter::new(Vec::new(), BUFFER, QUALITY, WINDOW_BITS);
    writer.write_all(content)?;
    Ok(writer.into_inner().len())
}

#[cfg(test)]
mod tests {
    use super::{Weight, compressed_length, excess};

    #[test]
    fn a_limit_may_be_reached_but_not_exceeded() {
        let row = |brotli| Weight {
            name: "row",
            raw: 10,
            brotli,
            goal: Some(3),
            limit: Some(5),
        };
        assert!(excess(&[row(5)]).is_empty());
        assert_eq!(excess(&[row(7)]), ["row: 7 B Brotli, 2 B over its limit of 5 B"]);
    }

    #[test]
    fn compression_finds_repetition() -> anyhow::Result<()> {
        assert!(compressed_length(&[b'a'; 10_000])? < 30);
        Ok(())
    }
}
