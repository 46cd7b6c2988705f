//! Parsing and printing are inverse, and no text makes the parser panic.

use partition_story::language::Command;
use partition_story::{InputValues, Scenario, demos, parse};
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

/// A time of a clock or a calendar, or a span since time 0.
fn moment() -> impl Strategy<Value = String> {
    let clock = (
        0..24u32,
        0..60u32,
        prop::option::of((0..60u32, prop::option::of(0..1_000u32))),
    );
    let clock = clock.prop_map(|(hours, minutes, seconds)| {
        let mut text = format!("{hours:02}:{minutes:02}");
        if let Some((seconds, thousandths)) = seconds {
            text.push_str(&format!(":{seconds:02}"));
            text.extend(thousandths.map(|thousandths| format!(".{thousandths:03}")));
        }
        text
    });
    let date =
        (1970..=9_999u32, 1..=12u32, 1..=28u32).prop_map(|(year, month, day)| format!("{year}-{month:02}-{day:02}"));
    let both = (date.clone(), clock.clone(), prop::sample::select(&["", "Z"][..]));
    prop_oneof![
        time(),
        clock,
        date,
        both.prop_map(|(date, clock, zone)| format!("{date}T{clock}{zone}")),
    ]
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
    let ts = prop::option::of(prop_oneof![
        moment(),
        Just("none".to_string()),
        Just("$time".to_string())
    ]);
    let key = prop::option::of(text());
    let times = prop::option::of(prop_oneof![
        (0..9u32).prop_map(|n| format!("x{n}")),
        Just("x$records".to_string())
    ]);
    let sender = prop::sample::select(
        &[
            "",
            " producer=p1",
            " producer=p1 sequence=5",
            " from=replica offset=20",
            " producer=p1 sequence=$records from=coordinator",
        ][..],
    );
    let together = prop::sample::select(&["", " together"][..]);
    (every, ts, key, sender, times, together).prop_map(|(every, ts, key, sender, times, together)| {
        let mut out = String::new();
        out.extend(every.map(|every| format!(" every={every}")));
        out.extend(ts.map(|ts| format!(" ts={ts}")));
        out.extend(key.map(|key| format!(" key={}", word(&key))));
        out.push_str(sender);
        out.extend(times.map(|times| format!(" {times}")));
        out.push_str(together);
        out
    })
}

fn expectation() -> impl Strategy<Value = String> {
    prop_oneof![
        offset().prop_map(|offset| format!("log-end={offset}")),
        prop::collection::vec(offset(), 1..4).prop_map(|offsets| format!("segments={}", offsets.join(","))),
        (0..99u32, 0..99u32).prop_map(|(base, relative)| format!("index[{base}]={relative}:115,{relative}:200")),
        (0..99u32, moment()).prop_map(|(base, time)| format!("timeindex[{base}]={time}:2")),
        (0..99u32, size()).prop_map(|(base, size)| format!("files[{base}]={size},none,{size}")),
        size().prop_map(|size| format!("size={size}")),
        Just("answer=none".to_string()),
        Just("last-stable=4".to_string()),
        Just("recovery-point=10".to_string()),
        Just("epochs=0:0,3:12".to_string()),
        Just("producers=1:0:4,9:2:-1".to_string()),
        Just("snapshots=none".to_string()),
        Just("files=6".to_string()),
        Just("aborted=1:0".to_string()),
        (0..99u32).prop_map(|base| format!("txnindex[{base}]=1:0:4:2")),
        (0..99u32, size()).prop_map(|(base, size)| format!("file[{base}.log.deleted]={size}")),
        Just("file[leader-epoch-checkpoint]=none".to_string()),
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
        "find-time earliest-local",
        "find-time latest-tiered",
        "find-time earliest-pending-upload",
        "fetch 0 max=9B isolation=committed",
        "fetch rest isolation=log-end",
        "producer p1 epoch=3",
        "transaction p1 begin",
        "transaction p1 commit",
        "transaction p1 abort epoch=2 coordinator-epoch=7",
        "transaction p1 commit version=2",
        "bytes 00ff10 from=replica",
        "bytes 00",
        "leader-epoch 3",
        "truncate 5",
        "truncate-fully $offset",
        "roll",
        "delete-records high-watermark",
        "flush",
        "expire-producers",
        "index-entries per-append",
        "index-entries per-batch",
        "stop",
        "crash",
        "crash lose=50B",
        "start",
        "damage 0.log cut=40B",
        "damage 10.timeindex.deleted flip=400",
        "damage 20.snapshot at=4 bytes=00ff",
        "damage leader-epoch-checkpoint add=7B",
        "damage 3.txnindex remove",
        "touch 3.log",
        "try \"Later\" time=40s reset=by-duration=20s",
        "#-",
        "#- append 45B x6 # six",
        "",
    ];
    let from = prop_oneof![
        offset(),
        prop::sample::select(&["committed", "next", "rest"][..]).prop_map(str::to_string)
    ];
    let what = prop_oneof![
        moment(),
        prop::sample::select(
            &[
                "earliest",
                "latest",
                "max-timestamp",
                "earliest-local",
                "latest-tiered",
                "earliest-pending-upload"
            ][..]
        )
        .prop_map(str::to_string)
    ];
    let isolation = prop::option::of(prop::sample::select(&["uncommitted", "committed", "log-end"][..]));
    let command = prop_oneof![
        prop::sample::select(FIXED).prop_map(str::to_string),
        (prop::collection::vec(size(), 1..4), options())
            .prop_map(|(sizes, options)| format!("append {}{options}", sizes.join(" "))),
        (1..9u32, size(), prop::option::of(0..9u32), options()).prop_map(|(records, total, headers, options)| {
            let headers = headers.map_or(String::new(), |headers| format!(" headers={headers}"));
            format!("batch {records} total={total}{headers}{options}")
        }),
        time().prop_map(|time| format!("wait {time}")),
        moment().prop_map(|time| format!("at {time}")),
        (from, prop::option::of(size()), isolation).prop_map(|(from, max, isolation)| {
            let max = max.map_or(String::new(), |max| format!(" max={max}"));
            let isolation = isolation.map_or(String::new(), |isolation| format!(" isolation={isolation}"));
            format!("fetch {from}{max}{isolation}")
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
        // What is switched off is one text, with its comment.
        Some(_) if command.starts_with('#') => command,
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
        input records=2 range=0..5\ninput reset=latest choice=earliest,latest,by-duration=20s\n\
        clock 2026-03-03T09:00Z # a Tuesday\nproducer p1 id=9\n";
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
        demo in 0..7usize,
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

#[test]
fn a_spelling_of_kafkas_is_read_and_printed_as_ours() {
    let spellings = [
        ("fetch 0 isolation=read_committed", "fetch 0 isolation=committed"),
        ("fetch 0 isolation=read_uncommitted", "fetch 0 isolation=uncommitted"),
        (
            "find-time 3s isolation=read_committed",
            "find-time 3s isolation=committed",
        ),
        ("find-time -1", "find-time latest"),
        ("find-time -2", "find-time earliest"),
        ("find-time -3", "find-time max-timestamp"),
        ("find-time -4", "find-time earliest-local"),
        ("find-time -5", "find-time latest-tiered"),
        ("find-time -6", "find-time earliest-pending-upload"),
        ("delete-records -1", "delete-records high-watermark"),
        ("reset by_duration:PT20S", "reset by-duration=20s"),
        ("reset by_duration:PT1H30M", "reset by-duration=90m"),
        ("reset by_duration:PT0S", "reset by-duration=0ms"),
        (
            "input reset=by_duration:PT20S choice=latest,by_duration:PT20S",
            "input reset=by-duration=20s choice=latest,by-duration=20s",
        ),
    ];
    for (kafkas, ours) in spellings {
        let read = parse(kafkas).expect(kafkas);
        assert_eq!(read.to_string(), format!("{ours}\n"));
        assert_eq!(read, parse(ours).expect(ours), "{kafkas}");
    }
    let text = "input reset=latest choice=latest,by-duration=20s\nreset $reset\n";
    let scenario = parse(text).expect("well formed");
    let given = InputValues::defaults().with("reset", "by_duration:PT20S");
    let given = scenario.with(&given).expect("one of its values");
    let (_, reset) = given.commands().nth(1).expect("the second line");
    assert_eq!(reset.to_string(), "reset by-duration=20s");
}

#[test]
fn a_command_that_a_recording_tells_is_recalled_from_it() {
    let told = [
        ("check-retention", None),
        ("delete-records 7", Some(("before", 7))),
        ("delete-records high-watermark", Some(("before", -1))),
        ("high-watermark 12", Some(("to", 12))),
        ("high-watermark follow", None),
        ("leader-epoch 3", Some(("epoch", 3))),
        ("truncate 5", Some(("to", 5))),
        ("truncate-fully 5", Some(("to", 5))),
        ("roll", None),
        ("flush", None),
        ("expire-producers", None),
        ("stop", None),
        ("crash", None),
        ("crash lose=50", Some(("lose", 50))),
    ];
    for (text, number) in told {
        let scenario = parse(text).expect(text);
        let (_, command) = scenario.commands().next().expect(text);
        let recorded = command.recorded().expect(text);
        assert_eq!((recorded.name, recorded.number), (command.name(), number), "{text}");
        let numbers = |called: &str| number.filter(|(known, _)| *known == called).map(|(_, number)| number);
        assert_eq!(
            Command::recall(recorded.name, numbers).as_ref(),
            Some(command),
            "{text}"
        );
    }
    for text in ["append 45B", "fetch 0", "start", "commit 3", "say \"So\""] {
        let scenario = parse(text).expect(text);
        let (_, command) = scenario.commands().next().expect(text);
        assert_eq!(command.recorded(), None, "{text}");
        assert_eq!(Command::recall(command.name(), |_| Some(3)), None, "{text}");
    }
    assert_eq!(Command::recall("truncate", |_| Some(-1)), None);
}

#[test]
fn values_are_put_in_while_a_text_is_read() {
    let text = "input offset=9 range=0..20\ninput reset=latest choice=latest,by-duration=20s\nfetch $offset\nreset $reset\n\
                say \"From $offset.\"\n";
    let scenario = parse(text).expect("well formed");
    let other = InputValues::defaults()
        .with("offset", "12")
        .with("reset", "by-duration=20s");
    let other = scenario.with(&other).expect("in its range");
    let commands = |scenario: &Scenario| -> Vec<String> {
        let shown = scenario.commands().skip(2);
        shown.map(|(_, command)| command.to_string()).collect()
    };
    assert_eq!(commands(&scenario), ["fetch 9", "reset latest", "say \"From 9.\""]);
    assert_eq!(
        commands(&other),
        ["fetch 12", "reset by-duration=20s", "say \"From 12.\""]
    );
    // As its author wrote it, it is the same text.
    assert_eq!(
        (scenario.to_string().as_str(), other.to_string().as_str()),
        (text, text)
    );
    let refused = scenario.with(&InputValues::defaults().with("offset", "21"));
    let refused = refused.expect_err("out of its range").to_string();
    assert_eq!(refused, "`offset` cannot be `21`: expected 0 to 20");
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
        "line 1, column 12: `append` does not take `color`, expected one of every, ts, key, producer, \
         sequence, from, offset",
    ),
    (
        "append 45B key=a key=b",
        "line 1, column 18: `key` is given twice: leave one of them out",
    ),
    (
        "expect index[0]=2:95 index[00]=2:95",
        "line 1, column 22: `index[00]` is given twice: leave one of them out",
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
        "line 1, column 34: found `newest`, expected `earliest`, `latest`, `none` or a span such as by-duration=20s \
         (Kafka: by_duration:PT20S)",
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
        "fetch 0 isolation=read-committed",
        "line 1, column 19: found `read-committed`, expected `uncommitted` (Kafka: `read_uncommitted`), `committed` \
         (`read_committed`) or `log-end`",
    ),
    (
        "find-time -7",
        "line 1, column 11: found `-7`, expected a time, `latest` (Kafka: -1), `earliest` (-2), `max-timestamp` (-3), \
         `earliest-local` (-4), `latest-tiered` (-5) or `earliest-pending-upload` (-6)",
    ),
    (
        "delete-records -2",
        "line 1, column 16: found `-2`, expected an offset, such as 9, or `high-watermark` (Kafka: -1)",
    ),
    (
        "reset by_duration:20s",
        "line 1, column 7: found `by_duration:20s`, expected `earliest`, `latest`, `none` or a span such as \
         by-duration=20s (Kafka: by_duration:PT20S)",
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
        "xyzzy",
        "line 1, column 1: found `xyzzy`, expected a command such as `append`, `fetch`, `wait`, `stop` or `expect`: the \
         reference page lists all",
    ),
    (
        "compact",
        "line 1, column 1: found `compact`, expected a command; did you mean `check-retention`?",
    ),
    (
        "restart",
        "line 1, column 1: found `restart`, expected a command; did you mean `start`?",
    ),
    (
        "seek 9",
        "line 1, column 1: found `seek`, expected a command; did you mean `fetch`?",
    ),
    (
        "kill -9",
        "line 1, column 1: found `kill`, expected a command; did you mean `crash`?",
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
        "line 1, column 11: found `newest`, expected a time, `latest` (Kafka: -1), `earliest` (-2), `max-timestamp` \
         (-3), `earliest-local` (-4), `latest-tiered` (-5) or `earliest-pending-upload` (-6)",
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
        "append 100B producer=p1",
        "line 1, column 22: there is no producer `p1`: expected a line `producer p1` above this one",
    ),
    (
        "producer p1\ntransaction p2 begin",
        "line 2, column 13: there is no producer `p2`; did you mean `p1`?",
    ),
    (
        "producer P1",
        "line 1, column 10: found `P1`, expected a producer's name of up to 40 small letters, digits and hyphens, such \
         as p1",
    ),
    (
        "producer p1 epoch=32768",
        "line 1, column 19: `32768` is outside the range of producer epochs: expected 0 to 32,767",
    ),
    (
        "producer p1\ntransaction p1 end",
        "line 2, column 16: found `end`, expected `begin`, `commit` or `abort`",
    ),
    (
        "producer p1\ntransaction p1 begin epoch=1",
        "line 2, column 22: found `epoch=1`, expected the end of the line",
    ),
    (
        "bytes 00f",
        "line 1, column 7: found `00f`, expected bytes as pairs of hex digits, such as 00ff",
    ),
    (
        "bytes 00 from=follower",
        "line 1, column 15: found `follower`, expected `client`, `coordinator` or `replica`",
    ),
    (
        "damage 0.lock remove",
        "line 1, column 8: found `0.lock`, expected a file, such as 0.log, 10.timeindex, 15.snapshot or \
         leader-epoch-checkpoint",
    ),
    (
        "damage 0.log",
        "line 1, column 13: `damage` ends too early, expected what becomes of it: cut=40B, flip=400, at=400 bytes=00ff, \
         add=7B or `remove`",
    ),
    (
        "damage 0.log cut=4B add=4B",
        "line 1, column 21: found `add`, expected one kind of damage a line",
    ),
    (
        "damage 0.log at=4",
        "line 1, column 18: `damage` ends too early, expected the bytes, such as bytes=00ff",
    ),
    (
        "index-entries always",
        "line 1, column 15: found `always`, expected `per-batch` or `per-append`",
    ),
    (
        "append 100B together x3",
        "line 1, column 22: found `x3`, expected the end of the line: sizes come first, then options such as every=2s, \
         and xN last",
    ),
    (
        "expect epochs=0",
        "line 1, column 15: found `0`, expected pairs such as 0:0,3:12, or `none`",
    ),
    (
        "expect txnindex[0]=1:0:x:2",
        "line 1, column 24: found `x`, expected producer, first and last offset, last stable offset, such as 1:0:4:2, \
         or `none`",
    ),
    (
        "expect file[0]=4B",
        "line 1, column 13: found `0`, expected a file, such as 0.log, 10.timeindex.deleted or 15.snapshot",
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
