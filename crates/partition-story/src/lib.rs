//! Scenario language, demos, and the runner that turns commands into frames.
