//! Parsing and printing are inverse, and no text makes the parser panic.

use partition_story::{demos, parse};
use proptest::prelude::*;

/// A quantity of one of the units, or plain.
fn quantity(units: &'static [&'static str]) -> impl Strategy<Value = String> {
    (0..100_000u32, prop::sample::select(units)).prop_map(|(number, unit)| format!("{number}{unit}"))
}

fn size() -> impl Strategy<Value = String> {
    quantity(&["", "B", "KiB", "MiB"])
}

fn time() -> impl Strategy<Value = String> {
    quantity(&["", "ms", "s", "m", "h", "d"])
}

fn offset() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..1_000u32).prop_map(|number| number.to_string()),
        Just("9223372036854775807".to_string())
    ]
}

/// A text that needs quotes, or does not.
fn text() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 #\"\\\\=é…-]{1,20}"
}

/// As the printer writes it behind `key=`.
fn word(text: &str) -> String {
    let bare = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == '#' || c == '"');
    if bare { text.to_string() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn options() -> impl Strategy<Value = String> {
    let every = prop::option::of(time());
    let ts = prop::option::of(prop_oneof![time(), Just("none".to_string()), Just("$time".to_string())]);
    let key = prop::option::of(text());
    let times = prop::option::of(prop_oneof![
        (0..9u32).prop_map(|n| format!("x{n}")),
        Just("x$records".to_string())
    ]);
    (every, ts, key, times).prop_map(|(every, ts, key, times)| {
        let mut out = String::new();
        out.extend(every.map(|every| format!(" every={every}")));
        out.extend(ts.map(|ts| format!(" ts={ts}")));
        out.extend(key.map(|key| format!(" key={}", word(&key))));
        out.extend(times.map(|times| format!(" {times}")));
        out
    })
}

fn expectation() -> impl Strategy<Value = String> {
    prop_oneof![
        offset().prop_map(|offset| format!("log-end={offset}")),
        prop::collection::vec(offset(), 1..4).prop_map(|offsets| format!("segments={}", offsets.join(","))),
        (0..99u32, 0..99u32).prop_map(|(base, relative)| format!("index[{base}]={relative}:115,{relative}:200")),
        (0..99u32, time()).prop_map(|(base, time)| format!("timeindex[{base}]={time}:2")),
        (0..99u32, size()).prop_map(|(base, size)| format!("files[{base}]={size},none,{size}")),
        size().prop_map(|size| format!("size={size}")),
        Just("answer=none".to_string()),
        Just("error=offset-out-of-range".to_string()),
    ]
}

/// An expectation of each key once.
fn expect() -> impl Strategy<Value = String> {
    prop::collection::vec(expectation(), 1..3).prop_map(|all| {
        let mut once: Vec<String> = Vec::new();
        for one in all {
            let key = |text: &str| text.split('=').next().map(str::to_string);
            if !once.iter().any(|other| key(other) == key(&one)) {
                once.push(one);
            }
        }
        format!("expect {}", once.join(" "))
    })
}

/// One line as the printer writes it.
fn line() -> impl Strategy<Value = String> {
    const FIXED: &[&str] = &[
        "set segment.bytes=300B retention.ms=-1 message.timestamp.type=LogAppendTime",
        "format v1",
        "format v2",
        "check-retention",
        "commit none",
        "commit next",
        "high-watermark follow",
        "reset earliest",
        "reset none",
        "reset $reset",
        "fetch $offset",
        "at $time",
        "try \"Later\" time=40s reset=by-duration=20s",
        "",
    ];
    let from = prop_oneof![
        offset(),
        prop::sample::select(&["committed", "next", "rest"][..]).prop_map(str::to_string)
    ];
    let what = prop_oneof![
        time(),
        prop::sample::select(&["earliest", "latest", "max-timestamp"][..]).prop_map(str::to_string)
    ];
    let command = prop_oneof![
        prop::sample::select(FIXED).prop_map(str::to_string),
        (prop::collection::vec(size(), 1..4), options())
            .prop_map(|(sizes, options)| format!("append {}{options}", sizes.join(" "))),
        (1..9u32, size(), prop::option::of(0..9u32), options()).prop_map(|(records, total, headers, options)| {
            let headers = headers.map_or(String::new(), |headers| format!(" headers={headers}"));
            format!("batch {records} total={total}{headers}{options}")
        }),
        time().prop_map(|time| format!("wait {time}")),
        time().prop_map(|time| format!("at {time}")),
        (from, prop::option::of(size())).prop_map(|(from, max)| {
            let max = max.map_or(String::new(), |max| format!(" max={max}"));
            format!("fetch {from}{max}")
        }),
        what.prop_map(|what| format!("find-time {what}")),
        offset().prop_map(|offset| format!("commit {offset}")),
        offset().prop_map(|offset| format!("delete-records {offset}")),
        time().prop_map(|time| format!("reset by-duration={time}")),
        text().prop_map(|text| format!("say {}", quoted(&text))),
        expect(),
    ];
    let comment = prop::option::weighted(0.3, text());
    (command, comment).prop_map(|(command, comment)| match comment.as_deref().map(str::trim) {
        None => command,
        Some(comment) => {
            let space = if command.is_empty() { "" } else { " " };
            let text = if comment.is_empty() {
                String::new()
            } else {
                format!(" {comment}")
            };
            format!("{command}{space}#{text}")
        }
    })
}

fn scenario() -> impl Strategy<Value = String> {
    const INPUTS: &str = "input offset=9 range=0..20\ninput time=31s range=0s..45s label=\"The time\"\n\
        input records=2 range=0..5\ninput reset=latest choice=earliest,latest,by-duration=20s\n";
    prop::collection::vec(line(), 0..12).prop_map(|lines| {
        let lines: String = lines.into_iter().map(|line| line + "\n").collect();
        format!("{INPUTS}{lines}")
    })
}

proptest! {
    #[test]
    fn what_the_printer_writes_is_parsed_to_the_same(text in scenario()) {
        let parsed = parse(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(parsed.to_string(), text);
        prop_assert_eq!(parse(&parsed.to_string()).expect("what was printed"), parsed);
    }

    #[test]
    fn any_text_is_parsed_or_refused_with_a_place(text in "(?s).{0,200}") {
        if let Err(error) = parse(&text) {
            let place = error.place.expect("a short text has a place");
            prop_assert!(place.column >= 1);
            prop_assert!((1..=text.lines().count()).contains(&place.line));
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn a_demo_with_a_few_characters_changed_is_parsed_or_refused(
        demo in 0..6usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<char>()), 1..4),
    ) {
        let mut letters: Vec<char> = demos()[demo].text.chars().collect();
        for (place, letter) in changes {
            let at = place.index(letters.len());
            letters[at] = letter;
        }
        let text: String = letters.into_iter().collect();
        if let Ok(parsed) = parse(&text) {
            let printed = parsed.to_string();
            prop_assert_eq!(parse(&printed).expect("what was printed"), parsed);
        }
    }
}

#[test]
fn the_demos_are_written_as_the_printer_writes_them() {
    for demo in demos() {
        let parsed = parse(demo.text).unwrap_or_else(|error| panic!("{}: {error}", demo.id));
        assert_eq!(parsed.to_string(), demo.text, "{}", demo.id);
    }
}

#[test]
fn spacing_and_the_order_of_options_are_free() {
    let parsed = parse("\t append  45B   key=k1 every=2s  x6   \r\n").expect("well formed");
    assert_eq!(parsed.to_string(), "append 45B every=2s key=k1 x6\n");
}

/// What is wrong, and what the error says of it.
const FAULTS: &[(&str, &str)] = &[
    (
        "append",
        "line 1, column 7: `append` ends too early, expected a size, such as 45B or 2KiB",
    ),
    (
        "append 45s",
        "line 1, column 8: found `45s`, expected a size, such as 45B or 2KiB",
    ),
    (
        "append -5B",
        "line 1, column 8: `-5B` is outside the range of sizes: expected 0 to 9,223,372,036,854,775,807",
    ),
    (
        "append 99999999999999999999B",
        "line 1, column 8: `99999999999999999999B` is too large: expected a number up to 9,223,372,036,854,775,807",
    ),
    (
        "append 45B ever=2s",
        "line 1, column 12: `append` does not take `ever`; did you mean `every`?",
    ),
    (
        "append 45B color=red",
        "line 1, column 12: `append` does not take `color`, expected one of every, ts, key",
    ),
    (
        "append 45B key=a key=b",
        "line 1, column 18: `key` is given twice: leave one of them out",
    ),
    (
        "append 45B x6 every=2s",
        "line 1, column 15: found `every=2s`, expected the end of the line: sizes come first, then options such as \
         every=2s, and xN last",
    ),
    (
        "append 45B x100001",
        "line 1, column 13: `100001` is outside the range of repetitions: expected 0 to 100,000",
    ),
    (
        "append 45B x99999999999999999999",
        "line 1, column 13: `99999999999999999999` is too large: expected a number up to 9,223,372,036,854,775,807",
    ),
    (
        "append $ofset",
        "line 1, column 9: no input can be called `ofset`; did you mean `offset`?",
    ),
    (
        "append $offset",
        "line 1, column 9: `$offset` has no value: expected a line `input offset=…` above this one",
    ),
    (
        "input offset=9 range=0..20\nappend $offset",
        "line 2, column 8: found `$offset`, expected a size, such as 45B or 2KiB",
    ),
    (
        "input offset=21 range=0..20",
        "line 1, column 14: the default of `offset`, 21, is outside its range: expected 0 to 20",
    ),
    (
        "input offset=9 range=20..0",
        "line 1, column 22: found `20..0`, expected two numbers that rise, such as 0..20",
    ),
    (
        "input offset=9",
        "line 1, column 15: `input` ends too early, expected the values it can take, such as range=0..20",
    ),
    (
        "input colour=9 range=0..20",
        "line 1, column 7: no input can be called `colour`, expected one of offset, time, records, segment-bytes, \
         retention-ms, retention-bytes, reset",
    ),
    (
        "input offset=9 range=0..20\ninput offset=3 range=0..20",
        "line 2, column 7: the input `offset` is declared twice: leave one line out",
    ),
    (
        "input reset=latest choice=latest,newest",
        "line 1, column 34: found `newest`, expected `earliest`, `latest`, `none` or a span such as by-duration=20s",
    ),
    (
        "input segment-bytes=300B range=1B..400B\nset segment.bytes=$segment-bytes",
        "line 2, column 19: `segment.bytes` cannot be 1 B: it takes 14 B to 2,147,483,647 B",
    ),
    (
        "input offset=9 range=0..20\ntry \"More\" offset=21",
        "line 2, column 19: `offset` cannot be `21`: expected 0 to 20",
    ),
    (
        "set segment.byte=300B",
        "line 1, column 5: no setting is called `segment.byte`; did you mean `segment.bytes`?",
    ),
    (
        "set segment.bytes=13B",
        "line 1, column 19: `segment.bytes` cannot be 13 B: it takes 14 B to 2,147,483,647 B",
    ),
    (
        "set segment.ms=300B",
        "line 1, column 16: `segment.ms` cannot be 300 B: it takes a span of time (ms, s, m, h, d), 1 ms to max",
    ),
    (
        "set",
        "line 1, column 4: `set` ends too early, expected a setting, such as segment.bytes=300B",
    ),
    (
        "set 300B",
        "line 1, column 5: found `300B`, expected a setting, such as segment.bytes=300B",
    ),
    (
        "crash lose=50B",
        "line 1, column 1: found `crash`, expected a command: one of title, input, try, set, append, batch, format, \
         wait, at, fetch, find-time, check-retention, commit, reset, high-watermark, delete-records, phase, say, expect",
    ),
    (
        "fetsh 9",
        "line 1, column 1: found `fetsh`, expected a command; did you mean `fetch`?",
    ),
    (
        "fetch",
        "line 1, column 6: `fetch` ends too early, expected an offset, `committed`, `next` or `rest`",
    ),
    (
        "fetch 9B",
        "line 1, column 7: found `9B`, expected an offset, such as 9",
    ),
    (
        "fetch 9 10",
        "line 1, column 9: found `10`, expected the end of the line",
    ),
    ("format v3", "line 1, column 8: found `v3`, expected `v1` or `v2`"),
    (
        "batch 3",
        "line 1, column 8: `batch` ends too early, expected the size of the batch, such as total=145B",
    ),
    (
        "batch 0 total=145B",
        "line 1, column 7: `0` is outside the range of records of a batch: expected 1 to 100,000",
    ),
    (
        "find-time newest",
        "line 1, column 11: found `newest`, expected a time, `earliest`, `latest` or `max-timestamp`",
    ),
    (
        "phase Scan \"Scan\"",
        "line 1, column 7: found `Scan`, expected an id of up to 40 small letters, digits and hyphens, such as scan",
    ),
    (
        "phase scan",
        "line 1, column 11: `phase` ends too early, expected a title in quotes, such as \"Scan the log\"",
    ),
    (
        "phase scan \"A\"\nphase scan \"B\"",
        "line 2, column 7: the phase `scan` begins twice: links need ids that differ",
    ),
    (
        "phase scan \"A\" from=middle",
        "line 1, column 21: found `middle`, expected segment, time-index, offset-index, scan, answer, roll, append, \
         entry, check, delete, remove or reset",
    ),
    (
        "say hello",
        "line 1, column 5: found `hello`, expected a sentence in quotes",
    ),
    (
        "say \"hello",
        "line 1, column 5: this quote is not closed: expected another `\"` on the same line",
    ),
    (
        "expect log-ned=20",
        "line 1, column 8: `expect` does not take `log-ned`; did you mean `log-end`?",
    ),
    (
        "expect log-end=20B",
        "line 1, column 16: found `20B`, expected an offset, such as 9",
    ),
    (
        "expect index[6]=2",
        "line 1, column 17: found `2`, expected entries such as 2:115,4:200, or `none`",
    ),
    (
        "expect index[x]=none",
        "line 1, column 14: found `x`, expected an offset, such as 9",
    ),
    (
        "expect files[0]=1B,2B",
        "line 1, column 17: found `1B,2B`, expected three sizes, such as 270B,16B,36B",
    ),
];

#[test]
fn errors_say_where_what_was_found_and_what_was_expected() {
    for (text, expected) in FAULTS {
        assert_eq!(parse(text).expect_err(text).to_string(), *expected, "{text}");
    }
}

#[test]
fn a_text_above_one_mebibyte_is_refused_and_one_below_is_read_in_time() {
    let long = "#".repeat((1 << 20) + 1);
    assert_eq!(
        parse(&long).expect_err("too long").to_string(),
        "the text has 1,048,577 B, and a scenario at most 1 MiB: use repetition, as in `append 45B x1000`"
    );
    // Lines and words whose checks would be slow if each looked through all the others.
    let phases: String = (0..40_000).map(|n| format!("phase p{n} \"P\"\n")).collect();
    assert!(parse(&phases).is_ok());
    let keys: String = (0..50_000).map(|n| format!(" index[{n}]=none")).collect();
    assert!(parse(&format!("expect{keys}")).is_ok());
}
