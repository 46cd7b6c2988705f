//! The crate `partition-web`, compiled for the browser: `pod.wasm` and the bindings that go with it.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::node::Node;
use crate::process::{empty_folder, read, replace, say, show, write};
use crate::toolchain::TARGET;
use crate::workspace::Workspace;

/// The name of the bindings, the one that Trunk gives them too.
pub const NAME: &str = "partition-web";

/// Trunk's page names the same (`www/trunk.html`).
///
/// The stack grows down to address 0, so nothing lives in the lowest kilobyte; and functions that are called alike are
/// alike, so Brotli finds them more cheaply side by side.
const OPTIMISER: [&str; 6] = [
    "-Oz",
    "--low-memory-unused",
    "--reorder-functions-by-name",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
];

/// Builds the wasm into the file, and the bindings into their folder. Does the slow half only for a changed crate.
pub fn build(workspace: &Workspace, node: &Node, file: &Path) -> Result<()> {
    let compiled = read(&compile(workspace)?)?;
    let made = workspace.scratch("wasm");
    if !is_made_from(&made, &compiled)? {
        say("making the bindings and optimising the wasm");
        let making = workspace.scratch("wasm.partial");
        empty_folder(&making)?;
        bind(&compiled, &making)?;
        optimise(node, &making)?;
        write(&making.join("compiled.wasm"), &compiled)?;
        replace(&making, &made)?;
    }
    fs::create_dir_all(workspace.bindings())?;
    for extension in ["js", "d.ts"] {
        let name = format!("{NAME}.{extension}");
        write(&workspace.bindings().join(&name), read(&made.join(&name))?)?;
    }
    write(file, read(&made.join("pod.wasm"))?)
}

/// Whether the folder holds what this program, unchanged since, made of the compiled crate.
fn is_made_from(made: &Path, compiled: &[u8]) -> Result<bool> {
    let source = made.join("compiled.wasm");
    if fs::read(&source).ok().as_deref() != Some(compiled) {
        return Ok(false);
    }
    let program = fs::metadata(env::current_exe()?)?.modified()?;
    Ok(program < fs::metadata(&source)?.modified()?)
}

fn compile(workspace: &Workspace) -> Result<PathBuf> {
    say("compiling partition-web for the browser");
    let mut cargo = Command::new("cargo");
    cargo.current_dir(workspace.root()).args([
        "build",
        "--quiet",
        "--package",
        NAME,
        "--lib",
        "--profile",
        "wasm",
        "--target",
        TARGET,
    ]);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", compiler_flags());
    show(&mut cargo).with_context(|| format!("{NAME} did not compile for {TARGET}"))?;
    Ok(workspace.target().join(TARGET).join("wasm/partition_web.wasm"))
}

/// What every crate of the wasm is compiled with, as `CARGO_ENCODED_RUSTFLAGS` wants it.
///
/// Messages of panics name source files: those of dependencies are named without the folder where this machine keeps them.
pub fn compiler_flags() -> OsString {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    // One folder for each registry.
    let registries = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    let mut flags: Vec<OsString> = registries
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .map(|registry| {
            let mut flag = OsString::from("--remap-path-prefix=");
            flag.push(registry.path());
            flag.push("=");
            flag
        })
        .collect();
    flags.sort();
    flags.join(OsStr::new("\u{1f}"))
}

fn bind(compiled: &[u8], folder: &Path) -> Result<()> {
    Bindgen::new()
        .input_bytes(NAME, compiled.to_vec())
        .web(true)?
        .typescript(true)
        .omit_default_module_path(false)
        .generate(folder)
        .context("wasm-bindgen does not accept the compiled crate")
}

fn optimise(node: &Node, folder: &Path) -> Result<()> {
    let mut optimiser = node.program("wasm-opt");
    optimiser
        .args(OPTIMISER)
        .arg(folder.join(format!("{NAME}_bg.wasm")))
        .arg("-o")
        .arg(folder.join("pod.wasm"));
    show(&mut optimiser)
}
