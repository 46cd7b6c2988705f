//! What goes to a terminal: within its width, with colours where it has them.

use anstyle::{AnsiColor, Style};
use partition_story::{Role, Sentence};
use textwrap::Options;
use textwrap::core::display_width;

/// Columns of an output that is no terminal.
const PLAIN_WIDTH: usize = 100;

/// The narrowest and the widest text: more columns are not easier to read.
const WIDTHS: (usize, usize) = (40, 140);

/// For commands and names.
pub const STRONG: Style = Style::new().bold();
/// For titles of phases.
pub const HEADING: Style = AnsiColor::Blue.on_default().bold();
/// For what only stands by.
pub const FAINT: Style = Style::new().dimmed();
/// For what is deleted.
pub const GONE: Style = AnsiColor::Red.on_default();
/// For what went wrong.
pub const WRONG: Style = AnsiColor::Red.on_default().bold();
/// For what is as it was expected to be.
pub const RIGHT: Style = AnsiColor::Green.on_default();

/// Columns that a text may take.
pub fn width() -> usize {
    let columns = terminal_size::terminal_size().map(|(terminal_size::Width(columns), _)| usize::from(columns));
    columns.map_or(PLAIN_WIDTH, |columns| columns.clamp(WIDTHS.0, WIDTHS.1))
}

/// A text in a style.
pub fn styled(style: Style, text: impl AsRef<str>) -> String {
    match text.as_ref() {
        "" => String::new(),
        text => format!("{style}{text}{style:#}"),
    }
}

/// A sentence, with each thing in the colour that it has in a picture.
pub fn sentence(sentence: &Sentence) -> String {
    let spans = sentence.spans.iter();
    spans.map(|span| styled(colour(span.role), &span.text)).collect()
}

fn colour(role: Role) -> Style {
    match role {
        Role::Plain => Style::new(),
        Role::Log | Role::Touched => Style::new().bold(),
        Role::Index => AnsiColor::Yellow.on_default(),
        Role::TimeIndex => AnsiColor::Magenta.on_default(),
        Role::Deleted => AnsiColor::Red.on_default(),
        Role::Active => AnsiColor::Green.on_default(),
        Role::Setting => AnsiColor::Cyan.on_default(),
    }
}

/// A text in lines of at most `width` columns, the second and all later ones behind so many spaces.
pub fn wrap(text: &str, width: usize, indent: usize) -> Vec<String> {
    let spaces = " ".repeat(indent);
    let options = Options::new(width).subsequent_indent(&spaces).break_words(false);
    let text = kept_together(text);
    let lines = textwrap::wrap(&text, options).into_iter();
    lines.map(|line| line.replace(NO_BREAK, " ")).collect()
}

const NO_BREAK: &str = "\u{a0}";

/// A number and its unit stay in one line.
fn kept_together(text: &str) -> String {
    const UNITS: [&str; 8] = ["B", "MiB", "GiB", "ms", "s", "min", "h", "d"];
    let mut kept = String::with_capacity(text.len());
    for (index, part) in text.split(' ').enumerate() {
        // A style may end behind the unit.
        let unit = part.split('\u{1b}').next().unwrap_or_default();
        let unit = unit.trim_end_matches(|c: char| !c.is_alphanumeric());
        let number = kept.ends_with(|c: char| c.is_ascii_digit());
        match index {
            0 => {}
            _ if number && UNITS.contains(&unit) => kept.push_str(NO_BREAK),
            _ => kept.push(' '),
        }
        kept.push_str(part);
    }
    kept
}

/// A text, and spaces up to a column.
pub fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(display_width(text))))
}

/// A text behind so many spaces that it ends at a column.
pub fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(display_width(text))))
}
