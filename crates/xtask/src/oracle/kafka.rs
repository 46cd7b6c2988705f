//! Kafka's log in a program of its own: the one in `tests/oracle`.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use partition_trace::{Answer, Played, Turn, difference};

use crate::maven::Program;

/// Files that only exist in memory: Kafka forces every write to the disk, which takes its time.
const MEMORY: &str = "/dev/shm";

/// The program under way.
pub struct Kafka {
    program: Child,
    input: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

/// Where Kafka's answer is another than the model's.
pub struct Difference {
    /// Number of the turn, from 0.
    pub turn: usize,
    /// The field.
    pub field: String,
    /// What the model says.
    pub model: String,
    /// What Kafka says.
    pub kafka: String,
}

impl Kafka {
    /// Starts it.
    ///
    /// # Errors
    ///
    /// Java does not start.
    pub fn start(program: &Program) -> Result<Kafka> {
        let mut command = Command::new("java");
        command.args(["-XX:TieredStopAtLevel=1", "-Xss512k", "-cp", &program.class_path]);
        if Path::new(MEMORY).is_dir() {
            command.arg(format!("-Djava.io.tmpdir={MEMORY}"));
        }
        command
            .arg("oracle.Oracle")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut program = command.spawn().context("java does not start")?;
        let input = program.stdin.take().context("java has no input")?;
        let output = program.stdout.take().context("java has no output")?;
        Ok(Kafka {
            program,
            input,
            answers: BufReader::new(output).lines(),
        })
    }

    /// Takes one turn. The first of a scenario creates a new log.
    ///
    /// # Errors
    ///
    /// The program ended, or said something else.
    pub fn take(&mut self, turn: &Turn) -> Result<Answer> {
        writeln!(self.input, "{}", serde_json::to_string(turn)?).context("java ended early, see above")?;
        self.input.flush()?;
        let line = self.answers.next().context("java ended early, see above")??;
        serde_json::from_str(&line).with_context(|| format!("no answer: {line}"))
    }

    /// Lets Kafka do the same from a new log on; the first difference, if there is one.
    ///
    /// # Errors
    ///
    /// As [`Kafka::take`].
    pub fn judge(&mut self, played: &[Played]) -> Result<Option<Difference>> {
        for (number, Played { turn, answer }) in played.iter().enumerate() {
            let kafka = self.take(turn)?;
            if let Some((field, model, kafka)) = difference(answer, &kafka) {
                return Ok(Some(Difference {
                    turn: number,
                    field,
                    model,
                    kafka,
                }));
            }
        }
        Ok(None)
    }

    /// Ends it.
    ///
    /// # Errors
    ///
    /// It ended in an error.
    pub fn end(mut self) -> Result<()> {
        drop(self.input);
        let ended = self.program.wait()?;
        if !ended.success() {
            bail!("java ended with {ended}, see above");
        }
        Ok(())
    }
}
