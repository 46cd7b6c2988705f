//! JSON without whitespace.

use crate::metrics::digits;

/// JSON text being written.
#[derive(Debug, Default)]
pub struct Json {
    /// What has been written.
    pub out: String,
}

impl Json {
    pub fn raw(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub fn number(&mut self, value: i64) {
        if value < 0 {
            self.out.push('-');
        }
        digits(&mut self.out, value.unsigned_abs());
    }

    pub fn numbers(&mut self, values: &[i64]) {
        self.list(values, |json, value| json.number(*value));
    }

    pub fn text(&mut self, text: &str) {
        self.out.push('"');
        for character in text.chars() {
            match character {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\t' => self.out.push_str("\\t"),
                '\u{0}'..='\u{1f}' => {
                    const HEX: [char; 16] = [
                        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
                    ];
                    self.out.push_str("\\u00");
                    self.out.push(HEX[character as usize / 16]);
                    self.out.push(HEX[character as usize % 16]);
                }
                _ => self.out.push(character),
            }
        }
        self.out.push('"');
    }

    pub fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Json, &T)) {
        self.out.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            write(self, item);
        }
        self.out.push(']');
    }
}
