//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

/// The folders of this workspace.
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The workspace that this program was started from.
    pub fn locate() -> Self {
        // Cargo sets the variable when it runs us; the compiled-in value serves whoever starts the program by hand.
        let package =
            env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = package
            .ancestors()
            .nth(2)
            .expect("xtask lives two folders below the root");
        Self {
            root: root.to_path_buf(),
        }
    }

    /// The folder of the workspace's Cargo.toml.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The page's sources.
    pub fn www(&self) -> PathBuf {
        self.root.join("www")
    }

    /// The JavaScript and the types that belong to the compiled wasm; generated.
    pub fn bindings(&self) -> PathBuf {
        self.www().join("bindings")
    }

    /// The crate that becomes the wasm.
    pub fn web_crate(&self) -> PathBuf {
        self.root.join("crates/partition-web")
    }

    /// The finished page.
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// Cargo's target folder.
    pub fn target(&self) -> PathBuf {
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.root.join("target"), |folder| self.root.join(folder))
    }

    /// A path as messages name it: from the root, where it is inside.
    pub fn named<'a>(&self, path: &'a Path) -> std::path::Display<'a> {
        path.strip_prefix(&self.root).unwrap_or(path).display()
    }

    /// Room for what a build makes on its way to `dist/`.
    pub fn scratch(&self, name: &str) -> PathBuf {
        self.target().join("xtask").join(name)
    }
}
