//! The known word that a misspelt one was probably meant to be.

use partition_log::config::edits;

/// The word with the fewest edits, if few enough to be a typing slip: at most a third of its letters, and at least one.
pub(crate) fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if found.chars().count() > LONGEST {
        return None;
    }
    let (distance, word) = known
        .into_iter()
        .map(|word| (edits(found, word), word))
        .min_by_key(|(distance, _)| *distance)?;
    (distance <= (word.len() / 3).max(1)).then_some(word)
}

/// No word of the language is longer.
const LONGEST: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["append", "batch", "fetch", "wait", "at"];
        for (found, expected) in [
            ("apend", Some("append")),
            ("Append", Some("append")),
            ("fecth", None),
            ("fetsh", Some("fetch")),
            ("crash", None),
            ("", None),
        ] {
            assert_eq!(nearest(found, known), expected, "{found}");
        }
        assert_eq!(nearest(&"a".repeat(100_000), known), None);
    }
}
