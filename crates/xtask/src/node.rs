//! Node and the packages of `www/`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{announce, find, quiet, read, remove, write};
use crate::workspace::Workspace;

/// The oldest Node that the packages of `www/` run on.
const NODE_MIN: u32 = 20;

/// Node, with the packages of `www/package-lock.json`.
pub struct Node {
    www: PathBuf,
}

/// Finds Node, without installing anything.
pub fn check() -> Result<()> {
    let remedy = format!("install Node.js {NODE_MIN} or newer with npm (https://nodejs.org)");
    for program in ["node", "npm"] {
        if find(program).is_none() {
            bail!("`{program}` is not in PATH: {remedy}");
        }
    }
    let version = quiet(Command::new("node").arg("--version"))?;
    let major = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|major| major.parse::<u32>().ok());
    if major.is_none_or(|major| major < NODE_MIN) {
        bail!("`node` is {}: {remedy}", version.trim());
    }
    Ok(())
}

/// Finds Node and installs the packages, if the lock file has changed since the last time.
pub fn set_up(workspace: &Workspace) -> Result<Node> {
    check()?;
    let www = workspace.www();
    let lock = read(&www.join("package-lock.json"))?;
    let modules = www.join("node_modules");
    let installed = modules.join("installed-lock.json");
    if std::fs::read(&installed).ok().as_deref() != Some(&lock) {
        announce("the page's npm packages (npm ci, 150 MB)", workspace.named(&modules));
        if let Err(error) = quiet(
            Command::new("npm")
                .args(["ci", "--no-audit", "--no-fund"])
                .current_dir(&www),
        ) {
            remove(&modules)?;
            return Err(error).context(
                "cannot install the packages of www/; see to the network and npm's registry, then run this again",
            );
        }
        write(&installed, lock)?;
    }
    Ok(Node { www })
}

impl Node {
    /// A Node program in `www/`.
    pub fn script(&self, script: &str) -> Command {
        let mut node = Command::new("node");
        node.arg(script).current_dir(&self.www);
        node
    }

    /// A program of the packages, run in `www/`.
    pub fn program(&self, name: &str) -> Command {
        let mut program = Command::new(self.programs().join(name));
        program.current_dir(&self.www);
        program
    }

    /// The folder of the packages' programs.
    pub fn programs(&self) -> PathBuf {
        self.www.join("node_modules/.bin")
    }
}
