//! Where a scenario comes from.

use std::io::{self, Read};
use std::path::Path;

use partition_story::language::limits;
use partition_story::{Demo, InputValues, Scenario, Story, parse};

use crate::args::Source;
use crate::failure::Failure;

/// A scenario that has been run.
pub struct Loaded {
    /// The file or demo.
    pub name: String,
    /// What it says.
    pub scenario: Scenario,
    /// The values of its inputs that were given.
    pub values: InputValues,
    /// What it does.
    pub story: Story,
}

impl Source {
    /// Reads and runs it.
    pub fn load(&self) -> Result<Loaded, Failure> {
        let text = self.text()?;
        let fault = |error| Failure::Scenario {
            name: self.name.clone(),
            error,
        };
        let scenario = parse(&text).map_err(fault)?;
        let values = self.values()?;
        let story = Story::run(&scenario, &values).map_err(fault)?;
        Ok(Loaded {
            name: self.name.clone(),
            scenario,
            values,
            story,
        })
    }

    /// A file of this name comes first: it is the user's own.
    fn text(&self) -> Result<String, Failure> {
        let unreadable = |error| Failure::Unreadable {
            name: self.name.clone(),
            error,
        };
        if self.name == "-" {
            return read(io::stdin().lock()).map_err(unreadable);
        }
        let path = Path::new(&self.name);
        match (path.exists(), Demo::find(&self.name)) {
            (false, Some(demo)) => Ok(demo.text.to_string()),
            (false, None) => Err(Failure::Unknown {
                name: self.name.clone(),
            }),
            (true, _) => std::fs::File::open(path).and_then(read).map_err(unreadable),
        }
    }

    fn values(&self) -> Result<InputValues, Failure> {
        let mut values = InputValues::defaults();
        for input in &self.inputs {
            let Some((name, value)) = input.split_once('=') else {
                return Err(Failure::Argument(format!(
                    "--input {input}: expected NAME=VALUE, such as offset=12"
                )));
            };
            if !values.set(name, value) {
                return Err(Failure::Argument(format!(
                    "--input {name} is given twice: leave one of them out"
                )));
            }
        }
        Ok(values)
    }
}

/// Reads a text, but not much more than a scenario may have: the parser then says what is too much.
fn read(from: impl Read) -> io::Result<String> {
    let mut text = String::new();
    from.take(limits::TEXT_BYTES as u64 + 4).read_to_string(&mut text)?;
    Ok(text)
}
