//! The tables of settings beside Kafka's own definitions, as `cargo xtask broker settings` records them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use partition_log::config::{KNOWN, KnownType, NotModelled, SPECS, SettingKind, SettingScope, Settings, Spec, Value};
use serde::Deserialize;

/// A line of the recording.
#[derive(Deserialize)]
struct Definition {
    scope: String,
    key: String,
    #[serde(rename = "type")]
    kind: String,
    default: Option<String>,
    range: Option<String>,
    internal: bool,
    #[serde(default)]
    synonyms: Vec<String>,
}

fn definitions() -> BTreeMap<(String, String), Definition> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/settings.jsonl");
    let text = fs::read_to_string(file).expect("the recording");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect(line));
    lines
        .map(|line: Definition| ((line.scope.clone(), line.key.clone()), line))
        .collect()
}

fn scope(scope: SettingScope) -> String {
    match scope {
        SettingScope::Topic => "topic",
        SettingScope::Broker => "broker",
        SettingScope::Consumer => "consumer",
    }
    .to_string()
}

/// Of the broker's settings those that its log layer reads, or that look as if.
fn about_the_log(key: &str) -> bool {
    const BEGINNINGS: [&str; 9] = [
        "log.",
        "message.",
        "compression.",
        "replica.",
        "replication.",
        "remote.",
        "producer.id.",
        "unclean.",
        "num.re",
    ];
    const OTHERS: [&str; 4] = [
        "min.insync.replicas",
        "max.decompressed.message.bytes",
        "transaction.partition.verification.enable",
        "follower.fetch.last.tiered.offset.enable",
    ];
    BEGINNINGS.iter().any(|beginning| key.starts_with(beginning)) || OTHERS.contains(&key)
}

#[test]
fn every_setting_of_a_topic_and_of_the_brokers_log_is_known() {
    for ((scope, key), definition) in &definitions() {
        // The model takes its small segments under the public name.
        if scope == "consumer" || key == "internal.segment.bytes" || (scope == "broker" && !about_the_log(key)) {
            continue;
        }
        let modelled = Spec::find(key).is_some();
        assert_ne!(
            modelled,
            NotModelled::of(key).is_some(),
            "{key} is modelled, or it is said why not"
        );
        let error = Settings::check(key, &Value::Word("neither".into())).expect_err(key);
        assert!(!error.to_string().contains("did you mean"), "{key}: {error}");
        for synonym in &definition.synonyms {
            let same = Spec::find(synonym).map(|spec| spec.key) == Spec::find(key).map(|spec| spec.key);
            assert!(
                same && NotModelled::of(synonym) == NotModelled::of(key),
                "{key} and {synonym}"
            );
        }
    }
}

#[test]
fn what_is_modelled_has_kafkas_defaults_and_ranges() {
    let all = definitions();
    for spec in SPECS {
        let kafka = &all[&(scope(spec.scope), spec.key.to_string())];
        assert_eq!(
            kafka.default.as_deref(),
            Some(&*plain(spec, spec.default)),
            "{}",
            spec.key
        );
        if spec.scope == SettingScope::Topic {
            assert_eq!(
                kafka.synonyms.first().map(String::as_str),
                spec.broker_key,
                "{}",
                spec.key
            );
        }
        let words = match spec.kind {
            SettingKind::Choice(words) => words.join(", "),
            _ => String::new(),
        };
        let max = match kafka.kind.as_str() {
            "INT" => i64::from(i32::MAX),
            _ => i64::MAX,
        };
        let ours = match spec.key {
            // Smaller segments are what scaled_below is for.
            "segment.bytes" => format!("[{},...]", spec.scaled_below.expect("Kafka's minimum")),
            "auto.offset.reset" => format!("[{words}, by_duration:PnDTnHnMn.nS]"),
            "cleanup.policy" => format!("[compact, {words}]"),
            _ if !words.is_empty() => format!("[{words}]"),
            _ => format!("[{},...]", spec.min),
        };
        match &kafka.range {
            Some(range) => assert_eq!(*range, ours, "{}", spec.key),
            // Kafka checks nothing; below these, nothing is meant.
            None => assert!(
                ["retention.bytes", "replica.high.watermark.checkpoint.interval.ms"].contains(&spec.key),
                "{}",
                spec.key
            ),
        }
        let counted = words.is_empty();
        assert!(!counted || spec.max == max, "{} ends at {}", spec.key, spec.max);
    }
}

/// A value as Kafka writes it.
fn plain(spec: &Spec, value: i64) -> String {
    match spec.kind {
        SettingKind::Choice(_) => spec.show(value),
        _ => value.to_string(),
    }
}

#[test]
fn what_is_not_modelled_is_told_as_kafka_defines_it() {
    let all = definitions();
    for known in KNOWN {
        let kafka = &all[&(scope(known.scope), known.key.to_string())];
        assert_eq!(kafka.default.as_deref(), known.default, "{}", known.key);
        assert_eq!(kafka.range.as_deref(), known.range, "{}", known.key);
        assert_eq!(
            kafka.synonyms.first().map(String::as_str),
            known.broker_key,
            "{}",
            known.key
        );
        let kind = match known.kind {
            KnownType::Boolean => "BOOLEAN",
            KnownType::Int => "INT",
            KnownType::Long => "LONG",
            KnownType::Double => "DOUBLE",
            KnownType::String => "STRING",
            KnownType::List => "LIST",
        };
        assert_eq!(kafka.kind, kind, "{}", known.key);
        assert_eq!(NotModelled::of(known.key), Some(known.missing));
    }
    let internal = all.values().filter(|definition| definition.internal);
    assert!(
        internal.count() > 10,
        "the recording has Kafka's internal settings, too"
    );
}
