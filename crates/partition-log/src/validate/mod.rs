//! What arriving bytes have to satisfy before they become part of the log.

use core::fmt;

/// Where arriving batches come from, which settles how strictly they are looked at (Kafka: `AppendOrigin`; its
/// `RAFT_LEADER` writes the metadata log only).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AppendOrigin {
    /// A producer.
    #[default]
    Client,
    /// A transaction or group coordinator, which writes markers and its own records.
    Coordinator,
    /// The leader of this partition: a follower takes over what it already accepted.
    Replication,
}

impl fmt::Display for AppendOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AppendOrigin::Client => "client",
            AppendOrigin::Coordinator => "coordinator",
            AppendOrigin::Replication => "replication",
        })
    }
}
