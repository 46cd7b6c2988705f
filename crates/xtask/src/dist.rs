//! `dist/`: the finished page.

use std::path::Path;

use anyhow::Result;

use crate::node::{self, Node};
use crate::page::PageInputs;
use crate::process::{empty_folder, replace, say};
use crate::workspace::Workspace;
use crate::{bundle, page, toolchain, wasm};

/// Sets up what is missing and builds the page; an earlier page stays until the new one is complete.
pub fn build(workspace: &Workspace, base_url: Option<&str>) -> Result<()> {
    // Asked first: a missing Node must not show after minutes of other work.
    node::check()?;
    toolchain::set_up()?;
    let node = node::set_up(workspace)?;
    let making = workspace.scratch("dist");
    empty_folder(&making)?;
    wasm::build(workspace, &node, &making.join("pod.wasm"))?;
    write_page(workspace, &node, &making, base_url)?;
    replace(&making, &workspace.dist())
}

/// Writes everything but the wasm.
pub fn write_page(workspace: &Workspace, node: &Node, folder: &Path, base_url: Option<&str>) -> Result<()> {
    say("bundling the scripts and writing the page");
    bundle::write(workspace, node, folder)?;
    page::write(folder, &PageInputs { base_url })
}
