//! A scene as a standalone SVG file.

use crate::metrics::px;
use crate::scene::{Kind, Role, Scene, SceneNode};

/// The colours of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the reader's system prefers.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

const TOKENS: &str = include_str!("tokens.css");
const DIAGRAM: &str = include_str!("diagram.css");

/// Writes a scene as an SVG file that looks right alone: colours, fonts and marks are inside, the background is painted.
///
/// With a theme chosen, the colours are written out, so that programs without custom properties show them, too.
pub fn svg(scene: &Scene, theme: Theme) -> String {
    let mut out = String::with_capacity(32 * 1024);
    out.push_str("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scene\" role=\"group\"");
    size(&mut out, scene);
    out.push_str(">\n<title>");
    escape(&mut out, &scene.title);
    out.push_str("</title>\n");
    description(&mut out, scene);
    out.push_str("\n<style>");
    style(&mut out, theme);
    out.push_str("</style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
    nodes(&mut out, scene);
    out.push_str("</svg>\n");
    out
}

/// Writes a scene as an `svg` element with one more class, for a page that has `tokens.css` and `diagram.css` in its own style
/// sheets. It is one image with one name and a description: no labels inside, no groups, which only move together, and nothing to point at.
pub fn inline(scene: &Scene, class: &str) -> String {
    let mut out = String::with_capacity(16 * 1024);
    out.push_str("<svg");
    text_attribute(&mut out, "class", &format!("scene {class}"));
    text_attribute(&mut out, "role", "img");
    text_attribute(&mut out, "aria-label", &scene.title);
    size(&mut out, scene);
    out.push('>');
    description(&mut out, scene);
    for node in &scene.nodes {
        if node.kind != Kind::Group && node.class != "target" {
            shape(&mut out, node, Names::Left);
        }
    }
    out.push_str("</svg>");
    out
}

/// The segments, for a screen reader.
fn description(out: &mut String, scene: &Scene) {
    out.push_str("<desc>");
    let groups = scene.nodes.iter().filter(|node| node.role == Some(Role::Group));
    for (index, node) in groups.enumerate() {
        if index > 0 {
            out.push_str("; ");
        }
        escape(out, &node.label);
    }
    out.push_str("</desc>");
}

fn size(out: &mut String, scene: &Scene) {
    pixels(out, "width", scene.width);
    pixels(out, "height", scene.height);
    out.push_str(" viewBox=\"0 0 ");
    px(out, scene.width);
    out.push(' ');
    px(out, scene.height);
    out.push('"');
}

fn nodes(out: &mut String, scene: &Scene) {
    let mut open: Vec<&str> = Vec::new();
    for node in &scene.nodes {
        while open.last().is_some_and(|key| *key != node.parent) {
            out.push_str("</g>\n");
            open.pop();
        }
        shape(out, node, Names::Given);
        out.push('\n');
        if node.kind == Kind::Group {
            open.push(&node.key);
        }
    }
    for _ in open {
        out.push_str("</g>\n");
    }
}

/// A token: its name, its light value, its dark value.
struct Token<'a> {
    name: &'a str,
    light: &'a str,
    dark: &'a str,
}

/// The tokens of `tokens.css`: `--name: light-dark(light, dark);` or `--name: value;`.
fn tokens() -> Vec<Token<'static>> {
    let declaration = |line: &'static str| {
        let (name, value) = line.trim().strip_suffix(';')?.split_once(": ")?;
        name.strip_prefix("--").map(|_| (name, value))
    };
    TOKENS
        .lines()
        .filter_map(declaration)
        .map(|(name, value)| {
            let pair = value
                .strip_prefix("light-dark(")
                .and_then(|rest| rest.strip_suffix(')')?.split_once(", "));
            let (light, dark) = pair.unwrap_or((value, value));
            Token { name, light, dark }
        })
        .collect()
}

fn style(out: &mut String, theme: Theme) {
    let tokens = tokens();
    if theme == Theme::Auto {
        // The system decides while the picture is shown: the values have to stay apart from the rules.
        out.push_str("svg{");
        for token in &tokens {
            declare(out, token.name, token.light);
        }
        out.push_str("}@media (prefers-color-scheme:dark){svg{");
        for token in tokens.iter().filter(|token| token.light != token.dark) {
            declare(out, token.name, token.dark);
        }
        out.push_str("}}");
    }
    // What belongs to pages only, hovering and forced colours, stands behind this line.
    let rules = DIAGRAM.split("/* In pages. */").next().unwrap_or(DIAGRAM);
    let mut rest = rules;
    let mut css = String::new();
    while let Some((before, after)) = rest.split_once("/*") {
        css.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    css.push_str(rest);
    if theme != Theme::Auto {
        for token in &tokens {
            let value = if theme == Theme::Dark { token.dark } else { token.light };
            let mut call = String::from("var(");
            call.push_str(token.name);
            call.push(')');
            css = css.replace(&call, value);
        }
    }
    for line in css.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let tight = line
            .replace(": ", ":")
            .replace("; }", "}")
            .replace("; ", ";")
            .replace(" { ", "{");
        escape_style(out, &tight);
    }
}

fn declare(out: &mut String, name: &str, value: &str) {
    out.push_str(name);
    out.push(':');
    escape_style(out, value);
    out.push(';');
}

/// A style sheet in XML: quotes may stay.
fn escape_style(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            _ => out.push(character),
        }
    }
}

/// Whether nodes bear their keys and what a screen reader says of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Given,
    Left,
}

/// A node; of a group the start.
fn shape(out: &mut String, node: &SceneNode, names: Names) {
    let tag = match node.kind {
        Kind::Group => "g",
        kind => kind.name(),
    };
    out.push('<');
    out.push_str(tag);
    if names == Names::Given {
        text_attribute(out, "data-key", &node.key);
    }
    text_attribute(out, "class", node.class);
    match node.kind {
        Kind::Group => {}
        Kind::Rect => {
            pixels(out, "x", node.x);
            pixels(out, "y", node.y);
            pixels(out, "width", node.w);
            pixels(out, "height", node.h);
            if node.rx > 0 {
                pixels(out, "rx", node.rx);
            }
        }
        Kind::Text => {
            pixels(out, "x", node.x);
            pixels(out, "y", node.y);
            if node.anchor != Default::default() {
                text_attribute(out, "text-anchor", node.anchor.name());
            }
        }
        Kind::Line => {
            pixels(out, "x1", node.x);
            pixels(out, "y1", node.y);
            pixels(out, "x2", node.x + node.w);
            pixels(out, "y2", node.y + node.h);
        }
        Kind::Circle => {
            pixels(out, "cx", node.x);
            pixels(out, "cy", node.y);
            pixels(out, "r", node.w);
        }
        Kind::Path => {
            out.push_str(" transform=\"translate(");
            px(out, node.x);
            out.push(' ');
            px(out, node.y);
            out.push_str(")\"");
            text_attribute(out, "d", &node.d);
        }
    }
    match node.role {
        _ if names == Names::Left => {}
        Some(role) => {
            // Nothing happens in a still picture: a button is a picture with a name.
            text_attribute(out, "role", if role == Role::Button { "img" } else { role.name() });
            text_attribute(out, "aria-label", &node.label);
        }
        None if node.kind != Kind::Group => out.push_str(" aria-hidden=\"true\""),
        None => {}
    }
    match node.kind {
        Kind::Group => out.push('>'),
        Kind::Text => {
            out.push('>');
            for span in &node.spans {
                if span.class.is_empty() {
                    escape(out, &span.text);
                } else {
                    out.push_str("<tspan");
                    text_attribute(out, "class", span.class);
                    out.push('>');
                    escape(out, &span.text);
                    out.push_str("</tspan>");
                }
            }
            out.push_str("</text>");
        }
        _ => out.push_str("/>"),
    }
}

fn pixels(out: &mut String, name: &str, tenths: i32) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    px(out, tenths);
    out.push('"');
}

fn text_attribute(out: &mut String, name: &str, value: &str) {
    if value.is_empty() {
        return;
    }
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    escape(out, value);
    out.push('"');
}

fn escape(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(character),
        }
    }
}
