//! `pod` as its users meet it: what it prints, and the code it ends with.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use partition_story::demos;
use partition_trace::{Answer, Player, Turn};
use serde_json::Value;

fn pod(args: &[&str]) -> Output {
    pod_reading(args, "")
}

/// Runs `pod` with a text on its standard input.
fn pod_reading(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pod"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("pod starts");
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("pod ends")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// The lines of a trace.
fn traced(output: &Output) -> Vec<Value> {
    assert_eq!(code(output), Some(0), "{}", err(output));
    let text = out(output);
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    lines.collect()
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// A file of this test in the temporary folder.
fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("pod-{}-{name}", std::process::id()))
}

#[test]
fn every_demo_runs_and_meets_its_expectations() {
    for demo in demos() {
        let output = pod(&["run", demo.id]);
        assert_eq!((code(&output), err(&output)), (Some(0), String::new()), "{}", demo.id);
        let text = out(&output);
        assert!(text.contains(" expectations are met.\n"), "{text}");
        assert!(text.contains("what it waits for"), "{text}");
        assert!(
            !text.contains('\u{1b}'),
            "there are no colours in what no terminal gets: {text}"
        );
    }
}

#[test]
fn an_expectation_that_is_not_met_ends_with_1_and_shows_both_values() {
    let output = pod_reading(&["run", "-"], "append 45B\nexpect log-end=2 size=45B\n");
    assert_eq!(code(&output), Some(1));
    assert!(
        out(&output).contains("log-end is 1, expected 2 (line 2)\n"),
        "{}",
        out(&output)
    );
    assert_eq!(err(&output), "pod: 1 of 2 expectations were not met\n");
    let output = pod_reading(&["run", "-", "--steps"], "append 45B\nexpect log-end=2 size=45B\n");
    assert_eq!(code(&output), Some(1));
    assert!(out(&output).ends_with("expect log-end=2 size=45B\n  FAILED  log-end=1, expected 2\n  met     size=45B\n"));
}

#[test]
fn bad_input_ends_with_2_and_says_what_helps() {
    let scenario = temporary("bad.pod");
    std::fs::write(&scenario, "append 45B\napend 45B\n").expect("a writable folder");
    let name = scenario.to_str().expect("UTF-8");
    let unknown = "nothing-here is neither a file nor a demo; the demos are find-offset, batches, append-and-roll, \
                   find-time, retention-time, retention-size, consumer-offset";
    let cases: &[(&[&str], String)] = &[
        (
            &["run", name],
            format!("{name}: line 2, column 1: found `apend`, expected a command; did you mean `append`?"),
        ),
        (&["run", "nothing-here"], unknown.to_string()),
        (&["demos", "nothing-here"], unknown.to_string()),
        (
            &["run", "find-offset", "--input", "offset=99"],
            "find-offset: `offset` cannot be `99`: expected 0 to 21".to_string(),
        ),
        (
            &["run", "find-offset", "--input", "time=9"],
            "find-offset: there is no input `time`: this scenario has offset".to_string(),
        ),
        (
            &["run", "find-offset", "--input", "offset"],
            "--input offset: expected NAME=VALUE, such as offset=12".to_string(),
        ),
        (
            &["run", "find-offset", "--input", "offset=1", "--input", "offset=2"],
            "--input offset is given twice: leave one of them out".to_string(),
        ),
        (
            &["render", "find-offset", "--step", "0"],
            "--step 0: expected a number from 1 to 10, or @ and the id of a phase".to_string(),
        ),
        (
            &["render", "find-offset", "--step", "@middle"],
            "--step @middle: there is no such phase, expected one of @segment, @index, @scan, @answer".to_string(),
        ),
    ];
    for (args, message) in cases {
        let output = pod(args);
        assert_eq!(code(&output), Some(2), "{args:?}");
        assert_eq!(err(&output), format!("pod: {message}\n"), "{args:?}");
        assert_eq!(out(&output), "", "{args:?}");
    }
    for args in [
        &["run"][..],
        &["render", "find-offset"],
        &["render", "find-offset", "--step", "1", "--width", "9"],
        &["go"],
    ] {
        assert_eq!(code(&pod(args)), Some(2), "{args:?}");
    }
    std::fs::remove_file(scenario).expect("it was written");
}

#[test]
fn bytes_that_are_no_text_and_endless_texts_are_refused() {
    let scenario = temporary("bytes.pod");
    std::fs::write(&scenario, [0xff, 0xfe, 0x00]).expect("a writable folder");
    let output = pod(&["run", scenario.to_str().expect("UTF-8")]);
    assert_eq!(code(&output), Some(2));
    assert!(err(&output).contains("cannot be read"), "{}", err(&output));
    std::fs::remove_file(scenario).expect("it was written");
    let output = pod_reading(&["run", "-"], &"#\n".repeat(1 << 20));
    assert_eq!(code(&output), Some(2));
    assert!(err(&output).contains("a scenario at most 1 MiB"), "{}", err(&output));
}

#[test]
fn another_value_for_an_input_leaves_expectations_open() {
    let output = pod(&["run", "find-offset", "--steps", "--input", "offset=8"]);
    assert_eq!(code(&output), Some(0));
    let text = out(&output);
    assert!(
        text.contains("\nfetch 8\n") && text.contains("  open    answer=9, not checked"),
        "{text}"
    );
}

#[test]
fn the_same_as_data_has_the_same_steps() {
    for demo in demos() {
        let data: Value = serde_json::from_slice(&pod(&["run", demo.id, "--format", "json"]).stdout).expect("JSON");
        assert_eq!((&data["format"], &data["version"]), (&"pod-run".into(), &2.into()));
        assert_eq!(data["defaults"], true);
        let events = data["events"].as_array().expect("a list");
        let steps = events.iter().filter_map(|event| event["steps"].as_array()).flatten();
        let lines: Vec<&str> = steps.map(|step| step["text"].as_str().expect("a line")).collect();
        let text = out(&pod(&["run", demo.id, "--steps"]));
        let printed: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("  "))
            .filter(|line| !line.starts_with("met "))
            .collect();
        assert!(!printed.iter().any(|line| line.starts_with("folded ")), "{}", demo.id);
        assert_eq!(lines, printed, "{}", demo.id);
        let shown = data["steps"].as_array().expect("a list");
        assert_eq!(shown.last().map(|step| &step["step"]), Some(&shown.len().into()));
        let phases = data["phases"].as_array().expect("a list");
        assert_eq!(
            phases.last().map(|phase| &phase["last"]),
            Some(&shown.len().into()),
            "{}",
            demo.id
        );
        for step in shown {
            let spans = step["spans"].as_array().expect("a list").iter();
            let joined: String = spans.map(|span| span["text"].as_str().expect("a text")).collect();
            assert_eq!(step["sentence"], joined);
        }
    }
}

#[test]
fn clauses_as_data_can_be_compared_again_and_decisions_have_an_answer() {
    let number = |operand: &Value| i128::from(operand["value"].as_i64().expect("a number"));
    let mut names = BTreeSet::new();
    for demo in demos() {
        let data: Value = serde_json::from_slice(&pod(&["run", demo.id, "--format", "json"]).stdout).expect("JSON");
        let events = data["events"].as_array().expect("a list");
        for step in events.iter().filter_map(|event| event["steps"].as_array()).flatten() {
            let clauses = step["clauses"].as_array().map(Vec::as_slice).unwrap_or_default();
            for clause in clauses.iter().filter(|clause| clause["exemption"].is_null()) {
                let (kind, left) = clause["left"]
                    .as_object()
                    .and_then(|left| left.iter().next())
                    .expect("one kind");
                let left = match kind.as_str() {
                    "value" => number(left),
                    "sum" => number(&left[0]) + number(&left[1]),
                    "difference" => number(&left[0]) - number(&left[1]),
                    other => panic!("{other} is no expression"),
                };
                let right = number(&clause["right"]);
                let holds = match clause["relation"].as_str().expect("a name") {
                    "above" => left > right,
                    "at-least" => left >= right,
                    "below" => left < right,
                    "at-most" => left <= right,
                    "equal" => left == right,
                    "not-equal" => left != right,
                    other => panic!("{other} is no relation"),
                };
                assert_eq!(clause["holds"], holds, "{clause}");
                names.insert(clause["name"].as_str().expect("a name").to_string());
            }
            let kind = step["step"].as_object().and_then(|step| step.keys().next());
            let decides = kind.is_some_and(|kind| kind.ends_with("-decided"));
            assert_eq!(step.get("answer").is_some(), decides, "{step}");
            if let Some(cause) = step["step"].get("roll-decided").and(step["answer"].as_str()) {
                let first = clauses.iter().find(|clause| clause["holds"] == true);
                assert_eq!(first.map(|clause| &clause["name"]), Some(&cause.into()));
            }
        }
    }
    assert!(names.len() >= 12, "the demos compare only {names:?}");
}

#[test]
fn a_trace_tells_what_is_done_to_the_broker_with_nothing_left_open() {
    let scenario = "producer p1 id=9\ntransaction p1 begin\nappend 100B producer=p1 x2\ntransaction p1 abort\n\
                    append 100B from=replica x2 together\nleader-epoch 3\ncrash lose=50B\ndamage 0.log cut=8B\nstart\n";
    let lines = traced(&pod_reading(&["trace", "-"], scenario));
    let done: Vec<&str> = lines.iter().filter_map(|line| line["do"].as_str()).collect();
    assert_eq!(
        done,
        [
            "create",
            "append",
            "append",
            "append",
            "append",
            "leader-epoch",
            "crash",
            "damage",
            "start",
            "settle"
        ]
    );
    let origins: Vec<&str> = lines.iter().filter_map(|line| line["origin"].as_str()).collect();
    assert_eq!(origins, ["client", "client", "coordinator", "replication"]);
    // A producer's id, epoch and sequence number stand at byte 43 of its batch.
    let second = lines[2]["bytes"].as_str().expect("hex");
    assert_eq!(&second[86..114], "0000000000000009000000000001");
    // Of a marker, as of any batch, the attributes stand at byte 21: it is transactional and for control. Its one record
    // says at byte 66 in which version, and that the transaction is aborted.
    let marker = lines[3]["bytes"].as_str().expect("hex");
    assert_eq!((&marker[42..46], &marker[86..102]), ("0030", "0000000000000009"));
    assert_eq!(&marker[132..140], "00000000");
    assert_eq!(lines[3]["command"], "transaction p1 abort");
    let replicated = lines[4]["bytes"].as_str().expect("hex");
    assert_eq!((replicated.len(), &replicated[..16]), (400, "0000000000000003"));
    // 2 · 100 + 78 + 200 = 478 B, without 50 and then 8.
    assert_eq!(lines[7]["cut"], 420);
    assert_eq!((&lines[8]["line"], &lines[8]["command"]), (&9.into(), &"start".into()));
    assert_eq!(
        (&lines[9]["line"], lines[9].get("command")),
        (&9.into(), None),
        "what is due then stands in no line of its own"
    );
}

#[test]
fn a_trace_carries_absolute_times_and_the_bytes_of_the_log() {
    let lines = traced(&pod(&["trace", "find-offset"]));
    assert_eq!(
        (&lines[0]["do"], &lines[0]["format"], &lines[0]["version"]),
        (&"create".into(), &"pod-trace".into(), &3.into())
    );
    assert_eq!(lines[0]["settings"]["internal.segment.bytes"], "300");
    assert_eq!(lines[0]["settings"]["message.timestamp.type"], "CreateTime");
    let appends: Vec<&Value> = lines.iter().filter(|line| line["do"] == "append").collect();
    assert_eq!(appends.len(), 20);
    for (offset, append) in appends.iter().enumerate() {
        assert_eq!(append["answer"]["appended"]["last"], offset);
        assert_eq!(append["answer"]["log_end"], offset + 1);
        assert_eq!(append["at"], 2_000 * (offset + 1));
        let bytes = append["bytes"].as_str().expect("hex");
        assert!(
            bytes.starts_with(&format!("{offset:016x}")),
            "a message begins with its offset: {bytes}"
        );
        let size = usize::from_str_radix(&bytes[16..24], 16).expect("a size");
        assert_eq!(12 + size, bytes.len() / 2, "its size follows: {bytes}");
    }
    let fetch = lines.iter().find(|line| line["do"] == "fetch").expect("the fetch");
    assert_eq!((&fetch["offset"], &fetch["max_bytes"]), (&9.into(), &150.into()));
    assert_eq!(
        (&fetch["answer"]["position"], &fetch["answer"]["slice"]),
        (&150.into(), &110.into())
    );
}

#[test]
fn a_trace_can_be_played_and_the_answers_are_the_same() {
    for demo in demos() {
        let mut player = Player::new();
        for line in traced(&pod(&["trace", demo.id])) {
            let told: Turn = serde_json::from_value(line.clone()).expect("a turn");
            let played = player.take(told.clone());
            let answer = Answer {
                files: Vec::new(),
                ..played.answer
            };
            assert_eq!(played.turn, told, "{line}");
            assert_eq!(serde_json::to_value(&answer).expect("JSON"), line["answer"], "{line}");
        }
        assert!(
            player.state().is_some_and(|state| state.log_end().get() > 0),
            "{}",
            demo.id
        );
    }
}

#[test]
fn a_trace_says_what_cannot_be_asked_of_a_log_alone() {
    let scenario = "set segment.jitter.ms=10s\nindex-entries per-batch\nappend 100B\ncommit 1\n";
    let lines = traced(&pod_reading(&["trace", "-"], scenario));
    let told: Vec<(&str, bool)> = lines
        .iter()
        .filter_map(|line| Some((line["do"].as_str()?, line["left_out"].is_string())))
        .collect();
    assert_eq!(
        told,
        [
            ("create", true),
            ("nothing", true),
            ("append", false),
            ("nothing", false),
            ("settle", false)
        ]
    );
}

#[test]
fn a_refusal_is_part_of_the_data() {
    let scenario = "set segment.bytes=100B\nappend 101B\nfetch 5\n";
    let lines = traced(&pod_reading(&["trace", "-"], scenario));
    let codes: Vec<Value> = lines
        .iter()
        .map(|line| line["refused"]["code"].clone())
        .filter(|code| !code.is_null())
        .collect();
    assert_eq!(codes, ["record-batch-too-large", "offset-out-of-range"]);
}

#[test]
fn a_step_is_drawn_by_its_number_or_its_phase() {
    let file = temporary("scan.svg");
    let output = pod(&[
        "render",
        "find-offset",
        "--step",
        "@scan",
        "-o",
        file.to_str().expect("UTF-8"),
    ]);
    assert_eq!((code(&output), out(&output)), (Some(0), String::new()));
    let picture = std::fs::read_to_string(&file).expect("it was written");
    assert!(
        picture.starts_with("<svg ") && picture.ends_with("</svg>\n"),
        "{picture:.80}"
    );
    assert_eq!(picture, out(&pod(&["render", "find-offset", "--step", "7"])));
    assert_ne!(
        picture,
        out(&pod(&["render", "find-offset", "--step", "7", "--theme", "dark"]))
    );
    let narrow = out(&pod(&["render", "find-offset", "--step", "7", "--width", "328"]));
    assert!(narrow.contains("width=\"328\""), "{narrow:.200}");
    std::fs::remove_file(file).expect("it was written");
}

#[test]
fn demos_are_listed_and_printed() {
    let list = out(&pod(&["demos"]));
    for demo in demos() {
        assert!(list.contains(demo.id), "{list}");
        assert_eq!(out(&pod(&["demos", demo.id])), demo.text);
    }
}

#[test]
fn the_help_explains_a_scenario_that_runs() {
    let help = out(&pod(&["--help"]));
    for word in [
        "pod demos",
        "pod run",
        "pod render",
        "pod trace",
        "Exit codes: 0, 1",
        "2 for bad input",
    ] {
        assert!(help.contains(word), "{word} is not in\n{help}");
    }
    let scenario: String = help
        .lines()
        .skip_while(|line| !line.starts_with("A scenario is"))
        .skip(2)
        .take_while(|line| !line.is_empty())
        .map(|line| format!("{}\n", line.trim()))
        .collect();
    assert_eq!(scenario.lines().count(), 4, "{scenario}");
    let output = pod_reading(&["run", "-"], &scenario);
    assert_eq!(code(&output), Some(0), "{}", err(&output));
}

#[test]
fn the_set_up_can_be_left_out() {
    let (whole, brief) = (
        out(&pod(&["run", "find-offset", "--steps"])),
        out(&pod(&["run", "find-offset", "--steps", "--brief"])),
    );
    assert!(brief.len() < whole.len() / 4);
    let story = |text: &str| text.split("phase segment").nth(1).map(str::to_string);
    assert_eq!(story(&whole), story(&brief));
}

#[test]
fn a_run_is_told_in_a_line_a_command_and_the_folder_as_a_listing() {
    let scenario = "set segment.bytes=300B\nset retention.ms=60s\nappend 70B every=2s x72\nappend 40B\nappend 40B\n\
                    wait 4m\nfetch 71\n";
    let text = out(&pod_reading(&["run", "-"], scenario));
    let expected = "\
append 70B every=2s x72  Offsets 0 to 71, 5,040 B; 17 segments are opened (size), 4 to 68 (17).
append 40B  (2 times)    Offsets 72 and 73, 80 B; segment 72 is opened (size).
wait 4m                  Segment 74 is opened (retention). Segments 0 to 72 (19) leave the log by
                         retention.ms, 5,120 B. The log starts at 74.
fetch 71                 Offset 71 is below the log start offset 74: OFFSET_OUT_OF_RANGE.

";
    assert!(text.starts_with(expected), "{text}");
    let listing: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("00000")).collect();
    assert_eq!(
        (listing[0], listing[19]),
        (
            "00000000000000000000.log.deleted    0 to 3  280 B     8 s  removed at 390 s",
            "00000000000000000074.log          none yet    0 B       –  empty and active, stays"
        )
    );
}

#[test]
fn colours_are_there_where_they_are_asked_for() {
    let coloured = out(&pod(&["--color", "always", "run", "find-offset"]));
    assert!(coloured.contains("\u{1b}["), "{coloured}");
    let plain = anstream::adapter::strip_str(&coloured).to_string();
    assert_eq!(plain, out(&pod(&["run", "find-offset"])));
}

#[test]
fn many_checks_that_find_nothing_are_folded_among_the_steps() {
    let scenario = "producer p1\nappend 100B producer=p1\nwait 25h\n";
    let text = out(&pod_reading(&["run", "-", "--steps"], scenario));
    assert!(text.lines().count() < 70, "{text}");
    assert!(
        text.contains("  folded  286 checks from 330 s to 23 h 50 min 30 s found nothing, "),
        "{text}"
    );
}

#[test]
fn the_files_are_those_of_a_broker_and_take_no_others_place() {
    let directory = temporary("logs");
    let name = directory.to_str().expect("UTF-8");
    let scenario =
        "set segment.bytes=200B\nformat v2\nproducer p1\nappend 100B producer=p1 every=1s x5\ndelete-records 1\n";
    let args = ["files", "-", "-o", name];
    let output = pod_reading(&args, &format!("{scenario}stop\n"));
    assert_eq!((code(&output), err(&output)), (Some(0), String::new()));
    let partition = directory.join("orders-0");
    let read = |name: &str| std::fs::read(partition.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(read("00000000000000000000.log").len(), 200);
    assert_eq!(read("00000000000000000004.timeindex").len(), 12);
    assert!(!read("00000000000000000004.snapshot").is_empty());
    let beside = |name: &str| std::fs::read_to_string(directory.join(name)).expect("a file");
    assert_eq!(beside("log-start-offset-checkpoint"), "0\n1\norders 0 1\n");
    assert_eq!(beside("recovery-point-offset-checkpoint"), "0\n1\norders 0 5\n");
    assert_eq!(beside("replication-offset-checkpoint"), "0\n1\norders 0 5\n");
    assert!(beside(".kafka_cleanshutdown").starts_with("{\"version\":0,"));

    let output = pod_reading(&args, scenario);
    assert_eq!(code(&output), Some(2));
    assert!(
        err(&output).contains("it is not empty; name another one, or add --force"),
        "{}",
        err(&output)
    );
    let own = partition.join("notes.txt");
    std::fs::write(&own, "mine").expect("a writable folder");
    let output = pod_reading(&["files", "-", "-o", name, "--force"], scenario);
    assert_eq!((code(&output), err(&output)), (Some(0), String::new()));
    // A broker that runs has its active index at full length, and no marker.
    assert_eq!(read("00000000000000000004.index").len(), 10 << 20);
    assert!(!directory.join(".kafka_cleanshutdown").exists());
    assert!(own.exists(), "what pod did not write stays");
    std::fs::remove_dir_all(directory).expect("it was written");
}

/// `UPDATE_GOLDENS=1` writes the picture anew.
#[test]
fn the_directory_of_a_real_broker_is_drawn() {
    let tests = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = tests.join("../../tests/fixtures/broker/segments-killed/orders-0");
    let name = directory.to_str().expect("UTF-8");
    // A moment after the newest record.
    let output = pod(&[
        "render",
        name,
        "--now",
        "1704067500000",
        "--set",
        "retention.ms=3600000",
    ]);
    assert_eq!((code(&output), err(&output)), (Some(0), String::new()));
    let golden = tests.join("tests/golden/segments-killed.svg");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&golden, &output.stdout).expect("a writable folder");
    }
    assert_eq!(out(&output), std::fs::read_to_string(golden).expect("a golden file"));

    let cases: &[(&[&str], &str)] = &[
        (&["--step", "1"], "--step: "),
        (&["--input", "offset=1"], "--input: "),
        (&["--set", "retention.ms"], "--set retention.ms: expected KEY=VALUE"),
        (&["--now", "-1"], "--now -1: "),
    ];
    for (more, message) in cases {
        let output = pod(&[&["render", name], *more].concat());
        assert_eq!(code(&output), Some(2), "{more:?}");
        assert!(err(&output).contains(message), "{more:?}: {}", err(&output));
    }
    let output = pod(&["render", tests.to_str().expect("UTF-8")]);
    assert!(
        err(&output).contains("it has no files of a partition"),
        "{}",
        err(&output)
    );
}
