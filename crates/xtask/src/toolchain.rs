//! The compiler's target for the browser, which rustup adds.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{announce, find, quiet};

/// The target that the page's code is compiled for.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Adds the target to the compiler that runs us, unless it is there.
///
/// # Errors
///
/// There is no rustup, or it cannot reach its server.
pub fn set_up() -> Result<()> {
    let library = quiet(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]))?;
    let library = Path::new(library.trim());
    if library.is_dir() {
        return Ok(());
    }
    if find("rustup").is_none() {
        bail!(
            "this Rust is not rustup's and has no target {TARGET}: add it as this Rust was installed, or take Rust from https://rustup.rs"
        );
    }
    let place = library.parent().unwrap_or(library);
    announce(
        &format!("the compiler target {TARGET} (rustup, 90 MB)"),
        place.display(),
    );
    quiet(Command::new("rustup").args(["target", "add", TARGET])).with_context(|| {
        format!("rustup could not add the target {TARGET}; see to the network, then run this again")
    })?;
    Ok(())
}
