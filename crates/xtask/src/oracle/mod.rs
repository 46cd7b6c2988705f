//! Kafka as the judge: a scenario's operations are done to the model and to Apache Kafka's own log, and compared.
//!
//! The other side is the program in `tests/oracle`. After every operation the marks, what was read or found, and the name,
//! length and bytes of every file have to be the same.

mod case;
mod kafka;
mod random;
mod record;
mod shrink;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use partition_log::KAFKA_VERSION;
use partition_story::demos;
use partition_trace::{Played, Recorded};

use self::case::Case;
use self::kafka::{Difference, Kafka, first_difference};
pub use self::random::Feature;
use self::record::Recording;
use crate::maven::{self, Maven};
use crate::process::{self, say};
use crate::workspace::Workspace;

/// What to compare.
pub struct Scope<'a> {
    /// Files of scenarios, or of operations (`.jsonl`); without any, and without random cases, the demos, all scripts, and
    /// the operations that once came out differently, in `tests/oracle/cases`.
    pub files: &'a [PathBuf],
    /// How many random scenarios.
    pub traces: u64,
    /// How many random sequences of operations.
    pub operations: u64,
    /// How many of them with a consumer.
    pub consumers: u64,
    /// What these may do.
    pub features: &'a [Feature],
    /// The first of their seeds.
    pub seed: u64,
    /// Whether Kafka's answers are written down: of the demos, of all scripts, and of the random cases.
    pub record: bool,
}

/// How many differences are explained: making them short takes its time, and one cause often shows many times.
const SHOWN: usize = 3;

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
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
        operations: 0,
        consumers: 0,
        features: &[],
        seed: 0,
        record: false,
    };

    fn scenarios(&self, workspace: &Workspace) -> Result<Vec<(String, Case)>> {
        let texts = if !self.files.is_empty() {
            named(self.files)?
        } else if self.recording() == Some(record::LOG) || self.cases() == 0 {
            let operations = process::files(&workspace.root().join("tests/oracle/cases"))?;
            [all_scripts(workspace)?, named(&operations)?].concat()
        } else {
            Vec::new()
        };
        let case = |(name, text): (String, String)| {
            let case = match name.ends_with(".jsonl") {
                true => Case::operations(&text).with_context(|| format!("no operations: {name}"))?,
                false => Case::scenario(&text),
            };
            Ok((name, case))
        };
        texts.into_iter().map(case).collect()
    }

    /// The recording that is made: cases with a consumer have one of their own.
    fn recording(&self) -> Option<&'static str> {
        let path = if self.consumers > 0 {
            record::CONSUMERS
        } else {
            record::LOG
        };
        self.record.then_some(path)
    }

    /// How many random cases.
    fn cases(&self) -> u64 {
        self.traces + self.operations + self.consumers
    }

    fn random(&self) -> impl Iterator<Item = (String, Case)> {
        let scenarios = (self.seed..self.seed.saturating_add(self.traces))
            .map(|seed| (format!("scenario {seed}"), Case::random_scenario(seed)));
        let operations = (self.seed..self.seed.saturating_add(self.operations)).map(|seed| {
            (
                format!("operations {seed}"),
                Case::random_operations(seed, self.features, None),
            )
        });
        let consumers = (self.seed..self.seed.saturating_add(self.consumers)).map(|seed| {
            (
                format!("consumer {seed}"),
                Case::random_operations(seed, self.features, Some(Feature::Consumer)),
            )
        });
        scenarios.chain(operations).chain(consumers)
    }

    fn command(&self) -> String {
        let Scope {
            traces,
            operations,
            consumers,
            seed,
            ..
        } = self;
        format!(
            "cargo xtask oracle --record --traces {traces} --operations {operations} --consumers {consumers} --seed {seed}"
        )
    }
}

/// Compares scenarios.
///
/// # Errors
///
/// The comparison could not be made.
pub fn run(workspace: &Workspace, scope: &Scope<'_>) -> Result<Comparison> {
    let Some(maven) = Maven::find() else {
        eprintln!("{}", maven::MISSING);
        return Ok(Comparison::Unavailable);
    };
    let scenarios = scope.scenarios(workspace)?;
    let program = maven.compile(workspace, "oracle")?;
    say(&format!(
        "comparing {} scenarios with Apache Kafka {KAFKA_VERSION}",
        scenarios.len() as u64 + scope.cases()
    ));
    if scope.cases() > 0 {
        say(&format!(
            "random ones from seed {0} on (--seed {0} makes the same)",
            scope.seed
        ));
    }
    let mut kafka = Kafka::start(&program)?;
    let recording = scope.recording();
    let recording = recording.map(|path| Recording::create(workspace, path, scope.command(), &program));
    let mut recording = recording.transpose()?;
    let (mut same, mut different, mut left_out, mut turns) = (0, 0, 0, 0);
    for (name, case) in scenarios.into_iter().chain(scope.random()) {
        let played = match case.play() {
            Ok(played) => played,
            Err(reason) => {
                left_out += 1;
                println!("left out {name}: {reason}");
                continue;
            }
        };
        turns += played.len();
        let answers = kafka.play(&played)?;
        match first_difference(&played, &answers) {
            None => same += 1,
            Some(difference) => {
                different += 1;
                println!("different {name} in {}", difference.field);
                if different <= SHOWN {
                    explain(&mut kafka, &case, &difference.field)?;
                }
            }
        }
        if let Some(recording) = &mut recording {
            let turns = played.into_iter().map(|played| played.turn).zip(answers).collect();
            recording.add(Recorded { name, turns })?;
        }
    }
    kafka.end()?;
    recording.map_or(Ok(()), Recording::finish)?;
    println!("{same} the same, {different} different, {left_out} left out; {turns} operations");
    Ok(if different == 0 {
        Comparison::Same
    } else {
        Comparison::Different
    })
}

/// Asks Kafka again what was recorded, of every `nth` scenario.
///
/// # Errors
///
/// The comparison could not be made.
pub fn remake(workspace: &Workspace, nth: usize) -> Result<Comparison> {
    let Some(maven) = Maven::find() else {
        eprintln!("{}", maven::MISSING);
        return Ok(Comparison::Unavailable);
    };
    let program = maven.compile(workspace, "oracle")?;
    let mut kafka = Kafka::start(&program)?;
    let (mut same, mut different) = (0, 0);
    let all = record::recorded(workspace, record::LOG)?.chain(record::recorded(workspace, record::CONSUMERS)?);
    for recorded in all.step_by(nth) {
        let Recorded { name, turns } = recorded?;
        let played: Vec<Played> = turns
            .into_iter()
            .map(|(turn, answer)| Played { turn, answer })
            .collect();
        let answers = kafka.play(&played)?;
        match first_difference(&played, &answers) {
            None => same += 1,
            Some(difference) => {
                different += 1;
                println!("recorded otherwise: {name}, {}", described(&played, &difference));
            }
        }
    }
    kafka.end()?;
    println!("of the recording {same} the same, {different} different");
    Ok(if different == 0 {
        Comparison::Same
    } else {
        Comparison::Different
    })
}

/// Makes a case that shows a difference in a field short, and tells it.
fn explain(kafka: &mut Kafka, case: &Case, field: &str) -> Result<()> {
    let shortest = case.shortest(|candidate| {
        let found = fails(kafka, candidate)?;
        Ok::<bool, anyhow::Error>(found.is_some_and(|(_, difference)| difference.field == field))
    })?;
    if let Some((played, difference)) = fails(kafka, &shortest)? {
        println!("{}\n{}", described(&played, &difference), shortest.text(&played));
    }
    Ok(())
}

/// Whether a case shows a difference: what was played, and where it is.
fn fails(kafka: &mut Kafka, case: &Case) -> Result<Option<(Vec<Played>, Difference)>> {
    let Ok(played) = case.play() else { return Ok(None) };
    let answers = kafka.play(&played)?;
    Ok(first_difference(&played, &answers).map(|difference| (played, difference)))
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

/// The demos and the scripts under `tests/scripts` that run, by name.
///
/// # Errors
///
/// A script cannot be read.
pub fn all_scripts(workspace: &Workspace) -> Result<Vec<(String, String)>> {
    let mut scripts: Vec<(String, String)> = demos()
        .iter()
        .map(|demo| (demo.id.to_string(), demo.text.to_string()))
        .collect();
    let folder = workspace.root().join("tests/scripts");
    let mut files = process::files(&folder)?;
    files.retain(|file| {
        // The demos come with the story; what is refused before it runs cannot be asked of anyone.
        let elsewhere = ["demos", "bad-input"].map(|topic| folder.join(topic));
        let scenario = file.extension().is_some_and(|ending| ending == "pod");
        scenario && !elsewhere.iter().any(|topic| file.starts_with(topic))
    });
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
        let name = file
            .file_name()
            .filter(|_| file.extension().is_some_and(|ending| ending == "jsonl"));
        let name = name.map_or_else(
            || file.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        );
        Ok((name, text))
    };
    files.iter().map(load).collect()
}
