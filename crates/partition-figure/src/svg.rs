//! A scene as a standalone SVG file.

use crate::metrics::px;
use crate::scene::{Kind, Node, Scene};

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

/// Writes a scene as SVG that looks right alone: colours, fonts and marks are inside, the background is painted.
pub fn svg(scene: &Scene, theme: Theme) -> String {
    let mut out = String::with_capacity(16 * 1024);
    out.push_str("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scene\" role=\"group\"");
    pixels(&mut out, "width", scene.width);
    pixels(&mut out, "height", scene.height);
    out.push_str(" viewBox=\"0 0 ");
    px(&mut out, scene.width);
    out.push(' ');
    px(&mut out, scene.height);
    out.push_str("\">\n<title>");
    escape(&mut out, &scene.title);
    out.push_str("</title>\n<style>\n");
    let scheme = match theme {
        Theme::Auto => "light dark",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    out.push_str(":root{color-scheme:");
    out.push_str(scheme);
    out.push_str("}\n");
    out.push_str(TOKENS);
    out.push_str(DIAGRAM);
    out.push_str("</style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
    let mut open: Vec<&str> = Vec::new();
    for node in &scene.nodes {
        while open.last().is_some_and(|key| *key != node.parent) {
            out.push_str("</g>\n");
            open.pop();
        }
        write(&mut out, node);
        if node.kind == Kind::Group {
            open.push(&node.key);
        }
    }
    for _ in open {
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

fn write(out: &mut String, node: &Node) {
    let tag = match node.kind {
        Kind::Group => "g",
        kind => kind.name(),
    };
    out.push('<');
    out.push_str(tag);
    text_attribute(out, "data-key", &node.key);
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
        Some(role) => {
            text_attribute(out, "role", if node.role == Some(crate::scene::Role::Button) { "img" } else { role.name() });
            text_attribute(out, "aria-label", &node.label);
        }
        None if node.kind != Kind::Group => out.push_str(" aria-hidden=\"true\""),
        None => {}
    }
    match node.kind {
        Kind::Group => out.push_str(">\n"),
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
            out.push_str("</text>\n");
        }
        _ => out.push_str("/>\n"),
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
