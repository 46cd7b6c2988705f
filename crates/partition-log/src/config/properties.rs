//! Kafka's own property files: the text that `java.util.Properties.load` reads, as far as settings are written in it.
//!
//! Written here, since the parsers at hand bring regular expressions and character sets along, for a form that has
//! forty lines of rules.

use core::fmt;

use super::{SettingError, Settings, Spec, Value};

/// What a property file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// The settings; what the file does not name has Kafka's default.
    pub settings: Settings,
    /// What the file says beside, in its order: settings that are not modelled, and keys that are no setting of a log.
    pub left_out: Vec<LeftOut>,
}

/// A line of a property file without effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Line at which it begins, from 1.
    pub line: usize,
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
    /// Why: [`SettingError::NotModelled`] or [`SettingError::UnknownKey`].
    pub reason: SettingError,
}

/// Why a property file is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum PropertiesError {
    /// A `\\u` without four hexadecimal digits of a character behind it.
    Escape {
        /// Line, from 1.
        line: usize,
    },
    /// A setting cannot have its value.
    Setting {
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        error: SettingError,
    },
}

impl fmt::Display for PropertiesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PropertiesError::Escape { line } => {
                write!(f, "line {line}: \\u takes the four hexadecimal digits of a character")
            }
            PropertiesError::Setting { line, error } => write!(f, "line {line}: {error}"),
        }
    }
}

impl core::error::Error for PropertiesError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            PropertiesError::Escape { .. } => None,
            PropertiesError::Setting { error, .. } => Some(error),
        }
    }
}

impl Settings {
    /// Reads Kafka's own property file: a broker's `server.properties`, or a topic's settings in the same form. Of
    /// several keys for one setting Kafka's precedence decides: the topic's key, `log.retention.ms`, `.minutes`,
    /// `.hours`; of a key that stands twice, the last line.
    ///
    /// # Errors
    ///
    /// [`PropertiesError`], for the first line that is wrong.
    ///
    /// ```
    /// use partition_log::config::Settings;
    ///
    /// let text = "# one day\nlog.retention.hours=24\nlog.segment.bytes=104857600\npreallocate=true\n";
    /// let file = Settings::from_properties(text)?;
    /// assert_eq!((file.settings.retention_ms, file.settings.segment_bytes), (86_400_000, 100 << 20));
    /// assert_eq!(file.left_out[0].key, "preallocate");
    /// # Ok::<(), partition_log::config::PropertiesError>(())
    /// ```
    pub fn from_properties(text: &str) -> Result<Properties, PropertiesError> {
        let mut settings = Settings::default();
        let mut left_out = Vec::new();
        let mut decided: Vec<(&'static str, usize)> = Vec::new();
        for Property { line, key, value } in read(text)? {
            let checked = Settings::check(&key, &Value::Word(value.trim().to_string()));
            let (spec, number) = match checked {
                Ok(checked) => checked,
                Err(reason @ (SettingError::NotModelled { .. } | SettingError::UnknownKey { .. })) => {
                    left_out.push(LeftOut {
                        line,
                        key,
                        value,
                        reason,
                    });
                    continue;
                }
                Err(error) => return Err(PropertiesError::Setting { line, error }),
            };
            let precedence = Spec::precedence(spec, &key);
            match decided.iter_mut().find(|(known, _)| *known == spec.key) {
                Some((_, before)) if *before < precedence => continue,
                Some((_, before)) => *before = precedence,
                None => decided.push((spec.key, precedence)),
            }
            settings.put(spec.key, number);
        }
        Ok(Properties { settings, left_out })
    }
}

struct Property {
    line: usize,
    key: String,
    value: String,
}

const BLANK: [char; 3] = [' ', '\t', '\x0c'];

fn read(text: &str) -> Result<Vec<Property>, PropertiesError> {
    let mut all = Vec::new();
    let mut lines = text.lines().zip(1..);
    while let Some((natural, line)) = lines.next() {
        let mut logical = natural.trim_start_matches(BLANK).to_string();
        if logical.is_empty() || logical.starts_with(['#', '!']) {
            continue;
        }
        // An odd number of backslashes at the end: the next line goes on, without its indentation.
        while logical.chars().rev().take_while(|letter| *letter == '\\').count() % 2 == 1 {
            logical.pop();
            let Some((next, _)) = lines.next() else { break };
            logical.push_str(next.trim_start_matches(BLANK));
        }
        let mut escaped = false;
        let end = logical.find(|letter| {
            let ends = !escaped && (letter == '=' || letter == ':' || BLANK.contains(&letter));
            escaped = !escaped && letter == '\\';
            ends
        });
        let (key, value) = logical.split_at(end.unwrap_or(logical.len()));
        let value = value.trim_start_matches(BLANK);
        let value = value
            .strip_prefix(['=', ':'])
            .unwrap_or(value)
            .trim_start_matches(BLANK);
        all.push(Property {
            line,
            key: unescaped(key, line)?,
            value: unescaped(value, line)?,
        });
    }
    Ok(all)
}

fn unescaped(text: &str, line: usize) -> Result<String, PropertiesError> {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            Some('u') => {
                let digits = letters
                    .as_str()
                    .get(..4)
                    .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
                let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let letter = number.and_then(char::from_u32);
                out.push(letter.ok_or(PropertiesError::Escape { line })?);
                letters = letters.as_str()[4..].chars();
            }
            Some('t') => out.push('\t'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('f') => out.push('\x0c'),
            other => out.extend(other),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(usize, String, String)> {
        let read = read(text).expect(text);
        read.into_iter()
            .map(|found| (found.line, found.key, found.value))
            .collect()
    }

    #[test]
    fn a_line_is_read_as_java_reads_it() {
        let text =
            "! remark\n\n  a = b c \nd:e\nf g\nh\nlog.\\\n   dirs=/x,\\\n  /y\ni\\ j\\=k=\\u00e9\\t.\\\\\n#\\\nl=m\r\n";
        let expected = [
            (3, "a", "b c "),
            (4, "d", "e"),
            (5, "f", "g"),
            (6, "h", ""),
            (7, "log.dirs", "/x,/y"),
            (10, "i j=k", "\u{e9}\t.\\"),
            (12, "l", "m"),
        ];
        let expected: Vec<_> = expected
            .iter()
            .map(|(line, key, value)| (*line, (*key).into(), (*value).into()))
            .collect();
        assert_eq!(pairs(text), expected);
        for text in ["a=\\u12", "a=\\ud800", "a=\\u+123"] {
            assert_eq!(read(text).err(), Some(PropertiesError::Escape { line: 1 }), "{text}");
        }
    }

    #[test]
    fn the_finer_key_decides_wherever_it_stands() {
        let of = |text: &str| Settings::from_properties(text).map(|file| file.settings.retention_ms);
        assert_eq!(of("log.retention.minutes=2\nlog.retention.hours=1"), Ok(120_000));
        assert_eq!(
            of("log.retention.ms=5\nlog.retention.minutes=2\nlog.retention.hours=1"),
            Ok(5)
        );
        assert_eq!(of("log.retention.hours=1\nretention.ms=7\nlog.retention.ms=5"), Ok(7));
        assert_eq!(of("log.retention.hours=1\nlog.retention.hours=-1"), Ok(-1));
        let roll = Settings::from_properties("log.roll.hours=2\nlog.roll.jitter.hours=1").expect("both");
        assert_eq!(
            (roll.settings.segment_ms, roll.settings.segment_jitter_ms),
            (7_200_000, 3_600_000)
        );
    }

    #[test]
    fn what_has_no_effect_is_told_and_what_is_wrong_is_refused() {
        let file =
            Settings::from_properties("listeners=PLAINTEXT://:9092\nremote.storage.enable=true\n").expect("read");
        assert_eq!(file.settings, Settings::default());
        assert!(matches!(file.left_out[0].reason, SettingError::UnknownKey { .. }));
        assert_eq!(
            file.left_out[1].reason.to_string(),
            "`remote.storage.enable` is a setting of Kafka's that is not modelled: tiered storage copies closed segments to another store"
        );
        let error = Settings::from_properties("\nlog.segment.bytes=ten").expect_err("a word");
        assert!(
            error.to_string().starts_with("line 2: `segment.bytes` cannot be ten"),
            "{error}"
        );
    }
}
