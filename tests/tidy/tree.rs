//! The files of the repository, without what a build makes.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that a build or an install makes, as `.gitignore` names them, and git's own.
const MADE: [&str; 4] = [".git", "node_modules", "dist", "bindings"];

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
    let mut found = Vec::new();
    walk(&root().join(under), under, &mut found);
    found.sort_by(|left, right| left.path.cmp(&right.path));
    found
}

fn walk(folder: &Path, path: &str, found: &mut Vec<File>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let entry = entry.expect("a readable folder");
        let name = entry.file_name().into_string().expect("names are UTF-8");
        let path = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}/{name}")
        };
        let kind = entry.file_type().expect("a readable folder");
        if kind.is_dir() {
            if !MADE.contains(&name.as_str()) && name != "target" && !name.starts_with("target-") {
                walk(&entry.path(), &path, found);
            }
        // In a work tree of its own, `.git` is a file.
        } else if kind.is_file() && name != ".git" {
            found.push(File {
                path,
                on_disk: entry.path(),
            });
        }
    }
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
