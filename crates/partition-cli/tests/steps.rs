//! The data of a step holds all that the step holds. What a step holds is read from its `Debug` text, which is derived and
//! so leaves nothing out, and compared with its JSON, name by name and value by value.

use std::collections::{BTreeSet, HashMap};
use std::mem::{Discriminant, discriminant};
use std::path::Path;
use std::{fs, iter};

use partition_log::Step;
use partition_log::disk::FileName;
use partition_story::{Event, InputValues, Story, demos, parse};
use serde_json::Value;

/// What a `Debug` text says.
#[derive(Debug, PartialEq)]
enum Shown {
    /// A number, `true`, or the name of a variant that holds nothing.
    Word(String),
    Text(String),
    List(Vec<Shown>),
    /// A tuple, a tuple struct or a tuple variant; a tuple has no name.
    Tuple(String, Vec<Shown>),
    Fields(String, Vec<(String, Shown)>),
}

/// The rest of a `Debug` text.
struct Reader<'a>(&'a str);

impl Reader<'_> {
    /// Whether the text goes on with this, which is then passed over.
    fn passes(&mut self, expected: &str) -> bool {
        let rest = self.0.trim_start();
        let found = rest.strip_prefix(expected);
        self.0 = found.unwrap_or(rest);
        found.is_some()
    }

    fn word(&mut self) -> String {
        let rest = self.0.trim_start();
        let ends = |c: char| !(c.is_alphanumeric() || "_-.".contains(c));
        let (word, rest) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        self.0 = rest;
        word.to_string()
    }

    fn until<T>(&mut self, end: &str, one: impl Fn(&mut Self) -> T) -> Vec<T> {
        iter::from_fn(|| {
            let more = !self.passes(end);
            more.then(|| {
                let value = one(self);
                self.passes(",");
                value
            })
        })
        .collect()
    }

    fn value(&mut self) -> Shown {
        if self.passes("[") {
            return Shown::List(self.until("]", Reader::value));
        }
        if self.passes("\"") {
            let (text, rest) = self.0.split_once('"').expect("the end of a text");
            assert!(!text.contains('\\'), "escapes are not read: {text}");
            self.0 = rest;
            return Shown::Text(text.to_string());
        }
        let word = self.word();
        if self.passes("(") {
            return Shown::Tuple(word, self.until(")", Reader::value));
        }
        if self.passes("{") {
            let field = |reader: &mut Self| {
                let name = reader.word();
                assert!(reader.passes(":"), "{name} has no value");
                (name, reader.value())
            };
            return Shown::Fields(word, self.until("}", field));
        }
        assert!(!word.is_empty(), "nothing is read of {}", self.0);
        Shown::Word(word)
    }
}

fn shown(value: &impl std::fmt::Debug) -> Shown {
    let text = format!("{value:?}");
    let mut reader = Reader(&text);
    let shown = reader.value();
    assert_eq!(reader.0, "", "{text} is not read to its end");
    shown
}

/// The name of a variant in JSON: `roll-decided` of `RollDecided`.
fn kebab(name: &str) -> String {
    let parts = name.char_indices().map(|(at, c)| match c.is_uppercase() {
        true if at > 0 => format!("-{}", c.to_lowercase()),
        _ => c.to_lowercase().to_string(),
    });
    parts.collect()
}

/// What stands under the name of a variant; a struct has no name in JSON.
fn inside<'a>(name: &str, json: &'a Value) -> &'a Value {
    let object = json.as_object().filter(|object| object.len() == 1);
    object.and_then(|object| object.get(&kebab(name))).unwrap_or(json)
}

/// Whether JSON has this number, this answer, or a variant of this name, which may be that of an option.
fn says(json: &Value, word: &str) -> bool {
    match json {
        Value::Null => word == "None",
        Value::Bool(_) | Value::Number(_) => json.to_string().as_str() == word,
        Value::String(text) => *text == kebab(word),
        Value::Array(_) | Value::Object(_) => false,
    }
}

/// Where JSON says something else than the `Debug` text, or leaves something out.
fn difference(shown: &Shown, json: &Value) -> Option<String> {
    let differs = || Some(format!("{shown:?} is {json}"));
    let all = |values: &[Shown], json: &Value| match json.as_array() {
        Some(items) if items.len() == values.len() => {
            let mut pairs = values.iter().zip(items);
            pairs.find_map(|(value, item)| difference(value, item))
        }
        _ => differs(),
    };
    match shown {
        Shown::Word(word) if says(json, word) => None,
        Shown::Text(text) if json.as_str() == Some(text) => None,
        Shown::List(bytes) if json.is_string() => {
            let hex = bytes.iter().map(|byte| match byte {
                Shown::Word(byte) => format!("{:02x}", byte.parse::<u8>().expect("a byte")),
                other => panic!("{other:?} is no byte"),
            });
            if json.as_str() == Some(&hex.collect::<String>()) {
                return None;
            }
            differs()
        }
        Shown::List(values) => all(values, json),
        Shown::Tuple(name, one) if name == "Some" && !json.is_null() => difference(&one[0], json),
        Shown::Tuple(name, values) => match &values[..] {
            [one] => difference(one, inside(name, json)),
            values => all(values, inside(name, json)),
        },
        Shown::Fields(name, _) if name == "FileName" => {
            let file = json.as_str().and_then(FileName::parse);
            if file.is_some_and(|file| self::shown(&file) == *shown) {
                return None;
            }
            differs()
        }
        Shown::Fields(name, fields) => match inside(name, json).as_object() {
            Some(object) if object.len() == fields.len() => fields.iter().find_map(|(name, value)| {
                let Some(json) = object.get(name) else {
                    return Some(format!("{name} is not in {object:?}"));
                };
                difference(value, json)
            }),
            _ => differs(),
        },
        _ => differs(),
    }
}

/// Every demo, and every scenario script that runs.
fn scenarios() -> Vec<String> {
    let mut texts: Vec<String> = demos().iter().map(|demo| demo.text.to_string()).collect();
    let topics = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scripts");
    for topic in fs::read_dir(topics).expect("the scripts") {
        let topic = topic.expect("a topic").path();
        // Those are refused, some of them late.
        if topic.ends_with("bad-input") {
            continue;
        }
        for script in fs::read_dir(topic).expect("a folder") {
            let path = script.expect("a script").path();
            if path.extension().is_some_and(|extension| extension == "pod") {
                texts.push(fs::read_to_string(path).expect("text"));
            }
        }
    }
    texts
}

#[test]
fn a_step_as_data_leaves_nothing_out() {
    let mut kinds = BTreeSet::new();
    let mut check = |step: &Step| {
        let (shown, json) = (shown(step), serde_json::to_value(step).expect("JSON"));
        if let Some(difference) = difference(&shown, &json) {
            panic!("{difference}\n  in {step:?}\n  as {json}");
        }
        let (Shown::Word(kind) | Shown::Tuple(kind, _) | Shown::Fields(kind, _)) = shown else {
            panic!("{step:?} is no variant");
        };
        let named = json.as_str() == Some(&kebab(&kind)) || json.get(kebab(&kind)).is_some();
        assert!(named, "{json} does not say that it is {kind}");
        kinds.insert(kind);
    };
    for text in scenarios() {
        let scenario = parse(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
        let story = Story::run(&scenario, &InputValues::defaults()).unwrap_or_else(|error| panic!("{error} in {text}"));
        // One script goes through years of history, again and again the same.
        let mut looked_at: HashMap<Discriminant<Step>, usize> = HashMap::new();
        story.replay(&mut |event| {
            let steps = match event {
                Event::Created(steps) => steps,
                Event::Done(done) => done.steps,
                Event::Phase { .. } | Event::Said { .. } | Event::Expected(_) => &[],
            };
            for step in steps {
                let looked_at = looked_at.entry(discriminant(step)).or_default();
                *looked_at += 1;
                if *looked_at <= 50 {
                    check(step);
                }
            }
        });
    }
    assert!(kinds.len() > 30, "the scripts meet only {kinds:?}");
}

#[test]
fn the_comparison_sees_what_is_left_out_and_what_is_wrong() {
    let step = Step::Rolled {
        closed: partition_log::Offset::ZERO,
        opened: partition_log::Offset::ZERO.next(),
        cause: partition_log::rules::roll::RollCause::OffsetRange,
    };
    let judge = |json: &str| difference(&shown(&step), &serde_json::from_str(json).expect("JSON"));
    assert_eq!(
        judge(r#"{"rolled": {"closed": 0, "opened": 1, "cause": "offset-range"}}"#),
        None
    );
    for wrong in [
        r#"{"rolled": {"closed": 0, "opened": 1}}"#,
        r#"{"rolled": {"closed": 0, "opened": 2, "cause": "offset-range"}}"#,
        r#"{"rolled": {"closed": 0, "opened": 1, "cause": "size"}}"#,
        r#"{"rolled": {"closed": 0, "opened": 1, "cause": null}}"#,
        r#""rolled""#,
    ] {
        assert!(judge(wrong).is_some(), "{wrong}");
    }
}
