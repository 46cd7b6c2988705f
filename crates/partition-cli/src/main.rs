//! The command `pod`.
fn main() {}
