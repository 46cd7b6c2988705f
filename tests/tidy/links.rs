//! Links in prose lead somewhere. Addresses on the web are not asked for.

use std::path::{Component, Path, PathBuf};

use crate::tree::{files, root};

/// The targets of the Markdown links of a text, outside code.
fn targets(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join("``");
        for (at, _) in plain.match_indices("](") {
            let rest = &plain[at + 2..];
            if let Some(end) = rest.find(')') {
                found.push(rest[..end].split(' ').next().unwrap_or_default().to_string());
            }
        }
        if let Some((name, target)) = plain.strip_prefix('[').and_then(|rest| rest.split_once("]: "))
            && !name.contains(']')
        {
            found.push(target.trim().to_string());
        }
    }
    found
}

/// A heading as GitHub names it in a link.
fn slug(heading: &str) -> String {
    let kept = heading
        .trim()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn headings(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if let Some(heading) = line.strip_prefix('#').filter(|_| !fenced) {
            found.push(slug(heading.trim_start_matches('#')));
        }
    }
    found
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

#[test]
fn every_link_between_documents_resolves() {
    for file in files("").into_iter().filter(|file| file.extension() == "md") {
        let text = file.text().expect("prose is text");
        for target in targets(&text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let folder = file.on_disk.parent().expect("a folder");
            let to = if path.is_empty() {
                file.on_disk.clone()
            } else {
                plain(&folder.join(path))
            };
            assert!(to.exists(), "{}: {target} leads nowhere", file.path);
            assert!(
                to.starts_with(root()),
                "{}: {target} leads out of the repository",
                file.path
            );
            if !anchor.is_empty() && to.extension().is_some_and(|extension| extension == "md") {
                let there = std::fs::read_to_string(&to).expect("prose is text");
                assert!(
                    headings(&there).contains(&anchor.to_string()),
                    "{}: no heading for {target}",
                    file.path
                );
            }
        }
    }
}

#[test]
fn links_are_found_where_they_are_links() {
    let text = "See [a](b.md#c \"d\") and `[e](f)`.\n```\n[g](h)\n```\n[i]: j.md\n## A heading, with `code`!";
    assert_eq!(targets(text), ["b.md#c", "j.md"]);
    assert_eq!(headings(text), ["a-heading-with-code"]);
}
