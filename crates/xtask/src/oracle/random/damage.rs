//! What happens to files while the broker is down.

use fastrand::Rng;
use partition_log::operations::load::Damage;
use partition_trace::{Listing, Request};

/// Damage to one of the files; none where there is no file.
pub fn any(rng: &mut Rng, files: &Listing) -> Option<Request> {
    let (file, _, used) = rng.choice(files.files())?;
    let file = file.to_string();
    let how = match rng.u8(..6) {
        0 | 1 => Damage::Cut {
            length: rng.u64(0..=used),
        },
        2 | 3 if used > 0 => Damage::Write {
            position: rng.u64(0..used),
            bytes: vec![rng.u8(..)],
        },
        4 => Damage::Remove,
        _ => Damage::Add {
            bytes: (0..rng.usize(1..40))
                .map(|_| if rng.bool() { 0 } else { rng.u8(..) })
                .collect(),
        },
    };
    Some(Request::Damage { file, how })
}
