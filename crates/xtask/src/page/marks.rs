//! The rules of the diagram's style sheet that the page itself needs: its own pictures show a first step each, and the element
//! brings all of them.

use std::collections::BTreeSet;

/// The rules whose classes all occur in this HTML, without comments and line breaks; those inside `@media` are left out: they are
/// about the element's states, or said once more by the page.
pub fn rules(diagram: &str, html: &str) -> String {
    let used = classes(html);
    let mut out = String::new();
    let mut rest = without_comments(diagram);
    while let Some(open) = rest.find('{') {
        let end = end_of_block(&rest, open);
        let (selectors, body) = (rest[..open].trim(), &rest[open..end]);
        let needed: Vec<&str> = match selectors.starts_with('@') {
            true => Vec::new(),
            false => selectors
                .split(',')
                .map(str::trim)
                .filter(|selector| is_used(selector, &used))
                .collect(),
        };
        if !needed.is_empty() {
            out.push_str(&needed.join(","));
            out.push_str(
                &body
                    .replace("{ ", "{")
                    .replace("; }", "}")
                    .replace("; ", ";")
                    .replace(": ", ":"),
            );
        }
        rest = rest.split_off(end);
    }
    out
}

/// Every class that an element of the HTML has.
fn classes(html: &str) -> BTreeSet<&str> {
    let lists = html.split(" class=\"").skip(1);
    lists
        .filter_map(|list| list.split('"').next())
        .flat_map(str::split_whitespace)
        .collect()
}

fn is_used(selector: &str, used: &BTreeSet<&str>) -> bool {
    let name_ends = |sign: char| !(sign.is_ascii_alphanumeric() || sign == '-');
    let mut names = selector
        .split('.')
        .skip(1)
        .map(|name| name.split(name_ends).next().unwrap_or_default());
    names.all(|name| used.contains(name))
}

fn without_comments(css: &str) -> String {
    let mut parts = css.split("/*");
    let first = parts.next().unwrap_or_default();
    let after = parts.filter_map(|part| part.split_once("*/")).map(|(_, after)| after);
    std::iter::once(first).chain(after).collect()
}

/// Where the block that opens here is closed again.
fn end_of_block(css: &str, open: usize) -> usize {
    let mut depth = 0;
    for (place, sign) in css[open..].char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + place + 1;
        }
    }
    css.len()
}

#[cfg(test)]
mod tests {
    use super::rules;

    #[test]
    fn only_rules_with_known_classes_stay() {
        let css = "/* a */\n.scene .a { fill: red; stroke: blue; }\n.scene .b, .scene .a.c { fill: none; }\n\
                   @media (x) {\n  .scene .a { fill: none; }\n}\n.scene text { font: 12px x; }\n";
        let html = "<svg class=\"scene s\"><rect class=\"a c\"/></svg>";
        assert_eq!(
            rules(css, html),
            ".scene .a{fill:red;stroke:blue}.scene .a.c{fill:none}.scene text{font:12px x}"
        );
    }
}
