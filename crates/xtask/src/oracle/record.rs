//! What Kafka answered, kept in a file, so that a test without Kafka can compare the model with it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use brotli::{CompressorWriter, Decompressor};
use partition_log::KAFKA_VERSION;
use partition_trace::{Archive, Header, Recorded};
use sha2::{Digest, Sha256};

use crate::maven::Program;
use crate::workspace::Workspace;

/// Where the demos, all scripts and random cases of the log are, from the project's root.
pub const LOG: &str = "tests/fixtures/kafka.jsonl.br";
/// Where random cases with a consumer are.
pub const CONSUMERS: &str = "tests/fixtures/kafka-consumers.jsonl.br";
const BUFFER: usize = 1 << 16;
const QUALITY: u32 = 9;
/// The whole recording, as a power of two.
const WINDOW: u32 = 24;

/// A recording.
pub struct Recording {
    out: CompressorWriter<BufWriter<File>>,
}

impl Recording {
    /// Begins one.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn create(workspace: &Workspace, path: &str, command: String, program: &Program) -> Result<Recording> {
        let path = workspace.root().join(path);
        let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut out = CompressorWriter::new(BufWriter::new(file), BUFFER, QUALITY, WINDOW);
        let archives = program.archives().map(archive).collect::<Result<Vec<Archive>>>()?;
        let header = Header {
            command,
            kafka: KAFKA_VERSION.to_string(),
            archives,
        };
        writeln!(out, "{}", serde_json::to_string(&header)?)?;
        Ok(Recording { out })
    }

    /// Adds a scenario.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn add(&mut self, recorded: Recorded) -> Result<()> {
        Ok(writeln!(self.out, "{}", serde_json::to_string(&recorded)?)?)
    }

    /// Ends it.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn finish(self) -> Result<()> {
        Ok(self.out.into_inner().flush()?)
    }
}

/// The scenarios of a recording, in its order.
///
/// # Errors
///
/// There is none, or a line of it cannot be read.
pub fn recorded(workspace: &Workspace, path: &str) -> Result<impl Iterator<Item = Result<Recorded>>> {
    let path = workspace.root().join(path);
    let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = BufReader::new(Decompressor::new(file, BUFFER)).lines();
    // The first line is the header.
    Ok(lines.skip(1).map(|line| Ok(serde_json::from_str(&line?)?)))
}

fn archive(path: &Path) -> Result<Archive> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let sha256 = hex::encode(Sha256::digest(&bytes));
    Ok(Archive { name, sha256 })
}
