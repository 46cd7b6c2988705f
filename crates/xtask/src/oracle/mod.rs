//! Kafka as the judge: a scenario's operations are done to the model and to Apache Kafka's own log, and compared.
//!
//! The other side is the program in `tests/oracle`. After every operation the marks, what was read or found, and the name,
//! length and bytes of every file have to be the same.

mod kafka;
mod random;
mod shrink;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use partition_log::KAFKA_VERSION;
use partition_story::{InputValues, Story, demos, parse};
use partition_trace::{Played, of_story};

use self::kafka::{Difference, Kafka};
use crate::maven::{self, Maven};
use crate::process::say;
use crate::workspace::Workspace;

/// What to compare.
pub struct Scope<'a> {
    /// Scenario files; without any, and without traces, the demos and all scripts.
    pub files: &'a [PathBuf],
    /// How many scenarios by chance.
    pub traces: u64,
    /// The first of their seeds.
    pub seed: u64,
}

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No difference.
    Same,
    /// Some, all said.
    Different,
    /// This machine has no JDK or no Maven.
    Unavailable,
}

impl Scope<'_> {
    /// The demos and all scripts.
    pub const ALL: Scope<'static> = Scope {
        files: &[],
        traces: 0,
        seed: 0,
    };

    fn scripts(&self, workspace: &Workspace) -> Result<Vec<(String, String)>> {
        if !self.files.is_empty() {
            named(self.files)
        } else if self.traces == 0 {
            all_scripts(workspace)
        } else {
            Ok(Vec::new())
        }
    }

    fn by_chance(&self) -> impl Iterator<Item = (String, String)> {
        let seeds = self.seed..self.seed.saturating_add(self.traces);
        seeds.map(|seed| (format!("seed {seed}"), random::scenario(seed)))
    }
}

/// Compares scenarios.
///
/// # Errors
///
/// The comparison could not be made.
pub fn run(workspace: &Workspace, scope: &Scope<'_>) -> Result<Verdict> {
    let Some(maven) = Maven::find() else {
        eprintln!("{}", maven::MISSING);
        return Ok(Verdict::Unavailable);
    };
    let scripts = scope.scripts(workspace)?;
    let program = maven.compile(workspace, "oracle")?;
    say(&format!(
        "comparing {} scenarios with Apache Kafka {KAFKA_VERSION}",
        scripts.len() as u64 + scope.traces
    ));
    let mut kafka = Kafka::start(&program)?;
    let (mut same, mut different, mut left_out) = (0, 0, 0);
    for (name, text) in scripts.into_iter().chain(scope.by_chance()) {
        match played(&text) {
            Err(reason) => {
                left_out += 1;
                println!("left out {name}: {reason}");
            }
            Ok(played) if kafka.judge(&played)?.is_none() => same += 1,
            Ok(_) => {
                different += 1;
                let short = shrink::shortest(&text, |candidate| {
                    fails(&mut kafka, candidate).map(|found| found.is_some())
                })?;
                if let Some((played, difference)) = fails(&mut kafka, &short)? {
                    println!("different {name}: {}\n{short}", described(&played, &difference));
                }
            }
        }
    }
    kafka.end()?;
    println!("{same} the same, {different} different, {left_out} left out");
    Ok(if different == 0 {
        Verdict::Same
    } else {
        Verdict::Different
    })
}

/// Whether a scenario shows a difference: what was played, and where it is.
fn fails(kafka: &mut Kafka, text: &str) -> Result<Option<(Vec<Played>, Difference)>> {
    let Ok(played) = played(text) else { return Ok(None) };
    Ok(kafka.judge(&played)?.map(|difference| (played, difference)))
}

fn described(played: &[Played], difference: &Difference) -> String {
    let Difference {
        turn,
        field,
        model,
        kafka,
    } = difference;
    let request = played
        .get(*turn)
        .and_then(|played| serde_json::to_string(&played.turn).ok());
    format!(
        "operation {} ({}), {field}\n  model {model}\n  Kafka {kafka}",
        turn + 1,
        request.unwrap_or_default()
    )
}

/// What a scenario asks of both sides, or why it cannot be asked of Kafka's log alone.
fn played(text: &str) -> Result<Vec<Played>, &'static str> {
    let refused = |_| "it is refused before it runs";
    let scenario = parse(text).map_err(refused)?;
    let story = Story::run(&scenario, &InputValues::defaults()).map_err(refused)?;
    of_story(&story)
}

/// The demos and the scripts under `tests/scripts`, by name.
fn all_scripts(workspace: &Workspace) -> Result<Vec<(String, String)>> {
    let mut scripts: Vec<(String, String)> = demos()
        .iter()
        .map(|demo| (demo.id.to_string(), demo.text.to_string()))
        .collect();
    let folder = workspace.root().join("tests/scripts");
    let mut files = Vec::new();
    for topic in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let topic = topic?.path();
        // The demos come with the story; what is refused before it runs cannot be asked of anyone.
        if topic.is_dir() && !topic.ends_with("demos") && !topic.ends_with("bad-input") {
            files.extend(
                fs::read_dir(topic)?
                    .collect::<Result<Vec<_>, _>>()?
                    .into_iter()
                    .map(|entry| entry.path()),
            );
        }
    }
    files.retain(|file| file.extension().is_some_and(|ending| ending == "pod"));
    files.sort();
    scripts.extend(named(&files)?.into_iter().map(|(name, text)| {
        let short = Path::new(&name)
            .strip_prefix(&folder)
            .map_or(name.clone(), |short| short.display().to_string());
        (short, text)
    }));
    Ok(scripts)
}

fn named(files: &[PathBuf]) -> Result<Vec<(String, String)>> {
    let load = |file: &PathBuf| {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok((file.display().to_string(), text))
    };
    files.iter().map(load).collect()
}
