//! Texts as scenarios: they are parsed, printed, parsed again, and run where they ask for little.
#![no_main]

use libfuzzer_sys::fuzz_target;
use partition_story::{InputValues, Story, parse};

/// Longer texts and larger numbers only take longer.
const TEXT: usize = 2_000;
/// A number in the text that asks for many appends or bytes.
const DIGITS: usize = 5;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if text.len() > TEXT {
        return;
    }
    let Ok(scenario) = parse(text) else { return };
    let printed = scenario.to_string();
    assert_eq!(parse(&printed).as_ref(), Ok(&scenario), "printed as {printed:?}");
    let asks_much = |word: &str| word.bytes().filter(u8::is_ascii_digit).count() > DIGITS;
    let many = text.bytes().filter(|byte| *byte == b'x').count() > 20;
    if many || text.contains("MiB") || text.contains("GiB") || text.split_whitespace().any(asks_much) {
        return;
    }
    if let Ok(mut story) = Story::run_unchecked(&scenario, &InputValues::defaults()) {
        let last = story.len() - 1;
        for index in [last, 0, last / 2] {
            assert!(!story.frame(index).sentence.to_string().is_empty());
        }
    }
});
