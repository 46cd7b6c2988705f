//! `cargo xtask bench`: the workloads of `partition-bench` natively, in WebAssembly, and done by Kafka's own classes.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;
use wasm_bindgen_cli_support::Bindgen;

use crate::maven::{MISSING, Maven};
use crate::process::{empty_folder, find, quiet, read, say, write};
use crate::toolchain::{self, TARGET};
use crate::workspace::Workspace;

const PACKAGE: &str = "partition-bench";

/// Files that only exist in memory, so that no disk is measured.
const MEMORY: &str = "/dev/shm";

/// Runs each workload until it has run a while; the clock is JavaScript's.
const RUNNER: &str = include_str!("bench/runner.cjs");

/// How long an operation takes, in nanoseconds, by the name of its workload.
type Times = BTreeMap<String, f64>;

/// A line of what a measuring program prints.
#[derive(Deserialize)]
struct Measured {
    name: String,
    ns: f64,
}

/// A partition's memory beside its files, in bytes.
#[derive(Deserialize)]
struct Held {
    name: String,
    files: u64,
    memory: u64,
}

/// Criterion's estimates, of which one is wanted.
#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
}

/// Measures everything and prints the table.
///
/// # Errors
///
/// Something does not compile, or a workload fails. Without a JDK, Maven or Node.js their column stays empty.
pub fn run(workspace: &Workspace) -> Result<()> {
    let names = names(workspace)?;
    say("measuring natively, with Criterion");
    let native = native(workspace, &names)?;
    let wasm = wasm(workspace)?;
    let kafka = kafka(workspace, &names)?;
    print_times(&names, &native, &wasm, &kafka);
    print_memory(&memory(workspace)?);
    Ok(())
}

fn cargo(workspace: &Workspace, arguments: &[&str]) -> Result<String> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(workspace.root()).args(arguments);
    quiet(&mut cargo)
}

/// The workloads, in the order of the table.
fn names(workspace: &Workspace) -> Result<Vec<String>> {
    let listed = cargo(
        workspace,
        &["run", "--quiet", "--release", "--package", PACKAGE, "--bin", "profile"],
    )?;
    Ok(listed.lines().map(str::to_owned).collect())
}

fn native(workspace: &Workspace, names: &[String]) -> Result<Times> {
    cargo(
        workspace,
        &["bench", "--quiet", "--package", PACKAGE, "--bench", "engine"],
    )?;
    let folder = workspace.target().join("criterion");
    let measured = names.iter().map(|name| {
        let file = folder.join(name).join("new/estimates.json");
        let estimates: Estimates = serde_json::from_slice(&read(&file)?)?;
        Ok((name.clone(), estimates.median.point_estimate))
    });
    measured.collect()
}

fn wasm(workspace: &Workspace) -> Result<Times> {
    let Some(node) = find("node") else {
        say("WebAssembly is not measured: Node.js is missing");
        return Ok(Times::new());
    };
    toolchain::set_up()?;
    say("measuring WebAssembly, compiled as for the page, in Node.js");
    let library = ["build", "--quiet", "--package", PACKAGE, "--lib", "--profile", "wasm"];
    cargo(workspace, &[&library[..], &["--target", TARGET]].concat())?;
    let compiled = workspace.target().join(TARGET).join("wasm/partition_bench.wasm");
    let out = workspace.scratch("bench");
    empty_folder(&out)?;
    Bindgen::new()
        .input_path(&compiled)
        .nodejs(true)?
        .typescript(false)
        .generate(&out)
        .context("wasm-bindgen does not accept the compiled crate")?;
    write(&out.join("runner.cjs"), RUNNER)?;
    measured(&quiet(Command::new(node).arg(out.join("runner.cjs")))?)
}

fn kafka(workspace: &Workspace, names: &[String]) -> Result<Times> {
    let Some(maven) = Maven::find() else {
        say(&format!("Kafka is not measured: {MISSING}"));
        return Ok(Times::new());
    };
    let program = maven.compile(workspace, "oracle")?;
    say("measuring Kafka's own classes");
    let mut java = Command::new("java");
    java.args(["-Xmx2g", "-cp", &program.class_path]);
    if Path::new(MEMORY).is_dir() {
        java.arg(format!("-Djava.io.tmpdir={MEMORY}"));
    }
    java.arg("oracle.Bench").args(names);
    measured(&quiet(&mut java)?)
}

/// What a program measured, a line of JSON each.
fn measured(printed: &str) -> Result<Times> {
    let lines = printed.lines().filter(|line| line.starts_with('{'));
    let measured = lines.map(|line| {
        let Measured { name, ns } = serde_json::from_str(line).with_context(|| format!("no measurement: {line}"))?;
        Ok((name, ns))
    });
    measured.collect()
}

fn memory(workspace: &Workspace) -> Result<Vec<Held>> {
    let printed = cargo(
        workspace,
        &["run", "--quiet", "--release", "--package", PACKAGE, "--bin", "memory"],
    )?;
    let lines = printed.lines();
    lines.map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn print_times(names: &[String], native: &Times, wasm: &Times, kafka: &Times) {
    println!(
        "\n{:<18}{:>14}{:>14}{:>14}{:>14}{:>14}{:>9}",
        "one operation of", "ours", "a second", "wasm", "Kafka", "a second", "faster"
    );
    for name in names {
        let (ours, kafka) = (native.get(name), kafka.get(name));
        let ratio = ours.zip(kafka).map(|(ours, kafka)| format!("{:.1}", kafka / ours));
        println!(
            "{name:<18}{:>14}{:>14}{:>14}{:>14}{:>14}{:>9}",
            time(ours),
            rate(ours),
            time(wasm.get(name)),
            time(kafka),
            rate(kafka),
            ratio.unwrap_or_else(|| "-".to_owned())
        );
    }
}

fn print_memory(held: &[Held]) {
    println!("\n{:<18}{:>14}{:>14}{:>9}", "a log of", "files", "memory", "ratio");
    for Held { name, files, memory } in held {
        let ratio = *memory as f64 / *files as f64;
        println!(
            "{name:<18}{:>11} kB{:>11} kB{ratio:>9.2}",
            files / 1_000,
            memory / 1_000
        );
    }
}

/// Nanoseconds in the unit that fits.
fn time(ns: Option<&f64>) -> String {
    match ns {
        None => "-".to_owned(),
        Some(ns) if *ns < 1e3 => format!("{ns:.0} ns"),
        Some(ns) if *ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        Some(ns) => format!("{:.2} ms", ns / 1e6),
    }
}

fn rate(ns: Option<&f64>) -> String {
    ns.map_or_else(|| "-".to_owned(), |ns| format!("{:.0}", 1e9 / ns))
}
