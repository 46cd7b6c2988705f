//! What a public function of a library returns as its error is an error, with a source where it has one.

use std::collections::BTreeSet;

use crate::tree::files;

const LIBRARIES: [&str; 4] = [
    "crates/partition-log/src",
    "crates/partition-story/src",
    "crates/partition-figure/src",
    "crates/partition-trace/src",
];

/// The last type of each `Result<…>` behind the `->` of a public function.
fn returned(text: &str) -> BTreeSet<String> {
    let functions = text.split("\n").collect::<Vec<_>>().join(" ");
    let mut found = BTreeSet::new();
    for function in functions.split(" pub ").skip(1) {
        let Some(head) = function.split(['{', ';']).next().filter(|head| head.contains("fn ")) else {
            continue;
        };
        let Some((_, result)) = head.rsplit_once("->") else {
            continue;
        };
        let Some(result) = result.trim().strip_prefix("Result<") else {
            continue;
        };
        let result = result.trim().trim_end_matches('>').trim_end_matches(", ");
        let last = result.rsplit(", ").next().unwrap_or(result);
        found.insert(
            last.rsplit("::")
                .next()
                .unwrap_or(last)
                .trim_matches([',', ' '])
                .to_string(),
        );
    }
    found
}

#[test]
fn every_error_that_is_returned_implements_error() {
    let sources: Vec<_> = LIBRARIES.iter().flat_map(|folder| files(folder)).collect();
    let sources = sources.iter().filter(|file| file.extension() == "rs");
    let texts: Vec<String> = sources.filter_map(|file| file.text()).collect();
    let implemented = |name: &str| {
        let line = format!("impl core::error::Error for {name} {{");
        texts.iter().any(|text| text.contains(&line))
    };
    let all: BTreeSet<String> = texts.iter().flat_map(|text| returned(text)).collect();
    for known in ["LogError", "SettingError", "CheckpointFault", "ScenarioError"] {
        assert!(all.contains(known), "{known} was not found: {all:?}");
    }
    // Not another name for one of them, nor what a crate keeps to itself.
    let public = |name: &str| {
        let alias = format!("pub type {name} =");
        if texts.iter().any(|text| text.contains(&alias)) {
            return false;
        }
        let heads = ["struct", "enum"].map(|kind| format!("\npub {kind} {name}"));
        texts.iter().any(|text| {
            heads.iter().any(|head| {
                let behind = text.split(head.as_str()).nth(1).map(str::as_bytes);
                behind.is_some_and(|behind| !behind.first().is_some_and(u8::is_ascii_alphanumeric))
            })
        })
    };
    let silent: Vec<_> = all.iter().filter(|name| public(name) && !implemented(name)).collect();
    assert!(
        silent.is_empty(),
        "these do not implement core::error::Error: {silent:?}"
    );
}
