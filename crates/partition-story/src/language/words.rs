//! One line, divided into words: bare, quoted, or `key=value`; and the comment behind them.

use super::problem::Problem;

/// A word and the column where it begins, in characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub column: usize,
    pub body: Body,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    Bare(String),
    Quoted(String),
    Pair {
        key: String,
        value: String,
        quoted: bool,
        value_column: usize,
    },
}

impl Word {
    /// The word as the reader wrote it, for an error.
    pub fn written(&self) -> String {
        match &self.body {
            Body::Bare(text) => text.clone(),
            Body::Quoted(text) => format!("\"{text}\""),
            Body::Pair {
                key,
                value,
                quoted: true,
                ..
            } => format!("{key}=\"{value}\""),
            Body::Pair { key, value, .. } => format!("{key}={value}"),
        }
    }
}

/// The words of a line, and its comment without `#` and the space around it.
pub(super) fn split(line: &str) -> Result<(Vec<Word>, Option<String>), (usize, Problem)> {
    let mut cursor = Cursor {
        chars: line.chars().peekable(),
        column: 1,
    };
    let mut words = Vec::new();
    loop {
        while cursor.peek().is_some_and(char::is_whitespace) {
            cursor.next();
        }
        match cursor.peek() {
            None => return Ok((words, None)),
            Some('#') => {
                let comment: String = cursor.chars.skip(1).collect();
                return Ok((words, Some(comment.trim().to_string())));
            }
            Some(_) => words.push(cursor.word()?),
        }
    }
}

struct Cursor<'a> {
    chars: core::iter::Peekable<core::str::Chars<'a>>,
    column: usize,
}

impl Cursor<'_> {
    fn peek(&mut self) -> Option<char> {
        self.chars.peek().copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.chars.next();
        self.column += usize::from(next.is_some());
        next
    }

    fn word(&mut self) -> Result<Word, (usize, Problem)> {
        let column = self.column;
        if self.peek() == Some('"') {
            let text = self.quoted()?;
            return Ok(Word {
                column,
                body: Body::Quoted(text),
            });
        }
        let text = self.bare(true)?;
        if self.peek() != Some('=') || text.is_empty() {
            let rest = self.bare(false)?;
            return Ok(Word {
                column,
                body: Body::Bare(text + &rest),
            });
        }
        self.next();
        let value_column = self.column;
        let quoted = self.peek() == Some('"');
        let value = if quoted { self.quoted()? } else { self.bare(false)? };
        Ok(Word {
            column,
            body: Body::Pair {
                key: text,
                value,
                quoted,
                value_column,
            },
        })
    }

    /// Characters up to a space or a comment; also up to `=`, if asked.
    fn bare(&mut self, until_equals: bool) -> Result<String, (usize, Problem)> {
        let mut text = String::new();
        while let Some(next) = self.peek() {
            if next.is_whitespace() || next == '#' || (until_equals && next == '=') {
                break;
            }
            if next == '"' {
                return Err((self.column, Problem::QuoteInsideWord));
            }
            text.push(next);
            self.next();
        }
        Ok(text)
    }

    fn quoted(&mut self) -> Result<String, (usize, Problem)> {
        let start = self.column;
        self.next();
        let mut text = String::new();
        loop {
            let column = self.column;
            match self.next() {
                None => return Err((start, Problem::QuoteNotClosed)),
                Some('"') => break,
                Some('\\') => match self.next() {
                    Some(escaped @ ('"' | '\\')) => text.push(escaped),
                    Some(found) => return Err((column, Problem::UnknownEscape { found })),
                    None => return Err((start, Problem::QuoteNotClosed)),
                },
                Some(other) => text.push(other),
            }
        }
        match self.peek() {
            Some(next) if !next.is_whitespace() && next != '#' => {
                Err((self.column, Problem::TextBehindQuote { found: next }))
            }
            _ => Ok(text),
        }
    }
}

/// A text in quotes.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for next in text.chars() {
        if matches!(next, '"' | '\\') {
            out.push('\\');
        }
        out.push(next);
    }
    out.push('"');
    out
}

/// Whether a text can stand without quotes behind `key=`.
pub(super) fn is_bare(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(|c| c.is_whitespace() || matches!(c, '#' | '"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(column: usize, text: &str) -> Word {
        Word {
            column,
            body: Body::Bare(text.to_string()),
        }
    }

    #[test]
    fn a_line_is_words_pairs_and_a_comment() {
        let (words, comment) = split("  append 45B key=\"a # b\" x6 # why ").expect("well formed");
        let pair = Body::Pair {
            key: "key".into(),
            value: "a # b".into(),
            quoted: true,
            value_column: 18,
        };
        assert_eq!(
            words,
            [
                bare(3, "append"),
                bare(10, "45B"),
                Word { column: 14, body: pair },
                bare(26, "x6")
            ]
        );
        assert_eq!(comment.as_deref(), Some("why"));
    }

    #[test]
    fn only_the_first_equals_sign_divides() {
        let (words, _) = split("reset=by-duration=20s =x").expect("well formed");
        let pair = Body::Pair {
            key: "reset".into(),
            value: "by-duration=20s".into(),
            quoted: false,
            value_column: 7,
        };
        assert_eq!(words, [Word { column: 1, body: pair }, bare(23, "=x")]);
    }

    #[test]
    fn quotes_are_refused_where_they_cannot_be_read() {
        let cases = [
            ("say \"open", (5, Problem::QuoteNotClosed)),
            ("say \"a\\", (5, Problem::QuoteNotClosed)),
            ("say \"a\\n\"", (7, Problem::UnknownEscape { found: 'n' })),
            ("say \"a\"b", (8, Problem::TextBehindQuote { found: 'b' })),
            ("say a\"b", (6, Problem::QuoteInsideWord)),
        ];
        for (line, expected) in cases {
            assert_eq!(split(line), Err(expected), "{line}");
        }
    }
}
