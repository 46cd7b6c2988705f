//! The nodes of a demo's scenes in columns of small numbers and tables of texts.

use std::collections::BTreeMap;

use partition_figure::scene::{Anchor, Enter, Role, SceneNode};

use super::text::{escaped, pieces, template, template_beside};

/// How many fields of a node are numbers: x, y, w, h and rx, in tenths of a px.
const NUMBERS: usize = 5;
/// How many are texts: parent, kind, class, d, anchor, spans, role, label, enter, from and exit; "" where a node has none.
const TEXTS: usize = 11;
/// How many tables of texts there are: keys, kinds, classes, paths, words and labels.
const TABLES: usize = 6;
/// The table of keys, and of texts that name another node.
const KEYS: usize = 0;
/// The table of each text field.
const TABLE_OF: [usize; TEXTS] = [KEYS, 1, 2, 3, 1, 4, 1, 5, 1, KEYS, 1];
/// Text fields in which numbers are left open: parent, spans, label and from.
const OPEN: [usize; 4] = [0, 5, 7, 9];

/// The columns, in the order of the file; those of the numbers and of the texts follow.
const PASSED: usize = 0;
const MASK: usize = 1;
const KEY: usize = 2;
const OF_KEY: usize = 3;
const COUNTS: usize = 4;
const FIRST_NUMBER: usize = 5;
const FIRST_TEXT: usize = FIRST_NUMBER + NUMBERS;
const COLUMNS: usize = FIRST_TEXT + TEXTS;

/// In place of a mask: nothing more changes in this frame; a node leaves; a node enters, less the fields that are not as expected.
const NO_MORE: i64 = 0;
const LEAVES: i64 = -1;
const ENTERS: i64 = -2;

/// The fields of a node, with the numbers in its texts left open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Fields {
    numbers: [i64; NUMBERS],
    texts: [String; TEXTS],
    counts: [Vec<i64>; TEXTS],
}

impl Fields {
    fn of(node: &SceneNode, of_key: &[i64]) -> Self {
        let word = |word: Option<&str>| String::from(word.unwrap_or_default());
        let anchor = Some(node.anchor).filter(|anchor| *anchor != Anchor::Start);
        let mut fields = Self {
            numbers: [node.x, node.y, node.w, node.h, node.rx].map(i64::from),
            texts: [
                escaped(&node.parent),
                String::from(node.kind.name()),
                String::from(node.class),
                node.d.clone(),
                word(anchor.map(Anchor::name)),
                pieces(&node.spans),
                word(node.role.map(Role::name)),
                escaped(&node.label),
                word(node.enter.map(Enter::name)),
                escaped(&node.from),
                word(node.fades.then_some("fade")),
            ],
            counts: Default::default(),
        };
        for field in OPEN {
            (fields.texts[field], fields.counts[field]) = template_beside(&fields.texts[field], of_key);
        }
        fields
    }
}

/// A node of the frame before.
struct Shown {
    key: String,
    of_key: Vec<i64>,
    fields: Fields,
}

/// One table of texts without duplicates.
#[derive(Default)]
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
        self.places.insert(String::from(text), self.texts.len() as i64);
        self.texts.push(String::from(text));
        0
    }
}

/// The frames written so far.
#[derive(Default)]
pub struct Picture {
    tables: [Table; TABLES],
    columns: [Vec<i64>; COLUMNS],
    shown: Vec<Shown>,
    /// The fields that each key had last.
    by_key: BTreeMap<String, Fields>,
    /// The fields with which the latest node with a pattern entered.
    by_pattern: BTreeMap<String, Fields>,
    /// The fields with which the latest node entered.
    before: Fields,
    /// The pattern that came after a pattern the last time.
    follows: BTreeMap<String, String>,
    pattern: String,
    /// The latest number at each place of a key.
    of_key: Vec<i64>,
}

impl Picture {
    /// Writes what is otherwise than in the frame before.
    pub fn frame(&mut self, nodes: &[SceneNode]) {
        let mut before = std::mem::take(&mut self.shown).into_iter();
        let mut passed = 0;
        for node in nodes {
            let ahead = before.as_slice().iter().position(|shown| shown.key == node.key);
            let shown = match ahead {
                Some(ahead) => {
                    for _ in before.by_ref().take(ahead) {
                        self.event(&mut passed, LEAVES);
                    }
                    before.next().map(|shown| {
                        let fields = Fields::of(node, &shown.of_key);
                        if fields == shown.fields {
                            passed += 1;
                        } else {
                            let mask = self.difference(&fields, &shown.fields);
                            self.event(&mut passed, mask);
                        }
                        Shown { fields, ..shown }
                    })
                }
                None => None,
            };
            let shown = shown.unwrap_or_else(|| {
                let (shown, mask) = self.enter(node);
                self.event(&mut passed, ENTERS - mask);
                shown
            });
            self.by_key.insert(shown.key.clone(), shown.fields.clone());
            self.shown.push(shown);
        }
        for _ in before {
            self.event(&mut passed, LEAVES);
        }
        passed = 0;
        self.event(&mut passed, NO_MORE);
    }

    /// The tables, each as one text.
    pub fn tables(&self) -> [String; TABLES] {
        self.tables.each_ref().map(|table| table.texts.join("~"))
    }

    /// All columns in the order of the file.
    pub fn columns(&self) -> &[Vec<i64>] {
        &self.columns
    }

    /// Something happens behind so many nodes that stay as they are.
    fn event(&mut self, passed: &mut i64, mask: i64) {
        self.columns[PASSED].push(std::mem::take(passed));
        self.columns[MASK].push(mask);
    }

    fn enter(&mut self, node: &SceneNode) -> (Shown, i64) {
        let (pattern, of_key) = template(&escaped(&node.key));
        self.key(&pattern, &of_key);
        let fields = Fields::of(node, &of_key);
        let known = self.by_key.get(&node.key).or_else(|| self.by_pattern.get(&pattern));
        let expected = known.unwrap_or(&self.before).clone();
        let mask = self.difference(&fields, &expected);
        self.by_pattern.insert(pattern, fields.clone());
        self.before = fields.clone();
        let key = node.key.clone();
        (Shown { key, of_key, fields }, mask)
    }

    fn key(&mut self, pattern: &str, of_key: &[i64]) {
        let follows = self.follows.get(&self.pattern);
        let code = if follows.is_some_and(|follows| follows == pattern) {
            1
        } else {
            self.tables[KEYS].code(pattern, 2)
        };
        self.columns[KEY].push(code);
        let last = std::mem::replace(&mut self.pattern, String::from(pattern));
        self.follows.insert(last, String::from(pattern));
        self.of_key.resize(self.of_key.len().max(of_key.len()), 0);
        for (latest, number) in self.of_key.iter_mut().zip(of_key) {
            self.columns[OF_KEY].push(number - *latest);
            *latest = *number;
        }
    }

    /// Writes what differs from the fields that a reader expects; returns which do, a bit each.
    fn difference(&mut self, fields: &Fields, expected: &Fields) -> i64 {
        let mut mask = 0;
        for (field, (number, expected)) in fields.numbers.iter().zip(expected.numbers).enumerate() {
            if *number != expected {
                mask |= 1 << field;
                self.columns[FIRST_NUMBER + field].push(number - expected);
            }
        }
        for (field, table) in TABLE_OF.into_iter().enumerate() {
            let (text, counts) = (&fields.texts[field], &fields.counts[field]);
            let same = *text == expected.texts[field];
            if same && *counts == expected.counts[field] {
                continue;
            }
            mask |= 1 << (NUMBERS + field);
            let code = match (same, text.is_empty()) {
                (true, _) => 2,
                (false, true) => 1,
                (false, false) => self.tables[table].code(text, 3),
            };
            self.columns[FIRST_TEXT + field].push(code);
            for (place, number) in counts.iter().enumerate() {
                let expected = if same { expected.counts[field][place] } else { 0 };
                self.columns[COUNTS].push(number - expected);
            }
        }
        mask
    }
}
