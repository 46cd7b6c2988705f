//! A picture as data: keyed shapes in paint order.
//!
//! All geometry is in tenths of a px, in absolute coordinates of the scene: whole numbers, since formatting floats costs
//! several kB of WebAssembly. A key names the same thing in every frame, so that a renderer can move what stays and draw
//! only what is new.

use crate::metrics::{cat, px};

/// A picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(serde::Serialize, tsify::Tsify))]
pub struct Scene {
    /// Width, tenths of a px.
    pub width: i32,
    /// Height, tenths of a px; the same for all frames of a story.
    pub height: i32,
    /// What it shows, for readers who do not see it.
    pub title: String,
    /// Shapes in paint order; a group stands before what it holds.
    pub nodes: Vec<SceneNode>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Kind {
    /// Holds other nodes. Its box is theirs; it moves nothing.
    #[default]
    Group,
    /// `x`, `y` is the top left corner, `w`, `h` the size, `rx` the corner radius.
    Rect,
    /// `x`, `y` is the anchor on the baseline.
    Text,
    /// `d` is relative to `x`, `y`.
    Path,
    /// From `x`, `y` to `x + w`, `y + h`.
    Line,
    /// `x`, `y` is the centre, `w` the radius.
    Circle,
}

impl Kind {
    /// Its name in the scene's JSON form.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Group => "group",
            Kind::Rect => "rect",
            Kind::Text => "text",
            Kind::Path => "path",
            Kind::Line => "line",
            Kind::Circle => "circle",
        }
    }
}

/// Which point of a text its `x` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Anchor {
    /// The left end.
    #[default]
    Start,
    /// The middle.
    Middle,
    /// The right end.
    End,
}

impl Anchor {
    #[cfg(feature = "typescript")]
    fn is_start(&self) -> bool {
        *self == Anchor::Start
    }

    /// Its name in SVG.
    pub const fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// What a node is for assistive technology.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Role {
    /// A labelled group.
    Group,
    /// Can be focused, and inspected by its key.
    Button,
}

impl Role {
    /// Its name in ARIA.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Group => "group",
            Role::Button => "button",
        }
    }
}

/// How a node appears whose key was not in the scene before, and when, within the motion of a step, it appears, moves or
/// changes: the page plays the kinds one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Enter {
    /// By opacity.
    Fade,
    /// From the right edge of the node `from`.
    Grow,
    /// From where an append begins, the end of the `/tail` of its group, to its place; the tail goes along.
    Travel,
    /// With the counters, once something has been appended.
    Tick,
    /// As an entry, from the touched record of its segment's log into its file.
    Land,
    /// As a record that comes up to a limit.
    Meet,
    /// Drawn from its start to its end.
    Hop,
    /// Like a hop, at a pace per record: its path has one straight piece a record.
    Walk,
    /// As the head of a pointer, once its line is drawn.
    Head,
    /// As a comparison: its numbers, then its word.
    Say,
    /// With the clock.
    Age,
    /// As the hatch of something deleted.
    Hatch,
    /// With the names of deleted files.
    Name,
    /// With the flag at the log start.
    Flag,
}

impl Enter {
    /// Its name in the scene's JSON form.
    pub const fn name(self) -> &'static str {
        match self {
            Enter::Fade => "fade",
            Enter::Grow => "grow",
            Enter::Travel => "travel",
            Enter::Tick => "tick",
            Enter::Land => "land",
            Enter::Meet => "meet",
            Enter::Hop => "hop",
            Enter::Walk => "walk",
            Enter::Head => "head",
            Enter::Say => "say",
            Enter::Age => "age",
            Enter::Hatch => "hatch",
            Enter::Name => "name",
            Enter::Flag => "flag",
        }
    }
}

/// A piece of text with classes of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(serde::Serialize, tsify::Tsify))]
pub struct Span {
    /// The text.
    pub text: String,
    /// Classes, separated by spaces; may be empty.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "str::is_empty"),
        tsify(optional)
    )]
    pub class: &'static str,
}

/// One shape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(serde::Serialize, tsify::Tsify))]
pub struct SceneNode {
    /// Unique in the scene, the same for the same thing in every frame.
    pub key: String,
    /// Key of the group that holds it; empty at the top.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "String::is_empty"),
        tsify(optional)
    )]
    pub parent: String,
    /// What it is.
    #[cfg_attr(
        feature = "typescript",
        tsify(type = r#""group" | "rect" | "text" | "path" | "line" | "circle""#)
    )]
    pub kind: Kind,
    /// Classes of meaning, separated by spaces; `diagram.css` gives them their looks.
    pub class: &'static str,
    /// Horizontal place, tenths of a px.
    pub x: i32,
    /// Vertical place, tenths of a px.
    pub y: i32,
    /// Width, radius, or way to the end.
    #[cfg_attr(feature = "typescript", serde(skip_serializing_if = "is_zero"), tsify(optional))]
    pub w: i32,
    /// Height, or way to the end.
    #[cfg_attr(feature = "typescript", serde(skip_serializing_if = "is_zero"), tsify(optional))]
    pub h: i32,
    /// Corner radius.
    #[cfg_attr(feature = "typescript", serde(skip_serializing_if = "is_zero"), tsify(optional))]
    pub rx: i32,
    /// Path data in px with at most one decimal.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "String::is_empty"),
        tsify(optional)
    )]
    pub d: String,
    /// For a text.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "Anchor::is_start"),
        tsify(optional, type = r#""start" | "middle" | "end""#)
    )]
    pub anchor: Anchor,
    /// For a text.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "Vec::is_empty"),
        tsify(optional)
    )]
    pub spans: Vec<Span>,
    /// For assistive technology.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "Option::is_none"),
        tsify(optional, type = r#""group" | "button""#)
    )]
    pub role: Option<Role>,
    /// Accessible name; empty if it has none.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "String::is_empty"),
        tsify(optional)
    )]
    pub label: String,
    /// How it appears.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "Option::is_none"),
        tsify(
            optional,
            type = r#""fade" | "grow" | "travel" | "tick" | "land" | "meet" | "hop" | "walk" | "head" | "say" | "age" | "hatch" | "name" | "flag""#
        )
    )]
    pub enter: Option<Enter>,
    /// Key of the node that it grows from; empty if none.
    #[cfg_attr(
        feature = "typescript",
        serde(skip_serializing_if = "String::is_empty"),
        tsify(optional)
    )]
    pub from: String,
    /// Whether it fades when it leaves; otherwise it is gone at once.
    #[cfg_attr(
        feature = "typescript",
        serde(
            rename = "exit",
            skip_serializing_if = "core::ops::Not::not",
            serialize_with = "exit"
        ),
        tsify(optional, type = r#""fade""#)
    )]
    pub fades: bool,
}

#[cfg(feature = "typescript")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
const fn is_zero(value: &i32) -> bool {
    *value == 0
}

/// How a node leaves that fades.
#[cfg(feature = "typescript")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn exit<S: serde::Serializer>(_: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("fade")
}

impl SceneNode {
    /// Gives it a way to appear.
    pub fn enters(&mut self, enter: Enter) -> &mut SceneNode {
        self.enter = Some(enter);
        self
    }

    /// Makes it a button with an accessible name.
    pub fn button(&mut self, label: String) -> &mut SceneNode {
        self.role = Some(Role::Button);
        self.label = label;
        self
    }
}

/// A rectangle in tenths of a px.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Left edge.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

impl Area {
    /// An area by its left upper corner and its size.
    pub const fn new(x: i32, y: i32, w: i32, h: i32) -> Area {
        Area { x, y, w, h }
    }

    /// The box of a record in this area: neighbours share an edge.
    pub const fn cell(self) -> Area {
        Area {
            x: self.x + 5,
            y: self.y + 5,
            w: self.w,
            h: self.h - 10,
        }
    }

    /// The right edge.
    pub const fn right(self) -> i32 {
        self.x + self.w
    }

    /// The lower edge.
    pub const fn bottom(self) -> i32 {
        self.y + self.h
    }

    /// The horizontal middle.
    pub const fn middle(self) -> i32 {
        self.x + self.w / 2
    }

    /// The rectangle whose 1 px outline fills this one: half a px further in on every side.
    pub const fn outline(self) -> Area {
        Area {
            x: self.x + 5,
            y: self.y + 5,
            w: self.w - 10,
            h: self.h - 10,
        }
    }
}

/// Puts together the nodes of a scene.
#[derive(Debug, Default)]
pub struct Canvas {
    nodes: Vec<SceneNode>,
    open: Vec<usize>,
}

impl Canvas {
    /// Adds a node to the group that is open.
    pub fn add(&mut self, node: SceneNode) -> &mut SceneNode {
        let parent = self
            .open
            .last()
            .map(|&index| self.nodes[index].key.clone())
            .unwrap_or_default();
        self.nodes.push(SceneNode { parent, ..node });
        self.nodes.last_mut().expect("one was pushed")
    }

    /// The key of a node: one that begins with `/` goes on the key of the open group.
    #[inline(never)]
    fn key(&self, key: &str) -> String {
        match self.open.last() {
            Some(&group) if key.starts_with('/') => cat(&[&self.nodes[group].key, key]),
            _ => key.to_string(),
        }
    }

    /// Opens a group; what follows until [`close`](Self::close) lies in it.
    #[inline(never)]
    pub fn open(&mut self, key: &str, class: &'static str, area: Area) -> &mut SceneNode {
        let index = self.nodes.len();
        let key = self.key(key);
        self.add(SceneNode {
            key,
            class,
            x: area.x,
            y: area.y,
            w: area.w,
            h: area.h,
            ..SceneNode::default()
        });
        self.open.push(index);
        &mut self.nodes[index]
    }

    /// Closes the group that was opened last.
    pub fn close(&mut self) {
        self.open.pop();
    }

    /// A rectangle.
    #[inline(never)]
    pub fn rect(&mut self, key: &str, class: &'static str, area: Area, rx: i32) -> &mut SceneNode {
        let key = self.key(key);
        let Area { x, y, w, h } = area;
        self.add(SceneNode {
            key,
            kind: Kind::Rect,
            class,
            x,
            y,
            w,
            h,
            rx,
            ..SceneNode::default()
        })
    }

    /// A text of several pieces that starts at `x`.
    #[inline(never)]
    pub fn text(&mut self, key: &str, class: &'static str, x: i32, y: i32, spans: Vec<Span>) -> &mut SceneNode {
        let key = self.key(key);
        self.add(SceneNode {
            key,
            kind: Kind::Text,
            class,
            x,
            y,
            spans,
            ..SceneNode::default()
        })
    }

    /// A text of one piece that starts at `x`.
    #[inline(never)]
    pub fn word(&mut self, key: &str, class: &'static str, x: i32, y: i32, text: &str) -> &mut SceneNode {
        self.text(key, class, x, y, spans(&[("", text)]))
    }

    /// A line.
    #[inline(never)]
    pub fn line(&mut self, key: &str, class: &'static str, from: (i32, i32), way: (i32, i32)) -> &mut SceneNode {
        let key = self.key(key);
        self.add(SceneNode {
            key,
            kind: Kind::Line,
            class,
            x: from.0,
            y: from.1,
            w: way.0,
            h: way.1,
            ..SceneNode::default()
        })
    }

    /// A circle.
    #[inline(never)]
    pub fn circle(&mut self, key: &str, class: &'static str, x: i32, y: i32, radius: i32) -> &mut SceneNode {
        let key = self.key(key);
        self.add(SceneNode {
            key,
            kind: Kind::Circle,
            class,
            x,
            y,
            w: radius,
            ..SceneNode::default()
        })
    }

    /// A path.
    #[inline(never)]
    pub fn path(&mut self, key: &str, class: &'static str, path: Path) -> &mut SceneNode {
        let key = self.key(key);
        self.add(SceneNode {
            key,
            kind: Kind::Path,
            class,
            x: path.x,
            y: path.y,
            d: path.d,
            ..SceneNode::default()
        })
    }

    /// The nodes.
    pub fn into_nodes(self) -> Vec<SceneNode> {
        self.nodes
    }
}

impl SceneNode {
    /// The text ends at its `x`.
    pub fn end(&mut self) -> &mut SceneNode {
        self.anchor = Anchor::End;
        self
    }

    /// The text has its middle at its `x`.
    pub fn middle(&mut self) -> &mut SceneNode {
        self.anchor = Anchor::Middle;
        self
    }
}

/// A piece of text.
#[inline(never)]
pub fn span(class: &'static str, text: &str) -> Span {
    Span {
        text: text.to_string(),
        class,
    }
}

/// Pieces of text: a class and the words of each.
#[inline(never)]
pub fn spans(pieces: &[(&'static str, &str)]) -> Vec<Span> {
    pieces.iter().map(|(class, text)| span(class, text)).collect()
}

/// Path data from a start, in relative moves; all lengths in tenths of a px.
#[derive(Clone, Debug)]
pub struct Path {
    x: i32,
    y: i32,
    d: String,
}

impl Path {
    /// Starts at a point.
    pub fn at(x: i32, y: i32) -> Path {
        Path {
            x,
            y,
            d: "M0 0".to_string(),
        }
    }

    fn number(&mut self, tenths: i32) {
        if tenths >= 0 && self.d.ends_with(|last: char| last.is_ascii_digit()) {
            self.d.push(' ');
        }
        px(&mut self.d, tenths);
    }

    fn command(mut self, letter: char, numbers: &[i32]) -> Path {
        self.d.push(letter);
        for &number in numbers {
            self.number(number);
        }
        self
    }

    /// A line to the right (or left).
    pub fn h(self, dx: i32) -> Path {
        self.command('h', &[dx])
    }

    /// A line down (or up).
    pub fn v(self, dy: i32) -> Path {
        self.command('v', &[dy])
    }

    /// A line.
    pub fn l(self, dx: i32, dy: i32) -> Path {
        self.command('l', &[dx, dy])
    }

    /// Moves without drawing.
    pub fn m(self, dx: i32, dy: i32) -> Path {
        self.command('m', &[dx, dy])
    }

    /// A rounded corner: first along one axis, then along the other.
    pub fn corner(self, first: (i32, i32), then: (i32, i32)) -> Path {
        self.command('q', &[first.0, first.1, first.0 + then.0, first.1 + then.1])
    }

    /// Closes the outline.
    pub fn z(mut self) -> Path {
        self.d.push('z');
        self
    }
}
