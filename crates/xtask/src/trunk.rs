//! The page as Trunk builds it: Trunk compiles the crate itself, its hook calls back for the rest (`Trunk.toml`).

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::node::{self, Node};
use crate::process::{empty_folder, files, read, remove, replace, say, show, write};
use crate::workspace::Workspace;
use crate::{dist, tools, wasm};

/// Completes a folder in which Trunk has put the wasm and its bindings, or writes everything but the wasm into another one.
pub fn complete(workspace: &Workspace, folder: &Path, base_url: Option<&str>) -> Result<()> {
    let node = node::set_up(workspace)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let bindings = folder.join(format!("{}.js", wasm::NAME));
    if bindings.is_file() {
        fs::create_dir_all(workspace.bindings())?;
        write(
            &workspace.bindings().join(format!("{}.js", wasm::NAME)),
            read(&bindings)?,
        )?;
        remove(&bindings)?;
        replace(
            &folder.join(format!("{}_bg.wasm", wasm::NAME)),
            &folder.join("pod.wasm"),
        )?;
    }
    dist::write_page(workspace, &node, folder, base_url)
}

/// Builds the page with Trunk, into a folder of its own.
pub fn build(workspace: &Workspace, node: &Node, folder: &Path) -> Result<()> {
    let folders = [
        tools::TRUNK.set_up(workspace)?,
        tools::WASM_BINDGEN.set_up(workspace)?,
        node.programs(),
    ];
    empty_folder(folder)?;
    say("building the page with Trunk");
    let mut trunk = tools::command(workspace, "trunk", &folders)?;
    // The hook would compile this program once more, into the target folder for wasm.
    trunk.env("XTASK", std::env::current_exe()?);
    trunk.env("CARGO_ENCODED_RUSTFLAGS", wasm::compiler_flags());
    // Trunk reads NO_COLOR as a flag that wants `true` or `false`.
    trunk
        .env_remove("NO_COLOR")
        .current_dir(workspace.root())
        .args(["build", "--release", "--offline", "--dist"])
        .arg(folder);
    show(&mut trunk)
}

/// Compares the two pages: the same files, and all but the wasm the same bytes.
pub fn compare(dist: &Path, trunk: &Path) -> Result<()> {
    let (ours, theirs) = (names(dist)?, names(trunk)?);
    if ours != theirs {
        bail!(
            "xtask's page has the files {}, Trunk's has {}",
            ours.join(", "),
            theirs.join(", ")
        );
    }
    for name in ours.iter().filter(|name| !name.ends_with(".wasm")) {
        if read(&dist.join(name))? != read(&trunk.join(name))? {
            bail!("{name} differs between {} and {}", dist.display(), trunk.display());
        }
    }
    Ok(())
}

/// The names of all files below a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>> {
    let files = files(folder)?.into_iter();
    files
        .map(|file| Ok(file.strip_prefix(folder)?.display().to_string()))
        .collect()
}
