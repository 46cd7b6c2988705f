//! What the page weighs, beside what it may weigh.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use brotli::CompressorWriter;

use crate::process::read;

/// A row of the table: some files of the page, and their budget in bytes where there is one.
#[derive(Debug)]
pub struct Weight {
    name: &'static str,
    raw: usize,
    brotli: usize,
    raw_max: Option<usize>,
    brotli_max: Option<usize>,
}

/// Weighs the page in this folder.
pub fn weigh(dist: &Path) -> Result<Vec<Weight>> {
    let one = |name: &str| vec![dist.join(name)];
    // A page loads the one of its width; the heaviest counts.
    let starts = files_in(&dist.join("recordings"), |name| name != "all.json")?;
    let start = starts
        .iter()
        .max_by_key(|file| file.metadata().map_or(0, |facts| facts.len()));
    let start: Vec<PathBuf> = start.cloned().into_iter().collect();
    let all = one("recordings/all.json");
    // Linked in the page's head, or imported by what is: page.js is not waited for, and the element imports the rest later.
    let needed = [one("pod.js"), one("pod.css")].concat();
    let first_next = [one("index.html"), needed.clone(), start.clone()].concat();
    let later = [
        one("page.js"),
        files_in(dist, |name| name.starts_with("pod-") && name.ends_with(".js"))?,
    ]
    .concat();
    let rows = [
        ("wasm", one("pod.wasm"), Some(140_000), Some(48_000)),
        ("HTML", one("index.html"), None, None),
        ("first JavaScript", one("pod.js"), None, None),
        ("CSS", one("pod.css"), None, None),
        ("first JavaScript + CSS", needed, None, Some(18_000)),
        ("first recording", start, None, None),
        ("until Next answers", first_next, None, Some(34_000)),
        ("later JavaScript", later, None, None),
        ("recordings, all", [all, starts].concat(), None, Some(8_000)),
    ];
    rows.into_iter()
        .map(|(name, files, raw_max, brotli_max)| {
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
                raw_max,
                brotli_max,
            })
        })
        .collect()
}

/// The rows that are over their budget, in words.
pub fn excess(weights: &[Weight]) -> Vec<String> {
    let over = |name: &str, kind: &str, actual: usize, budget: Option<usize>| {
        let budget = budget.filter(|&budget| actual > budget)?;
        Some(format!(
            "{name}: {actual} B {kind}, {} B over its budget of {budget} B",
            actual - budget
        ))
    };
    let of = |weight: &Weight| {
        [
            over(weight.name, "raw", weight.raw, weight.raw_max),
            over(weight.name, "Brotli", weight.brotli, weight.brotli_max),
        ]
    };
    weights.iter().flat_map(of).flatten().collect()
}

/// Prints the table.
pub fn print(weights: &[Weight]) {
    let mut table = format!(
        "{:<24}{:>12}{:>12}{:>12}{:>12}\n",
        "bytes", "raw", "budget", "Brotli", "budget"
    );
    let budget = |bytes: Option<usize>| bytes.map_or_else(|| String::from("-"), |bytes| bytes.to_string());
    for Weight {
        name,
        raw,
        brotli,
        raw_max,
        brotli_max,
    } in weights
    {
        let (raw_max, brotli_max) = (budget(*raw_max), budget(*brotli_max));
        writeln!(table, "{name:<24}{raw:>12}{raw_max:>12}{brotli:>12}{brotli_max:>12}").expect("a string takes all");
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

    fn row(raw: usize, brotli: usize) -> Weight {
        Weight {
            name: "row",
            raw,
            brotli,
            raw_max: Some(10),
            brotli_max: Some(5),
        }
    }

    #[test]
    fn a_budget_may_be_used_up_but_not_exceeded() {
        assert!(excess(&[row(10, 5)]).is_empty());
        assert_eq!(excess(&[row(10, 7)]), ["row: 7 B Brotli, 2 B over its budget of 5 B"]);
        assert_eq!(excess(&[row(11, 6)]).len(), 2);
    }

    #[test]
    fn compression_finds_repetition() -> anyhow::Result<()> {
        assert!(compressed_length(&[b'a'; 10_000])? < 30);
        Ok(())
    }
}
