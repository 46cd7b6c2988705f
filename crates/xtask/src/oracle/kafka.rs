//! Kafka's log in a program of its own: the one in `tests/oracle`.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use partition_trace::{Answer, Played, difference};

use crate::maven::Program;

/// Files that only exist in memory: Kafka forces every write to the disk, which takes its time.
const MEMORY: &str = "/dev/shm";

/// The program under way.
pub struct Kafka {
    program: Child,
    input: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
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

    /// Lets Kafka do the same from a new log on; its answers, one a turn. Turns are written while answers are read, so that
    /// neither side waits for the other.
    ///
    /// # Errors
    ///
    /// The program ended, or said something else.
    pub fn play(&mut self, played: &[Played]) -> Result<Vec<Answer>> {
        let (input, answers) = (&mut self.input, &mut self.answers);
        thread::scope(|scope| {
            let writer = scope.spawn(move || -> Result<()> {
                for Played { turn, .. } in played {
                    writeln!(input, "{}", serde_json::to_string(turn)?)?;
                }
                Ok(input.flush()?)
            });
            let all = played.iter().map(|_| {
                let line = answers.next().context("java ended early, see above")??;
                serde_json::from_str(&line).with_context(|| format!("no answer: {line}"))
            });
            let all = all.collect::<Result<Vec<Answer>>>()?;
            writer.join().map_err(|_| anyhow!("the writer broke off"))??;
            Ok(all)
        })
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

/// The first difference, if there is one.
pub fn first_difference(played: &[Played], answers: &[Answer]) -> Option<Difference> {
    let turns = played.iter().zip(answers).enumerate();
    turns.into_iter().find_map(|(turn, (played, kafka))| {
        let (field, model, kafka) = difference(&played.answer, kafka)?;
        Some(Difference {
            turn,
            field,
            model,
            kafka,
        })
    })
}
