//! What is done to a partition and what comes of it, as lines of JSON.
//!
//! A [`Request`] is one operation with everything resolved: another program can do it to a real log. A command of a scenario
//! that says all about itself is recorded as it is, and of the others what they came to: the bytes that were sent, the offset
//! that was read. A [`Turn`] is a request at its time, an [`Answer`] the marks and files afterwards. The program in
//! `tests/oracle` takes turns and answers with what Apache Kafka's own log makes of them; [`of_story`] gives the turns of a
//! scenario and what the model makes of them. `pod trace` writes the same turns, as [`tell`] tells them.

mod answer;
mod changes;
mod consumer;
mod play;
mod recording;
mod request;
mod story;

pub use answer::{Answer, Appended, End, Found, difference};
pub use changes::{Files, Listing};
pub use consumer::{Consumed, ConsumerAct};
pub use play::Player;
pub use recording::{Archive, Header, Recorded};
pub use request::{Request, Turn};
pub use story::{LeftOut, Played, Told, of_story, tell};
