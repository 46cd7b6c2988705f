//! A scenario that shows a difference, made as short as possible.

/// Takes lines out of a text as long as it still fails: halves first, then smaller parts, at last single lines. The test is
/// asked about every candidate.
pub fn shortest<E>(text: &str, mut fails: impl FnMut(&str) -> Result<bool, E>) -> Result<String, E> {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut part = lines.len() / 2;
    while part > 0 {
        let mut start = 0;
        let mut shorter = false;
        while start < lines.len() {
            let end = (start + part).min(lines.len());
            let candidate = [&lines[..start], &lines[end..]].concat();
            if fails(&join(&candidate))? {
                lines = candidate;
                shorter = true;
            } else {
                start = end;
            }
        }
        if part > 1 {
            part /= 2;
        } else if !shorter {
            part = 0;
        }
    }
    Ok(join(&lines))
}

fn join(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::shortest;

    #[test]
    fn what_is_needed_stays() {
        let text: String = (0..100).map(|line| format!("{line}\n")).collect();
        let needs = |text: &str| {
            Ok::<bool, Infallible>(
                ["17", "18", "93"]
                    .iter()
                    .all(|line| text.lines().any(|one| one == *line)),
            )
        };
        assert_eq!(shortest(&text, needs), Ok("17\n18\n93\n".to_string()));
    }

    #[test]
    fn what_fails_without_any_line_becomes_empty() {
        assert_eq!(shortest("a\nb\n", |_| Ok::<bool, Infallible>(true)), Ok(String::new()));
    }
}
