//! What a link asks for, and the nearest that a scenario can do.

use crate::language::{InputValues, Scenario};

/// The values for inputs that come nearest to those asked for; every scenario can be given them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NearestInputs {
    /// Without those that have their default.
    pub values: InputValues,
    /// What could not be as asked for, each a sentence without its full stop.
    pub problems: Vec<String>,
}

impl NearestInputs {
    /// Holds the values asked for against the inputs of a scenario.
    ///
    /// ```
    /// use partition_story::{InputValues, NearestInputs, parse};
    ///
    /// let scenario = parse("title \"Read\"\ninput offset=9 range=0..20\nfetch $offset\n").expect("well formed");
    /// let nearest = NearestInputs::of(&scenario, &InputValues::defaults().with("offset", "99"));
    /// assert_eq!(nearest.values, InputValues::defaults().with("offset", "20"));
    /// assert_eq!(nearest.problems, ["Offset: “99” is not possible (0 to 20), 20 is shown"]);
    /// ```
    pub fn of(scenario: &Scenario, asked: &InputValues) -> NearestInputs {
        let mut nearest = NearestInputs::default();
        for (name, text) in asked.iter() {
            let Some(input) = scenario.inputs().find(|input| input.name.as_str() == name) else {
                let title = scenario.title().unwrap_or("The scenario");
                nearest.problems.push(format!("“{title}” has no input “{name}”"));
                continue;
            };
            let (value, written) = match input.read(text.trim()) {
                Ok(value) => (value, text.trim().to_string()),
                Err(refusal) => {
                    let (label, range, value) = (input.label(), input.range(), refusal.nearest);
                    nearest
                        .problems
                        .push(format!("{label}: “{text}” is not possible ({range}), {value} is shown"));
                    let written = value.to_string();
                    (value, written)
                }
            };
            if !value.same(&input.default()) {
                nearest.values.set(name, &written);
            }
        }
        nearest
    }
}
