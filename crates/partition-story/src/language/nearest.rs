//! The known word that a misspelt one was probably meant to be.

/// The word with the fewest edits, if few enough to be a typing slip: at most a third of its letters, and at least one.
pub(crate) fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found: Vec<char> = found.chars().take(LONGEST + 1).collect();
    if found.len() > LONGEST {
        return None;
    }
    let (distance, word) = known
        .into_iter()
        .map(|word| (edits(&found, word), word))
        .min_by_key(|(distance, _)| *distance)?;
    (distance <= (word.len() / 3).max(1)).then_some(word)
}

/// No word of the language is longer.
const LONGEST: usize = 40;

/// Levenshtein distance.
fn edits(left: &[char], right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if a == b {
                diagonal
            } else {
                1 + diagonal.min(above).min(row[j])
            };
            diagonal = above;
        }
    }
    row[right.len()]
}

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
