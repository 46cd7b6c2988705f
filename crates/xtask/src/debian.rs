//! Debian's packages.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{find, quiet, say};

/// Installs packages, unless they are there; says so, because it takes its time and changes the machine.
pub fn install(packages: &[&str]) -> Result<()> {
    if packages.iter().all(|package| files(package).is_ok()) {
        return Ok(());
    }
    let list = packages.join(" ");
    if find("apt-get").is_none() {
        bail!("this machine has no apt-get: install what Debian calls {list} in this system's own way");
    }
    if quiet(Command::new("id").arg("-u"))?.trim() != "0" {
        bail!(
            "installing Debian packages takes root: run `sudo apt-get install -y --no-install-recommends {list}` once, then this again"
        );
    }
    say(&format!("installing Debian's {list} (half a minute)"));
    // A list that cannot be refreshed is no failure yet: the packages may be known already.
    let refreshed = quiet(apt().arg("update"));
    let installed = quiet(apt().args(["install", "-y", "--no-install-recommends"]).args(packages));
    installed.context(match refreshed {
        Ok(_) => "cannot install Debian packages; see to the network and to the free disk space, then run this again",
        Err(_) => "cannot reach a Debian mirror; see to the network and to /etc/apt/sources.list, then run this again",
    })?;
    Ok(())
}

/// The files of an installed package.
pub fn files(package: &str) -> Result<Vec<String>> {
    let list = quiet(Command::new("dpkg").args(["-L", package]))?;
    Ok(list.lines().map(str::to_owned).collect())
}

fn apt() -> Command {
    let mut apt = Command::new("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive")
        .args(["-q", "-o", "DPkg::Lock::Timeout=120"]);
    apt
}
