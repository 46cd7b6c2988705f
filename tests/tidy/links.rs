//! Links in prose lead somewhere. Addresses on the web are not asked for.

use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Options, Parser, html};
use scraper::{Html, Selector};

use crate::tree::{files, root};

/// Markdown as the page that its readers see; pictures and links in HTML are in it, too.
fn rendered(text: &str) -> Html {
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(text, Options::ENABLE_TABLES));
    Html::parse_fragment(&page)
}

/// What the links and pictures of a page lead to.
fn targets(page: &Html) -> Vec<String> {
    let attributes = ["href", "src", "srcset"];
    let elements = page.tree.nodes().filter_map(|node| node.value().as_element());
    elements
        .flat_map(|element| attributes.iter().filter_map(|name| element.attr(name)))
        .map(String::from)
        .collect()
}

/// A heading as GitHub names it in a link.
fn slug(heading: &str) -> String {
    let kept = heading
        .trim()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn headings(page: &Html) -> Vec<String> {
    let heading = Selector::parse("h1, h2, h3, h4, h5, h6").expect("a selector");
    let headings = page.select(&heading);
    headings
        .map(|heading| slug(&heading.text().collect::<String>()))
        .collect()
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
        for target in targets(&rendered(&text)) {
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
                    headings(&rendered(&there)).contains(&anchor.to_string()),
                    "{}: no heading for {target}",
                    file.path
                );
            }
        }
    }
}

#[test]
fn links_are_found_where_they_are_links() {
    let text = "See [a](b.md#c \"d\"), [i](<j.md>), [l] and `[e](f)`.\n```\n[g](h)\n```\n<img src='m.svg'> <!-- [n](o) -->\n\n\
                | a |\n|---|\n| [p](q) |\n\n[l]: r.md\n\n## A heading, with `code`!\n\nA second\n---\n";
    let page = rendered(text);
    assert_eq!(targets(&page), ["b.md#c", "j.md", "r.md", "m.svg", "q"]);
    assert_eq!(headings(&page), ["a-heading-with-code", "a-second"]);
}
