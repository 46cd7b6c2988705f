//! The files of the repository, without what a build makes.

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

/// Folders that a build or an install makes, as `.gitignore` names them.
const MADE: [&str; 4] = ["target", "node_modules", "dist", "bindings"];

/// Larger files than this are no source: 256 KiB.
const LARGE: u64 = 256 << 10;

/// What Kafka has answered is recorded at length: 2 MiB.
const LARGE_RECORDING: u64 = 2 << 20;

/// A file, and its path as it would stand in a link: relative, with `/`.
pub struct File {
    pub path: String,
    pub on_disk: PathBuf,
}

impl File {
    /// Its text; `None` if it is not text.
    pub fn text(&self) -> Option<String> {
        fs::read_to_string(&self.on_disk).ok()
    }

    pub fn extension(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("the tests lie in the workspace").to_path_buf()
}

/// All files under a folder of the workspace, in order; "" for all there are.
pub fn files(under: &str) -> Vec<File> {
    // In a work tree of its own, `.git` is a file.
    let made = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        let folder = entry.depth() > 0 && entry.file_type().is_dir();
        name == ".git" || (folder && (MADE.contains(&&*name) || name.starts_with("target-")))
    };
    let entries = WalkDir::new(root().join(under)).sort_by_file_name().into_iter();
    let entries = entries.filter_entry(|entry| !made(entry));
    let entries = entries.map(|entry| entry.expect("a readable folder"));
    let files = entries.filter(|entry| entry.file_type().is_file());
    let file = |entry: DirEntry| File {
        path: entry
            .path()
            .strip_prefix(root())
            .expect("it is inside")
            .display()
            .to_string(),
        on_disk: entry.into_path(),
    };
    files.map(file).collect()
}

#[test]
fn no_file_is_large_and_none_is_left_over() {
    for file in files("") {
        let size = fs::metadata(&file.on_disk).expect("a file").len();
        let large = match file.path.starts_with("tests/fixtures/") {
            true => LARGE_RECORDING,
            false => LARGE,
        };
        assert!(size <= large, "{} has {size} B", file.path);
        let leftover = ["orig", "rej", "bak", "swp", "tmp", "zip", "gz", "wasm", "class", "jar"];
        assert!(!leftover.contains(&file.extension()), "{} is a leftover", file.path);
        assert!(
            !file.path.ends_with('~') && !file.path.ends_with(".DS_Store"),
            "{}",
            file.path
        );
    }
}
