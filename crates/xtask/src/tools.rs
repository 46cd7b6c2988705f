//! The tools that the tests need beside the build's: what is missing is installed, programs of crates into `target/tools`, the
//! browser by Debian's packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{announce, find, path_with, quiet, remove};
use crate::workspace::Workspace;

/// A program of a crate, installed by cargo.
pub struct Tool {
    program: &'static str,
    package: &'static str,
    version: &'static str,
    /// Whether to take the versions in the crate's own lock file; which choice compiles differs from tool to tool.
    locked: bool,
    minutes: u32,
}

/// Runs the tests of `partition-web` in a browser.
pub const WASM_PACK: Tool = Tool {
    program: "wasm-pack",
    package: "wasm-pack",
    version: "0.15.1",
    locked: false,
    minutes: 2,
};

/// What `wasm-pack test` and Trunk call. Has to be of exactly the version of the crate `wasm-bindgen`.
pub const WASM_BINDGEN: Tool = Tool {
    program: "wasm-bindgen",
    package: "wasm-bindgen-cli",
    version: "0.2.130",
    locked: false,
    minutes: 3,
};

/// Builds the page once more, in its own way.
pub const TRUNK: Tool = Tool {
    program: "trunk",
    package: "trunk",
    version: "0.21.14",
    locked: true,
    minutes: 8,
};

impl Tool {
    /// The folder that has the program, of this version; installs it there if need be.
    pub fn set_up(&self, workspace: &Workspace) -> Result<PathBuf> {
        let own = workspace.target().join("tools");
        let found = find(self.program)
            .into_iter()
            .chain([own.join("bin").join(self.program)]);
        let fitting = found
            .filter(|program| self.has_version(program))
            .find_map(|program| program.parent().map(Path::to_path_buf));
        if let Some(folder) = fitting {
            return Ok(folder);
        }
        announce(
            &format!(
                "{} {} (cargo install, up to {} minutes)",
                self.package, self.version, self.minutes
            ),
            workspace.named(&own),
        );
        let mut cargo = Command::new("cargo");
        // Tools that run for a second each are not worth an optimised build.
        cargo
            .args([
                "install",
                "--quiet",
                "--debug",
                self.package,
                "--version",
                self.version,
                "--root",
            ])
            .arg(&own);
        if self.locked {
            cargo.arg("--locked");
        }
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "0");
        // Not into the folder of the workspace's own builds, where a gigabyte would stay.
        let scratch = workspace.scratch("tools");
        cargo.env("CARGO_TARGET_DIR", &scratch);
        let installed = quiet(&mut cargo).with_context(|| {
            format!(
                "cannot install {}; see to the network and the crates registry",
                self.package
            )
        });
        remove(&scratch)?;
        installed.map(|_| own.join("bin"))
    }

    fn has_version(&self, program: &Path) -> bool {
        let answer = quiet(Command::new(program).arg("--version")).unwrap_or_default();
        answer.split_whitespace().any(|word| word == self.version)
    }
}

/// A program that finds the tools in these folders first, and builds into the workspace's target folder.
pub fn command(workspace: &Workspace, program: &str, tools: &[PathBuf]) -> Result<Command> {
    let mut command = Command::new(program);
    command.env("PATH", path_with(tools)?);
    command.env("CARGO_TARGET_DIR", workspace.target());
    Ok(command)
}

/// Debian's Chromium and its driver.
pub struct Browser {
    /// The browser's program.
    pub chromium: PathBuf,
    /// Its WebDriver.
    pub driver: PathBuf,
}

/// Finds Chromium and its driver, or installs them.
pub fn browser() -> Result<Browser> {
    let found = || {
        Some(Browser {
            chromium: find("chromium")?,
            driver: find("chromedriver")?,
        })
    };
    if let Some(browser) = found() {
        return Ok(browser);
    }
    install(&["chromium", "chromium-driver"])
        .context("the browser tests need `chromium` and `chromedriver` in PATH")?;
    found().context("Debian's packages chromium and chromium-driver are installed, but not in PATH")
}

/// Installs Debian's packages.
fn install(packages: &[&str]) -> Result<()> {
    let list = packages.join(" ");
    if find("apt-get").is_none() {
        bail!("this machine has no apt-get: install what Debian calls {list} in this system's own way");
    }
    if quiet(Command::new("id").arg("-u"))?.trim() != "0" {
        bail!(
            "installing system packages takes root: run `sudo apt-get install -y --no-install-recommends {list}` once, then this again"
        );
    }
    announce(
        &format!("{list} (apt-get, half a minute)"),
        "this system, for all its users",
    );
    let apt = |arguments: &[&str]| {
        let mut apt = Command::new("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        apt.args(["-q", "-o", "DPkg::Lock::Timeout=120"]).args(arguments);
        quiet(&mut apt)
    };
    // A list that cannot be refreshed is no failure yet: the packages may be known already.
    let refreshed = apt(&["update"]);
    apt(&[&["install", "-y", "--no-install-recommends"], packages].concat()).context(match refreshed {
        Ok(_) => "cannot install system packages; see to the network and to the free disk space, then run this again",
        Err(_) => "cannot reach a Debian mirror; see to the network and to /etc/apt/sources.list, then run this again",
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::WASM_BINDGEN;

    #[test]
    fn one_version_of_wasm_bindgen_everywhere() {
        let version = WASM_BINDGEN.version;
        let lock = include_str!("../../../Cargo.lock");
        assert!(lock.contains(&format!("name = \"wasm-bindgen\"\nversion = \"{version}\"")));
        let trunk = include_str!("../../../Trunk.toml");
        assert!(trunk.contains(&format!("wasm_bindgen = \"{version}\"")));
    }
}
