//! What the page gets: plain data. TypeScript's types of it are generated from these.

use partition_figure::scene::{Scene, Span};
use partition_story::InputValues;
use partition_story::panel::Panel;
use serde::{Serialize, Serializer};
use tsify::Tsify;

/// A number that stays in sight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
pub struct NumberView {
    /// Its name.
    pub label: &'static str,
    /// Its value.
    pub value: String,
    /// Its value before this step, if that was another.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub was: Option<String>,
}

/// A file at one step; size in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
pub struct FileRow {
    /// The whole name.
    pub name: String,
    /// Bytes used.
    #[tsify(type = "number")]
    pub size: u64,
    /// Whether it is there.
    #[tsify(type = "\"live\" | \"deleted\" | \"not created\"")]
    pub state: &'static str,
}

/// A node that the reader may choose at a step that asks a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
pub struct Pick {
    /// Key of the node.
    pub key: String,
    /// Whether the choice is right.
    pub right: bool,
    /// The answer to it.
    pub answer: Vec<Span>,
}

/// One beat; `index` counts from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
pub struct StepView {
    /// Which beat.
    pub index: u32,
    /// Its picture.
    pub scene: Scene,
    /// Its sentence.
    pub sentence: Vec<Span>,
    /// The phase that it belongs to.
    pub phase: u32,
    /// The numbers that stay in sight.
    pub numbers: Vec<NumberView>,
    /// What the inspector shows while nothing is picked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub panel: Option<Panel>,
    /// The files.
    pub files: Vec<FileRow>,
    /// What the reader may choose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[tsify(optional)]
    pub picks: Vec<Pick>,
}

/// A part of a demo; `first` and `last` are indexes from 0, both inclusive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
pub struct Phase {
    /// For links.
    pub id: String,
    /// For people.
    pub title: String,
    /// First beat.
    pub first: u32,
    /// Last beat.
    pub last: u32,
}

/// A beat without its picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
pub struct OutlineStep {
    /// Its sentence.
    pub sentence: String,
    /// Its phase.
    pub phase: u32,
}

/// A demo's beats without their pictures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
pub struct Outline {
    /// The demo's id; empty for a scenario of the host's own.
    pub demo: String,
    /// Its title.
    pub title: String,
    /// How many beats.
    pub length: u32,
    /// Its parts.
    pub phases: Vec<Phase>,
    /// Its beats.
    pub steps: Vec<OutlineStep>,
}

/// Values of inputs by name, an object in JavaScript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs(InputValues);

impl From<InputValues> for Inputs {
    fn from(values: InputValues) -> Inputs {
        Inputs(values)
    }
}

impl Serialize for Inputs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter())
    }
}

/// The inputs that come nearest to those asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
pub struct NearestInputs {
    /// Values by name, without those that have their default.
    #[tsify(type = "Record<string, string>")]
    pub inputs: Inputs,
    /// What could not be as asked for, each a sentence without its full stop.
    pub problems: Vec<String>,
}

/// An input that the reader can change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
pub struct InputInfo {
    /// Name in links and attributes.
    pub name: String,
    /// Name for people.
    pub label: String,
    /// What it counts.
    #[tsify(type = "\"number\" | \"bytes\" | \"duration\" | \"choice\"")]
    pub kind: &'static str,
    /// Its default.
    pub value: String,
    /// Smallest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional, type = "number")]
    pub min: Option<i64>,
    /// Largest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional, type = "number")]
    pub max: Option<i64>,
    /// Unit behind the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub unit: Option<String>,
    /// The words of a choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[tsify(optional)]
    pub choices: Vec<String>,
}

/// Values worth trying.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
pub struct Try {
    /// What they show.
    pub label: String,
    /// The values.
    #[tsify(type = "Record<string, string>")]
    pub inputs: Inputs,
}

/// A demo of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
pub struct DemoInfo {
    /// For links.
    pub id: String,
    /// For people.
    pub title: String,
    /// What the reader can change.
    pub inputs: Vec<InputInfo>,
    /// What is worth trying.
    pub tries: Vec<Try>,
}
