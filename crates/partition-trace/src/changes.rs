//! Answers in a row, each told by what it changes in the files of the one before.

use std::collections::BTreeMap;

use crate::answer::Answer;

/// Files as the last answer told them: by name, the length and the bytes in hex.
#[derive(Clone, Debug, Default)]
pub struct Files {
    known: BTreeMap<String, (String, String)>,
}

impl Files {
    /// An answer whose `files` are only the changes: `name length hex` for a file that is new or other, `name length +hex`
    /// for one that got more, `-name` for one that is gone.
    pub fn pack(&mut self, answer: Answer) -> Answer {
        let mut changes = Vec::new();
        let mut now = BTreeMap::new();
        for file in &answer.files {
            let (name, length, hex) = parts(file);
            match self.known.get(name) {
                Some((before, old)) if before == length && old == hex => {}
                Some((_, old)) if !old.is_empty() && hex.starts_with(old.as_str()) => {
                    changes.push(format!("{name} {length} +{}", &hex[old.len()..]));
                }
                _ => changes.push(file.clone()),
            }
            now.insert(name.to_string(), (length.to_string(), hex.to_string()));
        }
        changes.extend(
            self.known
                .keys()
                .filter(|name| !now.contains_key(*name))
                .map(|name| format!("-{name}")),
        );
        self.known = now;
        Answer {
            files: changes,
            ..answer
        }
    }

    /// The answer that was packed.
    pub fn unpack(&mut self, packed: Answer) -> Answer {
        for change in &packed.files {
            if let Some(gone) = change.strip_prefix('-') {
                self.known.remove(gone);
                continue;
            }
            let (name, length, hex) = parts(change);
            let hex = match hex.strip_prefix('+') {
                Some(more) => self.known.get(name).map_or("", |(_, old)| old).to_string() + more,
                None => hex.to_string(),
            };
            self.known.insert(name.to_string(), (length.to_string(), hex));
        }
        let file = |(name, (length, hex)): (&String, &(String, String))| format!("{name} {length} {hex}");
        Answer {
            files: self.known.iter().map(file).collect(),
            ..packed
        }
    }
}

/// Name, length and bytes of a file as it is told.
fn parts(file: &str) -> (&str, &str, &str) {
    let (name, rest) = file.split_once(' ').unwrap_or((file, ""));
    let (length, hex) = rest.split_once(' ').unwrap_or((rest, ""));
    (name, length, hex)
}

#[cfg(test)]
mod tests {
    use super::Files;
    use crate::answer::Answer;

    fn of(files: &[&str]) -> Answer {
        Answer {
            files: files.iter().map(ToString::to_string).collect(),
            ..Answer::default()
        }
    }

    #[test]
    fn what_is_packed_comes_back() {
        let answers = [
            of(&["a.log 2 0102", "b.index 8 "]),
            of(&["a.log 3 010203", "b.index 8 ", "c.log 0 "]),
            of(&["a.log.deleted 3 010203", "b.index 0 ", "c.log 0 "]),
            of(&["c.log 1 07"]),
        ];
        let (mut pack, mut unpack) = (Files::default(), Files::default());
        let packed: Vec<Answer> = answers.iter().map(|answer| pack.pack(answer.clone())).collect();
        assert_eq!(packed[1], of(&["a.log 3 +03", "c.log 0 "]));
        assert_eq!(packed[2], of(&["a.log.deleted 3 010203", "b.index 0 ", "-a.log"]));
        let unpacked: Vec<Answer> = packed.into_iter().map(|answer| unpack.unpack(answer)).collect();
        assert_eq!(unpacked, answers);
    }
}
