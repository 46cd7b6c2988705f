//! A compiler for wasm32-unknown-unknown: rustup's where rustup reaches its server, otherwise Debian's.
//!
//! Debian packages a compiler without the standard library for wasm32, but with that library's source. So it is built once and put
//! into the compiler's own folder, where cargo, wasm-pack and Trunk find it as if rustup had added it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::debian;
use crate::process::{empty_folder, find, path_with, quiet, quiet_within, remove, replace, say, write};
use crate::workspace::Workspace;

/// The target that the page's code is compiled for.
pub const TARGET: &str = "wasm32-unknown-unknown";

const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-22"];

/// The linker of the package `lld-22`, the same LLVM as in `rustc-web`.
const LINKER: &str = "/usr/lib/llvm-22/bin/lld";

/// Names, inside the folder of the standard library that we built, the compiler that built it.
const STAMP: &str = "built-by";

/// Long enough for 20 MB on a slow line, short enough for a server that never answers.
const RUSTUP_LIMIT: Duration = Duration::from_secs(90);

/// A compiler that has the target.
pub struct Toolchain {
    /// Debian's compiler comes first in the `PATH` of what it builds; rustup's is there already.
    first: Option<PathBuf>,
    target: PathBuf,
}

impl Toolchain {
    fn rustup(workspace: &Workspace) -> Self {
        Self {
            first: None,
            target: workspace.target(),
        }
    }

    fn debian(target: PathBuf) -> Self {
        Self {
            first: Some(PathBuf::from("/usr/bin")),
            target,
        }
    }

    /// The target folder of what this compiler builds.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// A program that finds this compiler, builds into its target folder, and finds the tools in these folders.
    pub fn command(&self, program: &str, tools: &[PathBuf]) -> Result<Command> {
        let mut command = Command::new(program);
        command.env("CARGO_TARGET_DIR", &self.target);
        if self.first.is_some() {
            // What rustup's cargo sets for its children would bend Debian's compiler back to rustup's.
            for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"] {
                command.env_remove(variable);
            }
        }
        let first: Vec<PathBuf> = self.first.iter().chain(tools).cloned().collect();
        command.env("PATH", path_with(&first)?);
        Ok(command)
    }
}

/// Finds a compiler that has the target, or sets one up.
pub fn set_up(workspace: &Workspace) -> Result<Toolchain> {
    if active_has_target()? {
        return Ok(Toolchain::rustup(workspace));
    }
    if let Some(debian) = Debian::find()
        && debian.is_complete()
    {
        return Ok(Toolchain::debian(workspace.wasm_target()));
    }
    let Err(refusal) = ask_rustup() else {
        return Ok(Toolchain::rustup(workspace));
    };
    say(&format!(
        "rustup could not add {TARGET}; taking Debian's compiler instead"
    ));
    debian::install(&PACKAGES).with_context(|| format!("no compiler for {TARGET}: {refusal:#}; and Debian's"))?;
    let Some(debian) = Debian::find() else {
        bail!(
            "Debian's packages {} are installed, but /usr/bin/rustc and /usr/bin/cargo are not there",
            PACKAGES.join(", ")
        );
    };
    debian.complete(workspace)?;
    Ok(Toolchain::debian(workspace.wasm_target()))
}

/// Whether the compiler that runs us has the target.
fn active_has_target() -> Result<bool> {
    let folder = quiet(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]))?;
    let folder = Path::new(folder.trim());
    // A library that we built is judged with Debian's compiler: it may be another version's by now.
    Ok(has_library(folder) && !folder.join(STAMP).exists())
}

fn ask_rustup() -> Result<()> {
    if find("rustup").is_none() {
        bail!("this Rust is not rustup's");
    }
    say(&format!("asking rustup for {TARGET}"));
    let mut rustup = Command::new("rustup");
    rustup.env("RUSTUP_MAX_RETRIES", "0").args(["target", "add", TARGET]);
    quiet_within(&mut rustup, RUSTUP_LIMIT)?;
    Ok(())
}

/// Debian's compiler, complete or not.
struct Debian {
    version: String,
    host_tools: PathBuf,
    library: PathBuf,
}

impl Debian {
    fn find() -> Option<Self> {
        let rustc = |arguments: &[&str]| {
            let mut command = Command::new("/usr/bin/rustc");
            command
                .env_remove("LD_LIBRARY_PATH")
                .env_remove("RUSTUP_TOOLCHAIN")
                .args(arguments);
            quiet(&mut command).ok().map(|text| text.trim().to_owned())
        };
        if !Path::new("/usr/bin/cargo").exists() || debian::files("rustc-web").is_err() {
            return None;
        }
        let version = rustc(&["-vV"])?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: "))?;
        let libraries = PathBuf::from(rustc(&["--print", "sysroot"])?).join("lib/rustlib");
        let host_tools = libraries.join(host).join("bin");
        Some(Self {
            host_tools,
            library: libraries.join(TARGET).join("lib"),
            version,
        })
    }

    /// Whether library and linker are there, and the library is this compiler's: packages are upgraded now and then.
    fn is_complete(&self) -> bool {
        let built_by = fs::read_to_string(self.library.join(STAMP)).unwrap_or_default();
        built_by == self.version && has_library(&self.library) && self.linker().exists()
    }

    fn linker(&self) -> PathBuf {
        self.host_tools.join("rust-lld")
    }

    /// Builds the standard library and puts it and the linker where the compiler looks for them.
    fn complete(&self, workspace: &Workspace) -> Result<()> {
        let (library, tools) = (self.library.parent(), &self.host_tools);
        let target = library.expect("the library's folder is inside the target's");
        // Asked first: a missing permission must not show after the build.
        let partial = target.join("lib.partial");
        empty_folder(&partial)
            .and_then(|()| Ok(fs::create_dir_all(tools)?))
            .with_context(|| {
                let (target, tools) = (target.display(), tools.display());
                format!(
                    "the compiler's folder is not yours: run `sudo install -d -o $USER {target} {tools}` once, then this again"
                )
            })?;
        say(&format!(
            "building the standard library for {TARGET} (once, about 40 s)"
        ));
        let placed = self
            .build_library(workspace)
            .and_then(|built| self.place(&built, &partial));
        if placed.is_err() {
            remove(&partial)?;
        }
        remove(&workspace.scratch("library"))?;
        placed
    }

    fn build_library(&self, workspace: &Workspace) -> Result<PathBuf> {
        let manifest = debian::files("rust-web-src")?
            .into_iter()
            .find(|file| file.ends_with("/library/sysroot/Cargo.toml"))
            .context("Debian's package rust-web-src has no library/sysroot/Cargo.toml; it may have changed since this was written")?;
        let source = Path::new(&manifest)
            .ancestors()
            .nth(2)
            .expect("three names end the path");

        // Always from nothing: two copies of one crate in the output would stop every later build (E0464).
        let scratch = workspace.scratch("library");
        empty_folder(&scratch)?;
        quiet(
            Command::new("cp")
                .args(["-RL", "--no-preserve=mode"])
                .arg(source)
                .arg(&scratch),
        )?;
        let library = scratch.join("library");
        // It points to Debian's vendored crates, which are in another package.
        remove(&library.join(".cargo"))?;

        let target = scratch.join("built");
        let mut cargo = Toolchain::debian(target.clone()).command("cargo", &[])?;
        cargo
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", "-Zforce-unstable-if-unmarked -Cembed-bitcode=yes")
            .args([
                "build",
                "--quiet",
                "--release",
                "--target",
                TARGET,
                "--features",
                "panic-unwind,compiler-builtins-mem",
            ])
            .arg("--manifest-path")
            .arg(library.join("sysroot/Cargo.toml"));
        quiet(&mut cargo).context(
            "the standard library did not build; its dependencies come from the crates registry, see to the network",
        )?;
        Ok(target.join(TARGET).join("release/deps"))
    }

    /// Puts the built library and the linker in their places, by way of a folder next to the library's.
    fn place(&self, built: &Path, partial: &Path) -> Result<()> {
        for entry in fs::read_dir(built)? {
            let file = entry?.path();
            if file.extension().is_some_and(|extension| extension == "rlib") {
                fs::copy(&file, partial.join(file.file_name().unwrap_or_default()))?;
            }
        }
        write(&partial.join(STAMP), &self.version)?;
        remove(&self.linker())?;
        symlink(LINKER, self.linker())?;
        // Last, in one move: the compiler has the whole library or none.
        replace(partial, &self.library)
    }
}

fn has_library(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    entries
        .flatten()
        .any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
}
