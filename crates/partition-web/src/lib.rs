//! # partition-web
//!
//! The model and its pictures for the browser: one [`Session`](session::Session) with step and inspect calls, and plain
//! views of what they give. The crate holds conversions only; no rule of Kafka is known here.

pub mod convert;
pub mod error;
pub mod session;
pub mod views;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
