//! The parts and which way they look. A part may be imported only from above.

use std::collections::BTreeMap;
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
        &["partition-log", "partition-story", "partition-figure"],
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
fn the_model_depends_on_a_checksum_and_on_nothing_else_but_for_codecs_on_demand() {
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
    assert_eq!(features.keys().collect::<Vec<_>>(), ["compression", "default"]);
    assert_eq!(dependencies(manifest, "build-dependencies"), Vec::<String>::new());
}

#[test]
fn nobody_makes_a_smaller_twin_of_the_model() {
    for (name, manifest) in manifests() {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let asked = manifest.get(kind).and_then(|table| table.get("partition-log"));
            for key in ["features", "default-features"] {
                let chooses = asked.is_some_and(|asked| asked.get(key).is_some());
                assert!(!chooses, "{name} chooses features of partition-log");
            }
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
fn the_model_has_no_clock_no_files_no_randomness_and_no_floats() {
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
        let decodes = file.path.starts_with("crates/partition-log/src/batch/stream/");
        for word in banned {
            let allowed = decodes && word == "std::io";
            assert!(allowed || !has_word(&text, word), "{} names {word}", file.path);
        }
        for module in ["time", "fs", "net", "thread", "env", "process", "io"] {
            if decodes && module == "io" {
                continue;
            }
            let in_a_group =
                grouped.contains(&format!("use std::{{{module}")) || grouped.contains(&format!("use std::{module}"));
            assert!(!in_a_group, "{} uses std's {module}", file.path);
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
