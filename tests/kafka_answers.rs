//! What Apache Kafka 4.4.0's own log answered to the same operations, recorded by `cargo xtask oracle --record`: the model has
//! to answer the same, mark by mark and byte by byte.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use brotli_decompressor::Decompressor;
use partition_log::KAFKA_VERSION;
use partition_trace::{Header, Player, Recorded, difference};

/// The recording, line by line: the header first.
fn lines() -> impl Iterator<Item = String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/kafka.jsonl.br");
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = BufReader::new(Decompressor::new(file, 1 << 16));
    text.lines().map(|line| line.expect("a whole recording"))
}

fn header() -> Header {
    let line = lines().next().expect("a header");
    serde_json::from_str(&line).expect("a header")
}

#[test]
fn the_recording_is_of_the_version_that_the_model_follows() {
    let header = header();
    assert_eq!(header.kafka, KAFKA_VERSION);
    let storage = format!("kafka-storage-{KAFKA_VERSION}.jar");
    let archive = header.archives.iter().find(|archive| archive.name == storage);
    assert_eq!(archive.expect("Kafka's storage classes").sha256.len(), 64);
}

#[test]
fn the_model_answers_as_kafka_did() {
    let (mut scenarios, mut turns) = (0, 0);
    for line in lines().skip(1) {
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
    for line in lines().skip(1) {
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
