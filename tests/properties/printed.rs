//! Every equation that is printed anywhere is read back as a reader takes it, and has to be true: in the terse line of a
//! step, in the sentence and the panel of a beat, and in its picture at two widths.

use std::cell::Cell;
use std::fs;
use std::path::Path;

use partition_figure::layout;
use partition_figure::scene::Kind;
use partition_story::{InputValues, Story, StoryError, demos, panel, parse};
use walkdir::WalkDir;

use crate::check;

/// Widths of a picture with everything stacked, and of one in which all is open.
const WIDTHS: [u32; 2] = [328, 1160];

/// What an equation consists of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    /// A number, and the unit behind it.
    Number(i128, Option<Unit>),
    /// `+1` or `−1`: how the next number counts.
    Sum(i128),
    /// A relation by its sign.
    Relation(&'static str),
}

/// A unit: what is measured, and how many of the smallest it has.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Unit {
    of: &'static str,
    times: i128,
}

const UNITS: [(&str, &str, i128); 9] = [
    ("ms", "time", 1),
    ("s", "time", 1_000),
    ("min", "time", 60_000),
    ("h", "time", 3_600_000),
    ("d", "time", 86_400_000),
    ("B", "bytes", 1),
    ("KiB", "bytes", 1 << 10),
    ("MiB", "bytes", 1 << 20),
    ("GiB", "bytes", 1 << 30),
];

/// The relations, longer ones first, by each way in which they are written.
const RELATIONS: [(&str, &str); 13] = [
    (", not above ", "<="),
    (", at least ", ">="),
    (", above ", ">"),
    (", below ", "<"),
    ("<=", "<="),
    (">=", ">="),
    ("!=", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("<", "<"),
    (">", ">"),
    (" = ", "="),
];

/// Takes what a text begins with, if it is a date with a time of day, a span in several units, or a number; with its unit.
fn number(text: &str) -> Option<(Token, &str)> {
    if let Some((ms, rest)) = date(text) {
        return Some((Token::Number(ms, Some(Unit { of: "time", times: 1 })), rest));
    }
    let (first, mut rest) = one_number(text)?;
    let Token::Number(mut value, Some(mut unit)) = first else {
        return Some((first, rest));
    };
    // `2 d 3 h`: parts of a span, each in a smaller unit than the one before.
    while unit.of == "time"
        && let Some(next) = rest.strip_prefix([' ', '\u{a0}'])
        && let Some((Token::Number(part, Some(smaller)), behind)) = one_number(next)
        && (smaller.of, smaller.times < unit.times) == ("time", true)
        && !next.starts_with(['-', '−'])
    {
        value = value * (unit.times / smaller.times) + part * value.signum();
        (unit, rest) = (smaller, behind);
    }
    Some((Token::Number(value, Some(unit)), rest))
}

/// Takes a date in UTC, `2026-03-03 09:00`, with seconds and milliseconds where they are there: ms since 1970.
fn date(text: &str) -> Option<(i128, &str)> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u32>().ok().map(i128::from);
    let sign = |at: usize, wanted: &[u8]| text.as_bytes().get(at).is_some_and(|byte| wanted.contains(byte));
    if !(sign(4, b"-") && sign(7, b"-") && sign(10, b" T") && sign(13, b":")) {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute) = (number(11, 13)?, number(14, 16)?);
    let (mut seconds, mut ms, mut end) = (0, 0, 16);
    if sign(16, b":") {
        (seconds, end) = (number(17, 19)?, 19);
        if sign(19, b".") {
            (ms, end) = (number(20, 23)?, 23);
        }
    }
    // Years begin with March, so that a leap day ends one.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 719_469;
    let of_day = ((hour * 60 + minute) * 60 + seconds) * 1_000 + ms;
    Some((days * 86_400_000 + of_day, &text[end..]))
}

/// Takes what a text begins with, if it is a number; with its unit.
fn one_number(text: &str) -> Option<(Token, &str)> {
    let (sign, digits) = match text.strip_prefix(['-', '−']) {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let mut end = digits
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(digits.len());
    if end == 0 {
        return None;
    }
    let mut value = digits[..end].to_string();
    while let Some(group) = digits[end..].strip_prefix(',').and_then(|rest| rest.get(..3))
        && group.bytes().all(|digit| digit.is_ascii_digit())
    {
        value.push_str(group);
        end += 4;
    }
    let rest = &digits[end..];
    let behind = rest.strip_prefix([' ', '\u{a0}']).unwrap_or(rest);
    let word = behind
        .find(|letter: char| !letter.is_alphanumeric())
        .unwrap_or(behind.len());
    let unit = UNITS.iter().find(|(name, ..)| *name == &behind[..word]);
    let value = sign * value.parse::<i128>().ok()?;
    Some(match unit {
        Some(&(_, of, times)) => (Token::Number(value, Some(Unit { of, times })), &behind[word..]),
        // `2³¹`, `4x`: more than the digits is meant.
        None if rest.starts_with(char::is_alphanumeric) => return None,
        None => (Token::Number(value, None), rest),
    })
}

/// Takes what a text begins with, if numbers are added or compared there.
fn operator(text: &str) -> Option<(Token, &str)> {
    let sums = [(" + ", 1), (" - ", -1), (" − ", -1)];
    if let Some((rest, sign)) = sums
        .iter()
        .find_map(|(word, sign)| Some((text.strip_prefix(word)?, *sign)))
    {
        return Some((Token::Sum(sign), rest));
    }
    [text, text.trim_start_matches([' ', '\u{a0}'])]
        .iter()
        .find_map(|text| {
            RELATIONS.iter().find_map(|(word, sign)| {
                let rest = text.strip_prefix(word)?;
                Some((Token::Relation(sign), rest.trim_start_matches([' ', '\u{a0}'])))
            })
        })
}

/// The equations and comparisons in a text: numbers with signs between them, as long as they follow one another.
fn equations(text: &str) -> Vec<(String, Vec<Token>)> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(letter) = rest.chars().next() {
        // A number begins where a word could: not in `v2` or in `00:42`.
        let begins = !before.is_alphanumeric() && !['.', ':', '–', '-', '−', '=', '_'].contains(&before);
        let Some((first, mut behind)) = number(rest).filter(|_| begins) else {
            before = letter;
            rest = &rest[letter.len_utf8()..];
            continue;
        };
        let mut tokens = vec![first];
        while let Some((operator, after)) = operator(behind)
            && let Some((next, after)) = number(after)
        {
            tokens.extend([operator, next]);
            behind = after;
        }
        if tokens.iter().any(|token| matches!(token, Token::Relation(_))) {
            found.push((rest[..rest.len() - behind.len()].to_string(), tokens));
        }
        before = '0';
        rest = behind;
    }
    found
}

/// Whether an equation is true as it stands there. A number without a unit has that of the next one that has any.
fn is_true(tokens: &[Token]) -> bool {
    let mut unit = None;
    let mut values = Vec::new();
    for token in tokens.iter().rev() {
        if let Token::Number(value, own) = token {
            unit = own.or(unit);
            values.push((*value, unit));
        }
    }
    values.reverse();
    let kind = |(_, unit): &(i128, Option<Unit>)| unit.map(|unit| unit.of);
    if values.iter().any(|value| kind(value) != kind(&values[0])) {
        return false;
    }
    let mut values = values
        .into_iter()
        .map(|(value, unit)| value * unit.map_or(1, |unit| unit.times));
    let (mut sides, mut relations, mut sign) = (vec![0], Vec::new(), 1);
    for token in tokens {
        match token {
            Token::Number(..) => {
                *sides.last_mut().expect("there is a side") += sign * values.next().expect("a number has a value");
                sign = 1;
            }
            Token::Sum(next) => sign = *next,
            Token::Relation(relation) => {
                relations.push(*relation);
                sides.push(0);
            }
        }
    }
    sides.windows(2).zip(relations).all(|(sides, relation)| match relation {
        "=" => sides[0] == sides[1],
        "!=" => sides[0] != sides[1],
        "<" => sides[0] < sides[1],
        "<=" => sides[0] <= sides[1],
        ">" => sides[0] > sides[1],
        _ => sides[0] >= sides[1],
    })
}

#[test]
fn the_reader_of_equations_takes_them_as_people_do() {
    let verdicts = |text| {
        equations(text)
            .iter()
            .map(|(_, tokens)| is_true(tokens))
            .collect::<Vec<_>>()
    };
    for text in [
        "size no (140 + 40 = 180 <= 300 B)",
        "75 s − 12 s = 63 s > 60 s",
        "2,050 − 50 = 2,000 > 1,000 ms",
        "0 s − 2 s = −2 s ≤ 1 s",
        "2 - 0 = 2 s <= 7 d",
        "5,000 ms - -1 ms = 5,001 ms <= 6,000 ms",
        "4 − 3 = 1 ≥ 1 GiB, segment 0 goes",
        "63>60",
        "8 < 9\u{a0}skip",
        "140 + 40 = 180, not above 300",
        "7 ≠ 9",
        "2026-03-03 09:00 - 1970-01-01 00:00:00.400 = 20,515 d 8 h 59 min 59 s 600 ms > 7 d",
        "2 d 3 h − 3 h = 48 h",
    ] {
        assert_eq!(verdicts(text), [true], "{text}");
    }
    for text in [
        "2050 − 50 = 2 > 1 s",
        "2,050 − 50 = 2 > 1 s",
        "9 − 6 = 4",
        "50 ms > 1 s",
        "10 > 3 s − 1 B",
        "60 s > 60",
        "140 + 40 = 180, above 300 B",
        "7 ≠ 7",
        "2024-03-01 00:00 - 2024-02-28 00:00 = 1 d",
        "2 d 3 h = 48 h",
        "12 >= 13",
    ] {
        assert_eq!(verdicts(text), [false], "{text}");
    }
    for text in [
        "log start 5 -> 9",
        "offsets 8–10",
        "in 3 s",
        "ts=50ms x 3",
        "none < 5 s",
        "v2 = 3",
    ] {
        assert!(verdicts(text).is_empty(), "{text}");
    }
}

/// How many equations were read in each kind of text.
#[derive(Clone, Copy, Debug, Default)]
struct Read {
    lines: usize,
    sentences: usize,
    rows: usize,
    pictures: usize,
}

/// Checks a text, and counts its equations.
fn hold(text: &str, count: &mut usize) {
    for (equation, tokens) in equations(text) {
        assert!(is_true(&tokens), "{equation:?} is false, in {text:?}");
        *count += 1;
    }
}

/// Reads all that is printed of a story.
fn read(story: &mut Story, read: &mut Read) {
    for index in 0..story.len() {
        let frame = story.frame(index);
        frame
            .steps()
            .iter()
            .for_each(|step| hold(&step.to_string(), &mut read.lines));
        hold(&frame.sentence.to_string(), &mut read.sentences);
        let panel = panel::of_beat(frame.steps(), frame.trail(), &story.state(index));
        for row in panel
            .iter()
            .flat_map(|panel| &panel.sections)
            .flat_map(|section| &section.rows)
        {
            hold(&row.value, &mut read.rows);
        }
        for width in WIDTHS {
            let scene = layout(&frame, width);
            for node in scene.nodes.iter().filter(|node| node.kind == Kind::Text) {
                let text: String = node.spans.iter().map(|span| span.text.as_str()).collect();
                hold(&text, &mut read.pictures);
            }
        }
    }
}

fn run(text: &str) -> Result<Story, StoryError> {
    parse(text).and_then(|scenario| Story::run(&scenario, &InputValues::defaults()))
}

fn story(text: &str) -> Story {
    run(text).unwrap_or_else(|error| panic!("{error}, in\n{text}"))
}

/// A scenario without the commands that cannot be carried out where they stand.
fn possible(text: &str) -> Story {
    let mut lines: Vec<&str> = text.lines().collect();
    loop {
        match run(&lines.join("\n")) {
            Ok(story) => return story,
            Err(error) => {
                let place = error.place.unwrap_or_else(|| panic!("{error}, in\n{text}"));
                lines.remove(place.line - 1);
            }
        }
    }
}

#[test]
fn units_that_do_not_divide_all_numbers_are_not_used() {
    let mut all = Read::default();
    let text = "set retention.ms=1s\nappend 40B ts=50ms\nwait 2050ms\nphase go \"Go\"\ncheck-retention\n";
    read(&mut story(text), &mut all);
    assert!(all.pictures >= 2 && all.lines >= 1, "{all:?}");
}

#[test]
fn every_equation_in_demos_and_scripts_is_true() {
    let mut all = Read::default();
    demos().iter().for_each(|demo| read(&mut story(demo.text), &mut all));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let path = entry.expect("a readable folder").into_path();
        let refused = path.parent().is_some_and(|topic| topic.ends_with("bad-input"));
        if path.extension().is_some_and(|extension| extension == "pod") && !refused {
            let text = fs::read_to_string(&path).expect("a readable script");
            read(&mut story(&text), &mut all);
        }
    }
    let Read {
        lines,
        sentences,
        rows,
        pictures,
    } = all;
    assert!(
        [lines, sentences, rows, pictures].iter().all(|count| *count > 200),
        "{all:?}"
    );
}

#[test]
fn every_equation_in_random_scenarios_is_true() {
    let all = Cell::new(Read::default());
    check(60, |scenario| {
        let mut counts = all.get();
        read(&mut possible(&format!("{scenario:?}")), &mut counts);
        all.set(counts);
    });
    let Read {
        lines,
        sentences,
        rows,
        pictures,
    } = all.get();
    assert!(
        [lines, sentences, rows, pictures].iter().all(|count| *count > 60),
        "{:?}",
        all.get()
    );
}
