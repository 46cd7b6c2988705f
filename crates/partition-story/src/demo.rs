//! The demos, in the order in which they are offered.

/// A demo: a scenario with an id that links use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demo {
    /// Its id; it stays the same.
    pub id: &'static str,
    /// Its scenario, which holds its title, its inputs and other values to try.
    pub text: &'static str,
}

macro_rules! demo {
    ($id:literal) => {
        Demo {
            id: $id,
            text: include_str!(concat!("../demos/", $id, ".pod")),
        }
    };
}

/// All of them.
const DEMOS: [Demo; 7] = [
    demo!("find-offset"),
    demo!("batches"),
    demo!("append-and-roll"),
    demo!("find-time"),
    demo!("retention-time"),
    demo!("retention-size"),
    demo!("consumer-offset"),
];

/// All of them, in the order in which they are offered.
pub fn demos() -> &'static [Demo] {
    &DEMOS
}

impl Demo {
    /// The demo with an id.
    pub fn find(id: &str) -> Option<&'static Demo> {
        DEMOS.iter().find(|demo| demo.id == id)
    }
}
