//! Frames to pictures: a pure layout and its SVG.
