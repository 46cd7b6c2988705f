//! A scenario that shows a difference, made as short as possible.

/// How many candidates are tried: a difference is understood before the last word of it is gone.
const CANDIDATES: usize = 300;

/// Takes parts out of a list as long as it still fails: halves first, then smaller parts, at last single ones. The test is
/// asked about every candidate.
pub fn shortest<T: Clone, E>(all: &[T], mut fails: impl FnMut(&[T]) -> Result<bool, E>) -> Result<Vec<T>, E> {
    let mut left = all.to_vec();
    let mut part = left.len().div_ceil(2);
    let mut tried = 0;
    while part > 0 {
        let mut start = 0;
        let mut shorter = false;
        while start < left.len() {
            let end = (start + part).min(left.len());
            let candidate = [&left[..start], &left[end..]].concat();
            tried += 1;
            if tried > CANDIDATES {
                return Ok(left);
            }
            if fails(&candidate)? {
                left = candidate;
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
    Ok(left)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::shortest;

    #[test]
    fn what_is_needed_stays() {
        let all: Vec<u32> = (0..100).collect();
        let needs = |left: &[u32]| Ok::<bool, Infallible>([17, 18, 93].iter().all(|number| left.contains(number)));
        assert_eq!(shortest(&all, needs), Ok(vec![17, 18, 93]));
    }

    #[test]
    fn what_fails_without_anything_becomes_empty() {
        assert_eq!(shortest(&["a", "b"], |_| Ok::<bool, Infallible>(true)), Ok(Vec::new()));
    }
}
