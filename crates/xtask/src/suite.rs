//! `cargo xtask test`: every check of the project, one after the other, with a line about each at the end.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};

use crate::maven::Maven;
use crate::node::{self, Node};
use crate::process::{empty_folder, files, show};
use crate::weight::{self, Weight};
use crate::workspace::Workspace;
use crate::{bundle, dist, dump, oracle, toolchain, tools, trunk, wasm};

/// A check: its name and what it does.
type Part = (&'static str, fn(&Suite) -> Result<()>);

const PARTS: [Part; 11] = [
    ("formatting", Suite::formatting),
    ("lints", Suite::lints),
    ("native tests", Suite::native_tests),
    ("partition-log on its own", Suite::log_tests),
    ("documentation", Suite::documentation),
    ("build of the page", Suite::page),
    ("weight of the page", Suite::weight),
    ("partition-web in a browser", Suite::web_tests),
    ("TypeScript types", Suite::types),
    ("TypeScript unit tests", Suite::unit_tests),
    ("the page in a browser", Suite::page_tests),
];

/// The checks that take minutes more, for `--full`.
const SLOW_PARTS: [Part; 2] = [
    ("build with Trunk", Suite::trunk),
    ("Trunk's page is xtask's", Suite::same_page),
];

/// The check for `--full` that needs Java, which is not installed for it: where it is missing, the check is left out.
const KAFKA_PART: Part = ("scenarios against Apache Kafka", Suite::kafka);

/// What came of a check.
struct CheckResult {
    part: &'static str,
    took: Duration,
    failure: Option<String>,
}

/// What the checks share; a thing that cannot be had fails every check that asks for it, with the same reason.
struct Suite {
    workspace: Workspace,
    toolchain: OnceCell<Result<(), String>>,
    node: OnceCell<Result<Node, String>>,
    page: OnceCell<Result<(), String>>,
    trunk: OnceCell<Result<(), String>>,
    weights: OnceCell<Vec<Weight>>,
}

/// Runs the checks and prints what came of them; `true` if all passed.
pub fn run(workspace: Workspace, full: bool) -> Result<bool> {
    let suite = Suite::new(workspace);
    let with_kafka = full && Maven::find().is_some();
    let slow = if full { &SLOW_PARTS[..] } else { &[] };
    let parts = PARTS.iter().chain(slow).chain(with_kafka.then_some(&KAFKA_PART));
    let verdicts: Vec<CheckResult> = parts.map(|part| suite.judge(part)).collect();

    println!();
    for CheckResult { part, took, failure } in &verdicts {
        let outcome = failure
            .as_ref()
            .map_or_else(|| String::from("passed"), |failure| format!("FAILED: {failure}"));
        println!("{:>7.1} s  {part}: {outcome}", took.as_secs_f64());
    }
    match (full, with_kafka) {
        (false, _) => {
            let slow: Vec<&str> = SLOW_PARTS.iter().map(|(name, _)| *name).collect();
            println!("Left out: {}, {} (add --full)", slow.join(", "), KAFKA_PART.0);
        }
        (true, false) => println!("Left out: {} (no JDK and Maven here)", KAFKA_PART.0),
        (true, true) => println!("Left out: nothing"),
    }
    if let Some(weights) = suite.weights.get() {
        weight::print(weights);
    }
    let failed = verdicts.iter().filter(|verdict| verdict.failure.is_some()).count();
    println!("{} passed, {failed} failed", verdicts.len() - failed);
    Ok(failed == 0)
}

/// How many random scenarios, and as many sequences of operations without a consumer and with one, Kafka judges in a full run.
const RANDOM: u64 = 150;

/// The first of their seeds: beyond those of the recording, and always the same, so that a run fails by a change of the code
/// alone. `cargo xtask oracle` tries fresh ones.
const SEED: u64 = 1_001;

/// Of the recorded scenarios every so many-th is asked again in a full run.
const SAMPLED: usize = 20;

impl Suite {
    fn new(workspace: Workspace) -> Self {
        Self {
            workspace,
            toolchain: OnceCell::new(),
            node: OnceCell::new(),
            page: OnceCell::new(),
            trunk: OnceCell::new(),
            weights: OnceCell::new(),
        }
    }

    fn judge(&self, &(part, check): &Part) -> CheckResult {
        println!("\n== {part}");
        let started = Instant::now();
        let failure = check(self).err().map(|error| format!("{error:#}"));
        if let Some(failure) = &failure {
            println!("{part} failed: {failure}");
        }
        CheckResult {
            part,
            took: started.elapsed(),
            failure,
        }
    }

    fn formatting(&self) -> Result<()> {
        self.cargo(&["fmt", "--all", "--check", "--", "--files-with-diff"])
    }

    fn lints(&self) -> Result<()> {
        self.cargo(&[
            "clippy",
            "--quiet",
            "--workspace",
            "--all-targets",
            "--all-features",
            "--",
            "-D",
            "warnings",
        ])
    }

    fn native_tests(&self) -> Result<()> {
        self.cargo(&["test", "--quiet", "--workspace", "--no-fail-fast"])
    }

    /// By itself, so that no other part's features help it.
    fn log_tests(&self) -> Result<()> {
        self.cargo(&["test", "--quiet", "--package", "partition-log"])
    }

    fn kafka(&self) -> Result<()> {
        let random = oracle::Scope {
            traces: RANDOM,
            operations: RANDOM,
            consumers: RANDOM,
            features: &oracle::Feature::SOUND,
            seed: SEED,
            ..oracle::Scope::ALL
        };
        for scope in [oracle::Scope::ALL, random] {
            if oracle::run(&self.workspace, &scope)? == oracle::Comparison::Different {
                bail!("Kafka does otherwise, see above");
            }
        }
        if let Some(maven) = Maven::find() {
            dump::run(&self.workspace, &maven)?;
        }
        if oracle::remake(&self.workspace, SAMPLED)? == oracle::Comparison::Different {
            bail!("Kafka no longer answers as recorded, see above: run `cargo xtask oracle --record`");
        }
        Ok(())
    }

    fn documentation(&self) -> Result<()> {
        let mut cargo = self.cargo_command(&["doc", "--quiet", "--workspace", "--no-deps"]);
        show(cargo.env("RUSTDOCFLAGS", "-D warnings"))
    }

    fn page(&self) -> Result<()> {
        shared(&self.page, || dist::build(&self.workspace, None)).copied()
    }

    fn weight(&self) -> Result<()> {
        self.page()?;
        let weights = weight::weigh(&self.workspace.dist())?;
        let excess = weight::excess(&weights);
        let _ = self.weights.set(weights);
        if !excess.is_empty() {
            bail!("{}", excess.join("; "));
        }
        Ok(())
    }

    fn web_tests(&self) -> Result<()> {
        self.toolchain()?;
        let browser = tools::browser()?;
        let folders = [
            tools::WASM_PACK.set_up(&self.workspace)?,
            tools::WASM_BINDGEN.set_up(&self.workspace)?,
        ];
        let mut test = tools::command(&self.workspace, "wasm-pack", &folders)?;
        test.current_dir(self.workspace.web_crate())
            .args([
                "test",
                "--headless",
                "--chrome",
                "--mode",
                "no-install",
                "--chromedriver",
            ])
            .arg(browser.driver);
        show(&mut test)
    }

    fn types(&self) -> Result<()> {
        let node = self.node()?;
        if !self.workspace.bindings().join(format!("{}.d.ts", wasm::NAME)).is_file() {
            bail!("the types of the bindings are missing, since the page did not build");
        }
        for project in ["tsconfig.json", "tsconfig.test.json"] {
            show(node.program("tsc").args(["--noEmit", "--project", project]))?;
        }
        Ok(())
    }

    fn unit_tests(&self) -> Result<()> {
        let node = self.node()?;
        let tests = files_ending(&self.workspace.www().join("test"), ".test.ts")?;
        if tests.is_empty() {
            bail!("no *.test.ts in www/test");
        }
        let folder = self.workspace.scratch("www-test");
        empty_folder(&folder)?;
        bundle::write_tests(node, &tests, &folder)?;
        let bundled = files_ending(&folder, ".test.mjs")?;
        show(
            Command::new("node")
                .arg("--enable-source-maps")
                .arg("--test")
                .args(bundled),
        )
    }

    fn page_tests(&self) -> Result<()> {
        self.page()?;
        let browser = tools::browser()?;
        let mut cargo = self.cargo_command(&[
            "test",
            "--package",
            "partition-tests",
            "--features",
            "browser",
            "--test",
            "page",
        ]);
        cargo
            .env("POD_DIST", self.workspace.dist())
            .env("POD_CHROMIUM", browser.chromium)
            .env("POD_CHROMEDRIVER", browser.driver);
        show(&mut cargo)
    }

    fn trunk(&self) -> Result<()> {
        shared(&self.trunk, || {
            self.toolchain()?;
            trunk::build(&self.workspace, self.node()?, &self.trunk_dist())
        })
        .copied()
    }

    fn same_page(&self) -> Result<()> {
        self.page()?;
        self.trunk()?;
        trunk::compare(&self.workspace.dist(), &self.trunk_dist())
    }

    fn toolchain(&self) -> Result<()> {
        shared(&self.toolchain, toolchain::set_up).copied()
    }

    fn node(&self) -> Result<&Node> {
        shared(&self.node, || node::set_up(&self.workspace))
    }

    fn trunk_dist(&self) -> PathBuf {
        self.workspace.scratch("trunk-dist")
    }

    fn cargo(&self, arguments: &[&str]) -> Result<()> {
        show(&mut self.cargo_command(arguments))
    }

    fn cargo_command(&self, arguments: &[&str]) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(self.workspace.root()).args(arguments);
        cargo
    }
}

/// Makes a thing at the first call; afterwards the same thing, or the same failure.
fn shared<T>(cell: &OnceCell<Result<T, String>>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    cell.get_or_init(|| make().map_err(|error| format!("{error:#}")))
        .as_ref()
        .map_err(|failure| anyhow!("{failure}"))
}

/// The files below a folder whose names end so, sorted.
fn files_ending(folder: &Path, end: &str) -> Result<Vec<PathBuf>> {
    let mut files = files(folder)?;
    files.retain(|path| path.to_string_lossy().ends_with(end));
    Ok(files)
}
