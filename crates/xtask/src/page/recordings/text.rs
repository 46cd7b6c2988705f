//! Texts of a recording: signs with a meaning, and templates with numbers left open.

use partition_figure::scene::Span;

/// Signs with a meaning: between the texts of a table, between spans, before a span's class, for numbers.
const SIGNS: [char; 8] = ['~', '|', '^', '#', '{', '}', '[', ']'];
/// A sign that means itself is written as its code point plus this one, in the private use area.
const ITSELF: u32 = 0xe000;
/// What stands for a number of the key, by its place there.
const OF_KEY: [char; 4] = ['{', '}', '[', ']'];
/// Longer runs of digits stay as they are: readers count in floating point.
const DIGITS_MAX: usize = 15;

/// A text whose signs mean themselves.
pub fn escaped(text: &str) -> String {
    let itself = |sign: char| match SIGNS.contains(&sign) {
        true => char::from_u32(sign as u32 + ITSELF).unwrap_or(sign),
        false => sign,
    };
    text.chars().map(itself).collect()
}

/// Spans as one text.
pub fn pieces(spans: &[Span]) -> String {
    let piece = |span: &Span| match span.class {
        "" => escaped(&span.text),
        class => format!("{}^{}", escaped(&span.text), escaped(class)),
    };
    spans.iter().map(piece).collect::<Vec<_>>().join("|")
}

/// A text with `#` in place of its numbers; and these.
pub fn template(text: &str) -> (String, Vec<i64>) {
    let (mut out, mut numbers) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(start) = rest.find(|sign: char| sign.is_ascii_digit()) {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let (digits, after) = rest.split_at(rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len()));
        rest = after;
        let round = digits.len() <= DIGITS_MAX && (digits.len() == 1 || !digits.starts_with('0'));
        match digits.parse() {
            Ok(number) if round => {
                out.push('#');
                numbers.push(number);
            }
            _ => out.push_str(digits),
        }
    }
    out.push_str(rest);
    (out, numbers)
}

/// A text with signs in place of numbers that its node's key has as well, `#` in place of the others; and the others.
pub fn template_beside(text: &str, of_key: &[i64]) -> (String, Vec<i64>) {
    let (marked, numbers) = template(text);
    let mut others = Vec::new();
    let mut next = numbers.into_iter();
    let sign = |sign: char| {
        let Some(number) = (sign == '#').then(|| next.next()).flatten() else {
            return sign;
        };
        let place = of_key.iter().take(OF_KEY.len()).position(|of_key| *of_key == number);
        place.map_or_else(
            || {
                others.push(number);
                '#'
            },
            |place| OF_KEY[place],
        )
    };
    (marked.chars().map(sign).collect(), others)
}

#[cfg(test)]
mod tests {
    use partition_figure::scene::Span;

    use super::{escaped, pieces, template, template_beside};

    #[test]
    fn numbers_are_left_open() {
        let (text, numbers) = template("record 9, byte 150, file 00000000000000000006.log, 9007199254740993 and 0");
        assert_eq!(
            text,
            "record #, byte #, file 00000000000000000006.log, 9007199254740993 and #"
        );
        assert_eq!(numbers, [9, 150, 0]);
    }

    #[test]
    fn numbers_of_the_key_are_named_by_their_place() {
        let (text, numbers) = template_beside("entry 1 of 6 leads to 115", &[6, 1]);
        assert_eq!((text.as_str(), numbers), ("entry } of { leads to #", vec![115]));
    }

    #[test]
    fn signs_of_a_text_do_not_count_as_ours() {
        assert_eq!(escaped("a|b"), "a\u{e07c}b");
        let span = |text: &str, class: Option<&'static str>| Span {
            text: String::from(text),
            class: class.unwrap_or_default(),
        };
        let spans = [span("1 #", None), span("x", Some("bold"))];
        assert_eq!(pieces(&spans), "1 \u{e023}|x^bold");
    }
}
