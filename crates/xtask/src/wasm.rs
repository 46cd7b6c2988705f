//! The crate `partition-web`, compiled for the browser: `pod.wasm` and the bindings that go with it.

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
const OPTIMISER: [&str; 4] = ["-Oz", "--strip-debug", "--strip-producers", "--strip-target-features"];

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
    show(&mut cargo).with_context(|| format!("{NAME} did not compile for {TARGET}"))?;
    Ok(workspace.target().join(TARGET).join("wasm/partition_web.wasm"))
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
