//! Numbers as readers see them.

use minijinja::{Environment, Value};
use partition_log::units::{bytes, duration, grouped};

/// Makes the filters known to the templates.
pub fn add_filters(templates: &mut Environment<'_>) {
    templates.add_filter("bytes", |value: i64| unbroken(&bytes(value)));
    templates.add_filter("span", |ms: i64| unbroken(&duration(ms)));
    templates.add_filter("num", grouped);
    templates.add_filter("long", long);
    templates.add_filter("mib", mib);
    templates.add_filter("kib", kib);
    templates.add_filter("words", words);
    templates.add_filter("breakable", breakable);
}

/// A number and its unit, kept on one line.
fn unbroken(text: &str) -> String {
    text.replace(' ', "\u{a0}")
}

/// Bytes in KiB where they are a whole number of them below 1 MiB.
fn kib(value: i64) -> String {
    if value > 0 && value < 1 << 20 && value % 1024 == 0 {
        unbroken(&format!("{} KiB", value / 1024))
    } else {
        unbroken(&bytes(value))
    }
}

/// A long span in days, hours, minutes and seconds, without the parts that are zero: `36 h 24 min 32 s`.
/// Up to 180 s it is one number, and hours go up to 48.
fn long(ms: i64) -> String {
    let seconds = ms / 1000;
    if seconds <= 180 {
        return unbroken(&format!("{} s", grouped(seconds)));
    }
    let hours = seconds / 3600;
    let (days, hours) = if hours < 48 {
        (0, hours)
    } else {
        (hours / 24, hours % 24)
    };
    let parts = [
        (days, "d"),
        (hours, "h"),
        (seconds / 60 % 60, "min"),
        (seconds % 60, "s"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, unit)| unbroken(&format!("{count} {unit}")))
        .collect();
    parts.join(" ")
}

/// Bytes in MiB, rounded to one decimal.
fn mib(bytes: u64) -> String {
    let tenths = (u128::from(bytes) * 10 + (1 << 19)) >> 20;
    match tenths % 10 {
        0 => format!("{}\u{a0}MiB", tenths / 10),
        tenth => format!("{}.{tenth}\u{a0}MiB", tenths / 10),
    }
}

/// A small number in words.
fn words(count: u64) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ];
    usize::try_from(count)
        .ok()
        .and_then(|count| WORDS.get(count))
        .map_or_else(|| count.to_string(), |word| (*word).to_string())
}

/// A key of a setting that may break after each of its dots.
fn breakable(key: &str) -> Value {
    Value::from_safe_string(key.replace('.', ".<wbr>"))
}

#[cfg(test)]
mod tests {
    use super::{long, mib, words};

    #[test]
    fn spans_and_sizes_are_written_for_readers() {
        assert_eq!(long(128_000), "128\u{a0}s");
        assert_eq!(long(131_072_000), "36\u{a0}h 24\u{a0}min 32\u{a0}s");
        assert_eq!(long(14 * 86_400_000 + 300_000), "14\u{a0}d 5\u{a0}min");
        assert_eq!(mib(44_236_800), "42.2\u{a0}MiB");
        assert_eq!(mib(2_096_640), "2\u{a0}MiB");
        assert_eq!(
            (words(4), words(12), words(20)),
            (String::from("four"), String::from("twelve"), String::from("20"))
        );
    }
}
