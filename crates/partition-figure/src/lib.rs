//! Frames to pictures: a pure layout and its SVG.
#![forbid(unsafe_code)]

mod layout;
mod marks;
pub mod metrics;
pub mod scene;
mod svg;

pub use layout::{Arrangement, layout};
pub use scene::Scene;
pub use svg::{Theme, inline, svg};
