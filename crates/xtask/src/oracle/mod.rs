//! Kafka as the judge: a scenario's operations are done to the model and to Apache Kafka's own log, and compared.
//!
//! The other side is the program in `tests/oracle`. After every operation the marks, what was read or found, and the name,
//! length and bytes of every segment file have to be the same.

mod random;

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use partition_log::config::{Kind, SPECS, Settings, Spec};
use partition_log::vfs::{FileName, Vfs};
use partition_log::{KAFKA_VERSION, PartitionState, Step};
use partition_story::operation::{Operation, Search};
use partition_story::{Done, Event, InputValues, Story, demos, parse};
use serde_json::{Map, Value, json};

use crate::process::{find, quiet, say};
use crate::workspace::Workspace;

/// What is sent, and what has to come back.
struct Turn {
    operation: Value,
    answer: Value,
}

/// Whether this machine has what the comparison needs.
pub fn available() -> bool {
    find("mvn").is_some() && find("java").is_some()
}

/// What to compare.
pub struct Scope<'a> {
    /// Scenario files; without any, and without traces, the demos and all scripts.
    pub files: &'a [PathBuf],
    /// How many scenarios by chance.
    pub traces: u64,
    /// The first of their seeds.
    pub seed: u64,
}

impl Scope<'_> {
    /// The demos and all scripts.
    pub const ALL: Scope<'static> = Scope {
        files: &[],
        traces: 0,
        seed: 0,
    };

    fn scripts(&self, workspace: &Workspace) -> Result<Vec<(String, String)>> {
        let by_chance = (self.seed..self.seed.saturating_add(self.traces))
            .map(|seed| (format!("seed {seed}"), random::scenario(seed)));
        let mut scripts = if self.files.is_empty() && self.traces == 0 {
            all_scripts(workspace)?
        } else {
            named(self.files)?
        };
        scripts.extend(by_chance);
        Ok(scripts)
    }
}

/// Compares scenarios; `false` if something differs.
pub fn run(workspace: &Workspace, scope: &Scope<'_>) -> Result<bool> {
    let Some(maven) = find("mvn").filter(|_| find("java").is_some()) else {
        bail!("the oracle needs a JDK 17 and Maven: install them (Debian: openjdk-17-jdk-headless, maven)");
    };
    let scripts = scope.scripts(workspace)?;
    let classes = compile(workspace, &maven)?;
    say(&format!(
        "comparing {} scenarios with Apache Kafka {KAFKA_VERSION}",
        scripts.len()
    ));
    let mut kafka = Kafka::start(&classes)?;
    let (mut same, mut different, mut left_out) = (0, 0, 0);
    for (name, text) in scripts {
        match turns(&text)? {
            Err(reason) => {
                left_out += 1;
                println!("left out {name}: {reason}");
            }
            Ok(turns) => match kafka.judge(&turns)? {
                None => same += 1,
                Some(difference) => {
                    different += 1;
                    println!("different {name}: {difference}\n{text}");
                }
            },
        }
    }
    kafka.end()?;
    println!("{same} the same, {different} different, {left_out} left out");
    Ok(different == 0)
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

/// Compiles the other side; the class path that runs it.
fn compile(workspace: &Workspace, maven: &Path) -> Result<String> {
    let project = workspace.root().join("tests/oracle");
    let out = workspace.scratch("oracle");
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    let path_file = out.join("classpath");
    say("compiling the oracle and fetching Kafka's classes (the first time, some seconds)");
    let mut command = Command::new(maven);
    command.current_dir(&project).args(["--quiet", "--batch-mode"]);
    command.arg(format!("-DbuildDirectory={}", out.display()));
    command.arg(format!("-Dmdep.outputFile={}", path_file.display()));
    command.args(["compile", "dependency:build-classpath"]);
    quiet(&mut command).context("Maven could not build tests/oracle; it needs Maven Central, or a mirror of it")?;
    let dependencies = fs::read_to_string(&path_file)?;
    Ok(format!("{}:{}", out.join("classes").display(), dependencies.trim()))
}

/// What a scenario asks of both sides, or why it cannot be asked of Kafka's log alone.
fn turns(text: &str) -> Result<Result<Vec<Turn>, String>> {
    let Ok(scenario) = parse(text) else {
        return Ok(Err("it is refused before it runs".to_string()));
    };
    let Ok(story) = Story::run(&scenario, &InputValues::defaults()) else {
        return Ok(Err("it is refused before it runs".to_string()));
    };
    let mut turns = Vec::new();
    let mut reason = None;
    story.replay(&mut |event| match event {
        Event::Created(steps) => {
            let mut state = PartitionState::empty(story.settings().clone());
            steps
                .iter()
                .for_each(|step| state.apply(step).expect("a new partition's steps fit an empty state"));
            turns.push(created(story.settings(), &state));
        }
        Event::Done(done) => match turn(&done) {
            Ok(turn) => turns.push(turn),
            Err(why) => reason = reason.take().or(Some(why)),
        },
        Event::Phase { .. } | Event::Said { .. } | Event::Expected(_) => {}
    });
    if story.settings().segment_jitter_ms > 0 {
        reason = Some("Kafka draws its jitter by chance".to_string());
    }
    Ok(reason.map_or(Ok(turns), Err))
}

fn created(settings: &Settings, state: &PartitionState) -> Turn {
    let all = SPECS
        .iter()
        .filter_map(|spec| kafkas_setting(spec, settings.get(spec.key)?));
    let operation = json!({
        "do": "create",
        "settings": all.collect::<Map<String, Value>>(),
        "first_check": settings.initial_task_delay_ms,
        "check_interval": settings.retention_check_interval_ms,
    });
    Turn {
        operation,
        answer: marks_and_files(state),
    }
}

/// A topic's setting as Kafka's log reads it; small segments go by the internal name.
fn kafkas_setting(spec: &Spec, value: i64) -> Option<(String, Value)> {
    let key = match spec.key {
        "segment.bytes" => "internal.segment.bytes",
        key => spec.broker_key.map(|_| key)?,
    };
    let value = match spec.kind {
        Kind::Choice(_) => spec.show(value),
        Kind::Bytes | Kind::Duration | Kind::Count => value.to_string(),
    };
    Some((key.to_string(), json!(value)))
}

/// One operation and the answer of the model; or why Kafka's log alone cannot do it.
fn turn(done: &Done<'_>) -> Result<Turn, String> {
    let mut answer = marks_and_files(done.state);
    let now = done.state.clock().get();
    let mut operation = match done.operation {
        Operation::Append { at, .. } => match done.appended {
            Some(appended) => json!({ "do": "append", "at": at.get(), "bytes": hex(&appended.bytes) }),
            None => return Err("it appends what a leader refuses".to_string()),
        },
        Operation::AdvanceTo(to) => json!({ "do": "advance", "at": to.get() }),
        Operation::Settle => json!({ "do": "settle", "at": now }),
        Operation::Set(changed) => {
            let changed = changed
                .iter()
                .filter_map(|(key, value)| Settings::check(key, value).ok());
            let changed = changed.filter_map(|(spec, value)| kafkas_setting(spec, value));
            json!({ "do": "set", "at": now, "settings": changed.collect::<Map<String, Value>>() })
        }
        Operation::Fetch { limit, .. } => {
            let reads = done
                .steps
                .iter()
                .filter(|step| matches!(step, Step::ConsumerKept { .. }))
                .count();
            match done
                .read
                .filter(|_| reads == 1)
                .and_then(|read| Some((read, read.answer?, read.position?)))
            {
                Some((read, offset, position)) => {
                    let limit = limit.unwrap_or(done.state.settings().max_partition_fetch_bytes as u64);
                    answer["segment"] = json!(read.segment.map(|base| base.get()));
                    answer["position"] = json!(position.get());
                    answer["slice"] = json!(read.slice);
                    json!({ "do": "fetch", "at": now, "offset": offset.get(), "max_bytes": limit })
                }
                // Several reads, none, or a consumer's affair.
                None => json!({ "do": "nothing", "at": now }),
            }
        }
        Operation::FindTime(Search::Time(target)) => {
            found(done, &mut answer);
            json!({ "do": "find-time", "at": now, "target": target.get() })
        }
        Operation::FindTime(Search::MaxTimestamp) => {
            found(done, &mut answer);
            json!({ "do": "find-time", "at": now, "target": -3 })
        }
        Operation::CheckRetention => json!({ "do": "check-retention", "at": now }),
        Operation::DeleteRecords(before) if done.error.is_none() => {
            json!({ "do": "delete-records", "at": now, "before": before.get() })
        }
        _ => json!({ "do": "nothing", "at": now }),
    };
    operation["high_watermark"] = json!(done.state.high_watermark().get());
    let withheld = |step: &Step| matches!(step, Step::TimeSearchAnswered { withheld: true, .. });
    if done.steps.iter().any(withheld) {
        return Err("an answer above the high watermark is withheld by the partition, above the log".to_string());
    }
    Ok(Turn { operation, answer })
}

fn found(done: &Done<'_>, answer: &mut Value) {
    if let Some(offset) = done.read.and_then(|read| read.answer) {
        answer["found"] = json!(offset.get());
    }
}

fn marks_and_files(state: &PartitionState) -> Value {
    let file = |file: FileName| {
        let bytes = state.files().used(file).unwrap_or_default();
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let length = state.files().apparent_size(file).unwrap_or(0);
        format!("{file} {length} {}", hex(&bytes[..used]))
    };
    let mut files: Vec<String> = state.files().list().into_iter().map(file).collect();
    files.sort();
    json!({
        "log_start": state.log_start().get(),
        "high_watermark": state.high_watermark().get(),
        "log_end": state.log_end().get(),
        "files": files,
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Kafka's log in a program of its own.
struct Kafka {
    program: Child,
    input: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Kafka {
    fn start(classes: &str) -> Result<Kafka> {
        let mut program = Command::new("java")
            .args(["-XX:TieredStopAtLevel=1", "-cp", classes, "oracle.Replay"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("java does not start")?;
        let input = program.stdin.take().context("java has no input")?;
        let output = program.stdout.take().context("java has no output")?;
        Ok(Kafka {
            program,
            input,
            answers: BufReader::new(output).lines(),
        })
    }

    /// Lets Kafka do the same from a new log on; the first difference in words, if there is one.
    fn judge(&mut self, turns: &[Turn]) -> Result<Option<String>> {
        for (number, turn) in turns.iter().enumerate() {
            writeln!(self.input, "{}", turn.operation).context("java ended early, see above")?;
            self.input.flush()?;
            let line = self.answers.next().context("java ended early, see above")??;
            let answer: Value = serde_json::from_str(&line).with_context(|| format!("no JSON: {line}"))?;
            if let Some(field) = differing(&turn.answer, &answer) {
                let place = format!("operation {} ({}), {field}", number + 1, turn.operation);
                return Ok(Some(format!(
                    "{place}\n  model {}\n  Kafka {}",
                    turn.answer[field], answer[field]
                )));
            }
        }
        Ok(None)
    }

    fn end(mut self) -> Result<()> {
        drop(self.input);
        let ended = self.program.wait()?;
        if !ended.success() {
            bail!("java ended with {ended}, see above");
        }
        Ok(())
    }
}

/// The first field in which the answers differ.
fn differing(model: &Value, kafka: &Value) -> Option<&'static str> {
    const FIELDS: [&str; 8] = [
        "log_start",
        "high_watermark",
        "log_end",
        "segment",
        "position",
        "slice",
        "found",
        "files",
    ];
    FIELDS.into_iter().find(|field| model.get(field) != kafka.get(field))
}
