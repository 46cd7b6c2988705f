//! Lives in columns of small numbers, and tables of texts.

use std::collections::BTreeMap;

use super::text::{escaped, template, template_beside};
use super::timeline::{Life, NUMBERS, State, TEXTS};

/// How many tables of texts there are: keys, kinds, classes, paths, words and labels.
pub const TABLES: usize = 6;
/// The table of keys, and of texts that name another node.
const KEYS: usize = 0;
/// The table of each text field.
const TABLE_OF: [usize; TEXTS] = [KEYS, 1, 2, 3, 1, 4, 1, 5, 1, KEYS, 1];
/// Text fields in which numbers are left open: parent, spans, label and from.
const OPEN: [usize; 4] = [0, 5, 7, 9];

/// One table.
#[derive(Debug, Default)]
struct Table {
    texts: Vec<String>,
    places: BTreeMap<String, i64>,
}

impl Table {
    /// 0 for a text that is new, else its place from 0 plus `first`.
    fn code(&mut self, text: &str, first: i64) -> i64 {
        if let Some(place) = self.places.get(text) {
            return place + first;
        }
        self.places.insert(text.to_string(), self.texts.len() as i64);
        self.texts.push(text.to_string());
        0
    }
}

/// A state with the numbers in its texts left open.
#[derive(Clone, Debug, Default)]
pub struct Told {
    numbers: [i64; NUMBERS],
    texts: [String; TEXTS],
    counts: [Vec<i64>; TEXTS],
}

impl Told {
    fn of(state: &State, of_key: &[i64]) -> Told {
        let mut told = Told {
            numbers: state.numbers,
            texts: state.texts.clone(),
            ..Told::default()
        };
        for field in OPEN {
            (told.texts[field], told.counts[field]) = template_beside(&state.texts[field], of_key);
        }
        told
    }
}

/// What happened to a node at one width: the measure for the same node at another.
pub type Twins = BTreeMap<String, Vec<Option<Told>>>;

/// Everything written so far.
#[derive(Debug, Default)]
pub struct Rows {
    tables: [Table; TABLES],
    /// When, which fields, key, numbers of the key, numbers in texts.
    heads: [Vec<i64>; 5],
    numbers: [Vec<i64>; NUMBERS],
    texts: [Vec<i64>; TEXTS],
    /// First state of the latest node with a pattern.
    by_pattern: BTreeMap<String, Told>,
    /// First state of the latest node.
    before: Told,
    /// The pattern that came after a pattern the last time.
    follows: BTreeMap<String, String>,
    pattern: String,
    /// The latest number at each place of a key.
    of_key: Vec<i64>,
}

const AT: usize = 0;
const MASK: usize = 1;
const KEY: usize = 2;
const OF_KEY: usize = 3;
const COUNTS: usize = 4;

/// Stands in place of a mask where a node leaves.
const GONE: i64 = -1;

impl Rows {
    /// Writes a scene's lives. `twins` are those of the demo's first scene, or empty for it.
    pub fn write(&mut self, lives: &[Life], twins: &Twins) -> Twins {
        let mut own = Twins::new();
        for life in lives {
            let mut name = life.key.clone();
            while own.contains_key(&name) {
                name.push('+');
            }
            let states = self.life(life, twins.get(&name).map_or(&[], Vec::as_slice));
            own.insert(name, states);
        }
        own
    }

    /// The tables, each as one text.
    pub fn tables(&self) -> [String; TABLES] {
        self.tables.each_ref().map(|table| table.texts.join("~"))
    }

    /// All columns in the order of the file.
    pub fn columns(&self) -> Vec<&[i64]> {
        let columns = self.heads.iter().chain(&self.numbers).chain(&self.texts);
        columns.map(Vec::as_slice).collect()
    }

    fn life(&mut self, life: &Life, twin: &[Option<Told>]) -> Vec<Option<Told>> {
        let (pattern, of_key) = template(&escaped(&life.key));
        self.key(&pattern, &of_key);
        let alike = self.by_pattern.get(&pattern).unwrap_or(&self.before).clone();
        let mut states: Vec<Option<Told>> = Vec::new();
        let mut latest: Option<Told> = None;
        let mut first: Option<Told> = None;
        let mut frame = 0;
        for (index, (at, state)) in life.events.iter().enumerate() {
            self.heads[AT].push((at - frame) as i64);
            frame = *at;
            let told = state.as_ref().map(|state| Told::of(state, &of_key));
            let Some(told) = told else {
                self.heads[MASK].push(GONE);
                states.push(None);
                continue;
            };
            let twin = |index: usize| twin.get(index).and_then(Option::as_ref);
            let (now, then) = (twin(index), index.checked_sub(1).and_then(twin));
            let texts = now.or(latest.as_ref()).unwrap_or(&alike);
            let numbers = match (&latest, now, then) {
                (Some(latest), Some(now), Some(then)) => {
                    std::array::from_fn(|field| latest.numbers[field] + now.numbers[field] - then.numbers[field])
                }
                (Some(latest), ..) => latest.numbers,
                (None, ..) => texts.numbers,
            };
            self.state(&told, numbers, texts);
            first.get_or_insert_with(|| told.clone());
            states.push(Some(told.clone()));
            latest = Some(told);
        }
        // An event is at least one frame after the one before.
        self.heads[AT].push(0);
        if let Some(first) = first {
            self.by_pattern.insert(pattern, first.clone());
            self.before = first;
        }
        states
    }

    fn key(&mut self, pattern: &str, of_key: &[i64]) {
        let foreseen = self
            .follows
            .get(&self.pattern)
            .is_some_and(|follows| follows == pattern);
        let code = if foreseen {
            1
        } else {
            self.tables[KEYS].code(pattern, 2)
        };
        self.heads[KEY].push(code);
        self.follows.insert(
            std::mem::replace(&mut self.pattern, pattern.to_string()),
            pattern.to_string(),
        );
        for (place, number) in of_key.iter().enumerate() {
            if place == self.of_key.len() {
                self.of_key.push(0);
            }
            self.heads[OF_KEY].push(number - self.of_key[place]);
            self.of_key[place] = *number;
        }
    }

    /// Writes what differs from the numbers and texts that a reader expects.
    fn state(&mut self, told: &Told, numbers: [i64; NUMBERS], expected: &Told) {
        let mut mask = 0;
        for (field, (number, expected)) in told.numbers.iter().zip(numbers).enumerate() {
            if *number != expected {
                mask |= 1 << field;
                self.numbers[field].push(number - expected);
            }
        }
        for (field, table) in TABLE_OF.into_iter().enumerate() {
            let (text, same) = (&told.texts[field], told.texts[field] == expected.texts[field]);
            let (counts, before) = (&told.counts[field], &expected.counts[field]);
            if same && counts == before {
                continue;
            }
            mask |= 1 << (NUMBERS + field);
            let code = match (same, text.is_empty()) {
                (true, _) => 2,
                (false, true) => 1,
                (false, false) => self.tables[table].code(text, 3),
            };
            self.texts[field].push(code);
            for (place, number) in counts.iter().enumerate() {
                let before = if same { before[place] } else { 0 };
                self.heads[COUNTS].push(number - before);
            }
        }
        self.heads[MASK].push(mask);
    }
}
