//! Helpers shared by the tests of this workspace.

pub mod naive;
pub mod orders;
