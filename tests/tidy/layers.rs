//! The parts and which way they look. A part may be imported only from above.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::tree::{files, root};

/// Each crate and the crates of this workspace that it may name, in any kind of dependency.
const MAY_KNOW: [(&str, &[&str]); 9] = [
    ("partition-log", &[]),
    ("partition-bench", &["partition-log"]),
    ("partition-story", &["partition-log"]),
    ("partition-figure", &["partition-log", "partition-story"]),
    ("partition-trace", &["partition-log", "partition-story"]),
    (
        "partition-cli",
        &[
            "partition-log",
            "partition-story",
            "partition-figure",
            "partition-trace",
        ],
    ),
    (
        "partition-web",
        &["partition-log", "partition-story", "partition-figure"],
    ),
    // The recordings hold the views that the WebAssembly would give.
    (
        "xtask",
        &[
            "partition-log",
            "partition-story",
            "partition-figure",
            "partition-web",
            "partition-trace",
        ],
    ),
    (
        "partition-tests",
        &[
            "partition-log",
            "partition-story",
            "partition-figure",
            "partition-web",
            "partition-trace",
        ],
    ),
];

/// The manifest of each crate of the workspace, by name.
fn manifests() -> BTreeMap<String, toml::Table> {
    let members = fs::read_dir(root().join("crates")).expect("the crates");
    let folders = members.map(|member| member.expect("a crate").path());
    let folders = folders.chain([root().join("tests")]).filter(|folder| folder.is_dir());
    folders
        .map(|folder| {
            let text = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
            let manifest: toml::Table = text.parse().expect("TOML");
            let name = manifest["package"]["name"].as_str().expect("a name").to_string();
            (name, manifest)
        })
        .collect()
}

/// Names of the dependencies in one table and in all tables for a target.
fn dependencies(manifest: &toml::Table, kind: &str) -> Vec<String> {
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let tables = targets.into_iter().flat_map(|targets| targets.values());
    let tables = tables.filter_map(toml::Value::as_table).chain([manifest]);
    tables
        .filter_map(|table| table.get(kind)?.as_table())
        .flat_map(|table| {
            table.iter().map(|(name, spec)| {
                let renamed = spec.get("package").and_then(toml::Value::as_str);
                renamed.unwrap_or(name).to_string()
            })
        })
        .collect()
}

#[test]
fn imports_point_down() {
    let manifests = manifests();
    for (name, manifest) in &manifests {
        let allowed = MAY_KNOW.iter().find(|(known, _)| known == name);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{name} has no place among the layers"));
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for dependency in dependencies(manifest, kind) {
                let ours = manifests.contains_key(&dependency);
                assert!(
                    // A crate's tests may ask for a feature of its own.
                    !ours || dependency == *name || allowed.contains(&dependency.as_str()),
                    "{name} must not know {dependency}"
                );
            }
        }
    }
    assert_eq!(manifests.len(), MAY_KNOW.len());
}

#[test]
fn the_model_depends_on_a_checksum_and_on_nothing_else_but_on_demand() {
    let manifest = &manifests()["partition-log"];
    let optional = |name: &String| {
        let entry = manifest["dependencies"].get(name.as_str());
        entry
            .and_then(|entry| entry.get("optional"))
            .and_then(toml::Value::as_bool)
            == Some(true)
    };
    let all = dependencies(manifest, "dependencies");
    let always: Vec<_> = all.iter().filter(|name| !optional(name)).collect();
    assert_eq!(
        always,
        ["crc32c", "crc"],
        "the first where the processor has an instruction for it"
    );
    let features = manifest["features"].as_table().expect("features");
    let named = |feature: &str| {
        let parts = features[feature].as_array().expect("a list").iter();
        parts.map(|part| part.as_str().expect("a name")).collect::<Vec<_>>()
    };
    assert_eq!(
        features.keys().collect::<Vec<_>>(),
        ["compression", "default", "serde", "std"]
    );
    assert_eq!(named("default"), ["compression"]);
    assert_eq!(named("serde"), ["dep:hex", "dep:serde"]);
    assert_eq!(named("std"), ["dep:serde_json"]);
    assert_eq!(dependencies(manifest, "build-dependencies"), Vec::<String>::new());
}

/// The one file of the model that knows a disk.
const REAL_FILES: &str = "crates/partition-log/src/disk/real.rs";

/// The rooms of the model, as modules of `partition-log`. A room may import only those above it in this list.
const ROOMS: [&[&str]; 9] = [
    &["units", "ordered", "config"],
    &["disk"],
    &["format"],
    &["rules"],
    &["error"],
    &["state"],
    &["step"],
    &["operations"],
    &["questions"],
];

/// What the crate's root offers under a shorter name, by room.
const OFFERED: [(&str, &[&str]); 5] = [
    ("units", &["Offset", "Position", "ProducerId", "TimestampMs"]),
    ("error", &["ErrorKind", "LogError"]),
    ("state", &["PartitionState"]),
    ("step", &["Step", "Trace"]),
    (
        "operations",
        &[
            "AppendOptions",
            "Appended",
            "CheckOutcome",
            "Consumer",
            "FetchOptions",
            "Fetched",
            "FoundBatch",
            "Partition",
            "Polled",
            "ReadOutcome",
            "TimeTarget",
            "TransactionEnd",
        ],
    ),
];

/// The place of a module, or of a name that the root offers, among the rooms.
fn room(name: &str) -> Option<usize> {
    let offered = OFFERED.iter().find(|(_, names)| names.contains(&name));
    let module = offered.map_or(name, |(room, _)| room);
    ROOMS.iter().position(|modules| modules.contains(&module))
}

/// The modules and names that a source takes from the root of its crate, without those of its tests, comments and docs.
fn taken_from_root(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut taken = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        let rest = &code[at + found.len()..];
        match rest.strip_prefix('{').and_then(|group| group.split_once('}')) {
            Some((group, _)) => taken.extend(group.split(',').map(|name| first_word(name.trim()))),
            None => taken.push(first_word(rest)),
        }
    }
    taken
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn no_room_of_the_model_imports_one_below_it() {
    let folder = "crates/partition-log/src/";
    let mut looked_at = [0; ROOMS.len()];
    for file in files(folder.trim_end_matches('/')) {
        let place = file.path.strip_prefix(folder).expect("a file of the folder");
        let test = place.contains("/tests/") || place.ends_with("/tests.rs") || place.ends_with("/golden.rs");
        if place == "lib.rs" || test {
            continue;
        }
        let own = place.split(['/', '.']).next().unwrap_or_default();
        let own = room(own).unwrap_or_else(|| panic!("{place} is in no room"));
        looked_at[own] += 1;
        for name in taken_from_root(&file.text().expect("source is text")) {
            let other = room(&name).unwrap_or_else(|| panic!("{place} takes {name}, which is in no room"));
            assert!(other <= own, "{place} imports {name}, which lies below");
        }
    }
    assert!(
        looked_at.iter().all(|files| *files > 0),
        "a room without a file: {looked_at:?}"
    );
}

#[test]
fn the_search_for_imports_sees_groups_and_passes_over_comments_and_tests() {
    let text = "use crate::disk::Vfs;\nuse crate::{error::LogError, Partition};\n// crate::step\nlet x = crate::units::LATEST;\n\
                #[cfg(test)]\nmod tests {\n    use crate::questions::view;\n}";
    assert_eq!(taken_from_root(text), ["disk", "error", "Partition", "units"]);
    assert_eq!(room("Partition"), room("operations"));
    assert!(room("Partition") > room("error"));
}

/// The crates that ask `partition-log` for more than it is by itself: for derives, to write steps as data, and for a way to
/// real files.
const ASKS_FOR: [(&str, &[&str]); 2] = [("partition-cli", &["serde", "std"]), ("partition-tests", &["std"])];

#[test]
fn nobody_makes_a_twin_of_the_model() {
    for (name, manifest) in manifests() {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let asked = manifest.get(kind).and_then(|table| table.get("partition-log"));
            let key = |key: &str| asked.and_then(|asked| asked.get(key));
            assert_eq!(key("default-features"), None, "{name} leaves out a part of the model");
            // Neither changes what the model decides and writes.
            let allowed = ASKS_FOR.iter().find(|(asking, _)| *asking == name);
            let allowed = allowed.map_or(&[][..], |(_, features)| features);
            let chosen = key("features").and_then(toml::Value::as_array).into_iter().flatten();
            let chosen: Vec<_> = chosen.filter_map(toml::Value::as_str).collect();
            let chosen = chosen.iter().any(|feature| !allowed.contains(feature));
            assert!(!chosen, "{name} chooses features of partition-log");
        }
    }
}

/// All that the model says of its derives: none leaves a field out, or gives it another name.
const DERIVES: [&str; 4] = [
    "derive(serde::Serialize)",
    "derive(serde::Serialize), serde(rename_all = \"kebab-case\")",
    // An answer is known by its decision.
    "derive(serde::Serialize), serde(untagged)",
    "serde(serialize_with = \"hex::serde::serialize\")",
];

#[test]
fn the_feature_of_derives_adds_serialization_of_everything_and_nothing_else() {
    for file in files("crates/partition-log/src") {
        let text = file.text().expect("source is text");
        let mut lines = text.lines().map(str::trim_start).peekable();
        while let Some(line) = lines.next() {
            let attribute = line.strip_prefix("#[cfg_attr(feature = \"serde\", ");
            let serializes = match attribute.and_then(|attribute| attribute.strip_suffix(")]")) {
                Some(attribute) => DERIVES.contains(&attribute),
                None if line == "#[cfg(feature = \"serde\")]" => lines
                    .peek()
                    .is_some_and(|next| next.starts_with("impl serde::Serialize for ")),
                None => !line.contains("feature = \"serde\"") && !line.contains("#[serde("),
            };
            assert!(serializes, "{}: {line}", file.path);
        }
    }
}

#[test]
fn every_crate_is_held_to_the_lints_of_the_workspace() {
    let root: toml::Table = fs::read_to_string(root().join("Cargo.toml"))
        .expect("the workspace")
        .parse()
        .expect("TOML");
    let shared = root["workspace"]["lints"].as_table().expect("lints");
    for (name, manifest) in manifests() {
        let lints = manifest["lints"].as_table().expect("lints");
        if lints.get("workspace").and_then(toml::Value::as_bool) == Some(true) {
            continue;
        }
        // wasm-bindgen's macro writes unsafe glue; all the other lints stay.
        assert!(
            ["partition-web", "partition-bench"].contains(&name.as_str()),
            "{name} has lints of its own"
        );
        for (tool, rules) in shared {
            for (rule, level) in rules.as_table().expect("a table of lints") {
                let own = lints.get(tool).and_then(|own| own.get(rule));
                assert!(own == Some(level) || rule == "unsafe_code", "{name}: {tool} {rule}");
            }
        }
    }
}

#[test]
fn the_model_has_no_clock_no_randomness_no_floats_and_one_way_to_files() {
    let banned = [
        "std::time",
        "std::fs",
        "std::net",
        "std::thread",
        "std::env",
        "std::process",
        "std::io",
        "SystemTime",
        "Instant",
        "HashMap",
        "HashSet",
        "RandomState",
        "f32",
        "f64",
        "println",
        "unsafe ",
    ];
    for file in files("crates/partition-log/src") {
        let text = file.text().expect("source is text");
        let grouped: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // Decoders hand on their bytes through the trait `Read`; what they read is in memory.
        let decodes = file.path.starts_with("crates/partition-log/src/format/batch/stream/");
        // What has a disk reads it, and takes a file's time as one since 1970.
        let reads = file.path == REAL_FILES;
        for word in banned {
            let allowed = (decodes || reads) && word == "std::io" || reads && ["std::fs", "std::time"].contains(&word);
            assert!(allowed || !has_word(&text, word), "{} names {word}", file.path);
        }
        for module in ["time", "fs", "net", "thread", "env", "process", "io"] {
            if decodes && module == "io" || reads && ["fs", "io", "time"].contains(&module) {
                continue;
            }
            let in_a_group =
                grouped.contains(&format!("use std::{{{module}")) || grouped.contains(&format!("use std::{module}"));
            assert!(!in_a_group, "{} uses std's {module}", file.path);
        }
    }
}

#[test]
fn no_real_file_is_written() {
    let text = fs::read_to_string(root().join(REAL_FILES)).expect("the file that reads a disk");
    let of_files = text
        .match_indices("fs::")
        .map(|(at, found)| first_word(&text[at + found.len()..]));
    let of_files: BTreeSet<String> = of_files.filter(|word| !word.starts_with(char::is_uppercase)).collect();
    assert_eq!(
        of_files.iter().map(String::as_str).collect::<Vec<_>>(),
        ["canonicalize", "metadata", "read", "read_dir"]
    );
    let opened = text
        .match_indices("fs::File::")
        .map(|(at, found)| first_word(&text[at + found.len()..]));
    assert!(
        opened.into_iter().all(|word| word == "open"),
        "which is for reading only"
    );
    for word in ["OpenOptions", "Write", "set_len", "set_modified", "set_permissions"] {
        assert!(!has_word(&text, word), "{REAL_FILES} names {word}");
    }
}

#[test]
fn states_are_equal_only_where_all_that_they_hold_is() {
    for room in ["disk", "state", "operations"] {
        for file in files(&format!("crates/partition-log/src/{room}")) {
            let text = file.text().expect("source is text");
            let by_hand = text.contains("PartialEq for ") || text.contains("PartialEq<");
            // A folder on a disk is known by its path: what was read of it last is no part of a state.
            assert!(
                !by_hand || file.path == REAL_FILES,
                "{} leaves something out of a comparison",
                file.path
            );
        }
    }
}

/// Whether a word stands in a text, not as a part of a longer name.
fn has_word(text: &str, word: &str) -> bool {
    let in_name = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    text.match_indices(word).any(|(at, _)| {
        let before = at.checked_sub(1).and_then(|before| text.as_bytes().get(before));
        !in_name(before) && !in_name(text.as_bytes().get(at + word.len()))
    })
}

#[test]
fn only_the_bridge_knows_the_bindings_of_the_wasm() {
    for file in files("www/src") {
        let text = file.text().unwrap_or_default();
        let imports = text.lines().any(|line| {
            let line = line.trim_start();
            let comment = line.starts_with("//") || line.starts_with('*') || line.starts_with("/*");
            // What the model shows is typed by the generated types, of which no script is left.
            let types = line.starts_with("import type ") || line.starts_with("export type ");
            let views = types && file.path == "www/src/views.ts";
            !comment && !views && (line.contains("bindings/") || line.contains("partition-web"))
        });
        assert!(
            !imports || file.path == "www/src/bridge.ts",
            "{} reaches past the bridge",
            file.path
        );
    }
}
