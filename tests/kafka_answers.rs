//! What Apache Kafka 4.4.0's own log and its own consumer answered to the same operations, recorded by
//! `cargo xtask oracle --record`: the model has to answer the same, mark by mark, record by record and byte by byte.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use brotli_decompressor::Decompressor;
use partition_log::KAFKA_VERSION;
use partition_trace::{Header, Player, Recorded, difference};

/// Both recordings: of the log alone, and with a consumer.
const RECORDINGS: [&str; 2] = ["kafka.jsonl.br", "kafka-consumers.jsonl.br"];

/// A recording, line by line: the header first.
fn lines(name: &str) -> impl Iterator<Item = String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = BufReader::new(Decompressor::new(file, 1 << 16));
    text.lines().map(|line| line.expect("a whole recording"))
}

fn header(name: &str) -> Header {
    let line = lines(name).next().expect("a header");
    serde_json::from_str(&line).expect("a header")
}

/// The scenarios of both recordings.
fn recorded() -> impl Iterator<Item = String> {
    RECORDINGS.into_iter().flat_map(|name| lines(name).skip(1))
}

#[test]
fn the_recordings_are_of_the_version_that_the_model_follows() {
    for name in RECORDINGS {
        let header = header(name);
        assert_eq!(header.kafka, KAFKA_VERSION);
        for part in ["storage", "clients"] {
            let part = format!("kafka-{part}-{KAFKA_VERSION}.jar");
            let archive = header.archives.iter().find(|archive| archive.name == part);
            assert_eq!(archive.expect("Kafka's classes").sha256.len(), 64);
        }
    }
}

#[test]
fn the_model_answers_as_kafka_did() {
    let (mut scenarios, mut turns) = (0, 0);
    for line in recorded() {
        let recorded: Recorded = serde_json::from_str(&line).expect("a scenario");
        let mut player = Player::new();
        for (number, (turn, kafka)) in recorded.turns.into_iter().enumerate() {
            let asked = serde_json::to_string(&turn).expect("a turn");
            let played = player.take(turn);
            if let Some((field, model, kafka)) = difference(&played.answer, &kafka) {
                panic!(
                    "{}, turn {}, {asked}\n{field}: the model {model}, Kafka {kafka}",
                    recorded.name,
                    number + 1
                );
            }
            turns += 1;
        }
        scenarios += 1;
    }
    assert!(
        scenarios >= 300 && turns >= 10_000,
        "{scenarios} scenarios, {turns} turns"
    );
}

/// Kafka's side reads turns by their fields: what is asked is written now as it was then.
#[test]
fn turns_are_written_as_they_were_recorded() {
    for line in recorded() {
        let recorded: Recorded = serde_json::from_str(&line).expect("a scenario");
        let line: serde_json::Value = serde_json::from_str(&line).expect("a scenario");
        let turns = line["turns"].as_array().expect("turns");
        assert_eq!(turns.len(), recorded.turns.len());
        for (before, (turn, _)) in turns.iter().zip(&recorded.turns) {
            let now = serde_json::to_value(turn).expect("a turn");
            assert_eq!(now, before[0], "{}", recorded.name);
        }
    }
}
