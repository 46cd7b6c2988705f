//! Colours stand in one file; everything else names their roles.

use crate::tree::files;

const TOKENS: &str = "crates/partition-figure/src/tokens.css";

/// CSS functions that make a colour out of numbers.
const FUNCTIONS: [&str; 10] = [
    "rgb(",
    "rgba(",
    "hsl(",
    "hsla(",
    "hwb(",
    "lab(",
    "lch(",
    "oklab(",
    "oklch(",
    "light-dark(",
];

/// Names of colours. System colours, `currentColor` and `transparent` are none.
const NAMES: [&str; 24] = [
    "white", "black", "red", "green", "blue", "yellow", "orange", "purple", "violet", "magenta", "cyan", "teal",
    "navy", "gray", "grey", "silver", "maroon", "olive", "lime", "aqua", "pink", "brown", "gold", "crimson",
];

fn word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// The first colour literal of a line.
fn literal(line: &str, css: bool) -> Option<String> {
    let bytes = line.as_bytes();
    for (at, _) in line.match_indices('#') {
        let digits = bytes[at + 1..]
            .iter()
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count();
        let ends = bytes.get(at + 1 + digits).is_none_or(|byte| !word_byte(*byte));
        // A fragment of a link, a private field and a number of an issue are no colours.
        let follows_word = at > 0 && (word_byte(bytes[at - 1]) || b"./&".contains(&bytes[at - 1]));
        if [3, 4, 6, 8].contains(&digits) && ends && !follows_word {
            return Some(line[at..=at + digits].to_string());
        }
    }
    for function in FUNCTIONS {
        for (at, _) in line.match_indices(function) {
            let longer_name = at > 0 && (word_byte(bytes[at - 1]) || bytes[at - 1] == b'.');
            let literal = line[at + function.len()..].trim_start().starts_with(|first: char| {
                first.is_ascii_digit() || (css && (first == '#' || function == "light-dark("))
            });
            if !longer_name && literal {
                return Some(function.to_string());
            }
        }
    }
    let value = css.then(|| line.split_once(':')).flatten()?.1;
    let words = value.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
    words.into_iter().find(|word| NAMES.contains(word)).map(str::to_string)
}

#[test]
fn every_colour_stands_in_the_tokens() {
    let places = ["crates", "www/src", "www/css"];
    for file in places.into_iter().flat_map(files).filter(|file| file.path != TOKENS) {
        let css = file.extension() == "css";
        // Golden pictures are written by the figure, tokens and all.
        let golden = file.extension() == "svg" && file.path.contains("/golden/");
        if golden {
            continue;
        }
        if !css && !["rs", "ts", "html", "svg", "mjs"].contains(&file.extension()) {
            continue;
        }
        for (number, line) in file.text().unwrap_or_default().lines().enumerate() {
            if let Some(colour) = literal(line, css) {
                panic!("{}:{}: {colour} belongs into {TOKENS}", file.path, number + 1);
            }
        }
    }
}

#[test]
fn the_search_knows_a_colour_from_what_looks_like_one() {
    let hash = '#';
    for line in [
        format!("fill: {hash}fff;"),
        format!("\"{hash}11161b\""),
        "fill: rgb(1 2 3)".to_string(),
        "color: red;".to_string(),
    ] {
        assert!(literal(&line, true).is_some(), "{line}");
    }
    for line in [
        "#[test]",
        "a::b(#rest)",
        "href=\"page.html#add\"",
        "&#8594;",
        "white-space: nowrap;",
        "var(--pod-red)",
    ] {
        assert_eq!(literal(line, true), None, "{line}");
    }
}

#[test]
fn the_tokens_have_colours_for_both_grounds() {
    let tokens = files("crates/partition-figure/src")
        .into_iter()
        .find(|file| file.path == TOKENS);
    let text = tokens.and_then(|file| file.text()).expect("the tokens");
    let mut colours = 0;
    for line in text.lines().filter(|line| line.trim_start().starts_with("--")) {
        if line.contains('#') {
            colours += 1;
            assert!(line.contains("light-dark(#"), "{line}");
        }
    }
    assert!(colours > 10);
}
