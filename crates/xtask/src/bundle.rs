//! The page's scripts and styles, bundled and minified.

use std::path::Path;

use anyhow::{Result, bail};

use crate::node::Node;
use crate::process::show;
use crate::wasm;
use crate::workspace::Workspace;

/// Writes `pod.js` and `pod.css` into the folder.
pub fn write(workspace: &Workspace, node: &Node, folder: &Path) -> Result<()> {
    if !workspace.bindings().join(format!("{}.js", wasm::NAME)).is_file() {
        bail!("the scripts need the bindings of the compiled wasm: run `cargo xtask build` first");
    }
    show(node.script("build.mjs").arg(folder))
}

/// Bundles the unit tests of `www/` into the folder, for Node to run; returns how many files of tests there are.
pub fn write_tests(node: &Node, tests: &[std::path::PathBuf], folder: &Path) -> Result<()> {
    show(node.script("build.mjs").arg("--tests").arg(folder).args(tests))
}
