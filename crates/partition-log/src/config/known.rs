//! Kafka's other settings of a topic's log and of the broker's part in it: those that the model has not.

use core::fmt;

use super::SettingScope;

/// What a setting belongs to that is not modelled; as text, what it would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum NotModelled {
    /// `cleanup.policy=compact`.
    Compaction,
    /// `remote.storage.enable=true`.
    TieredStorage,
    /// Followers, and which replica leads.
    Replication,
    /// When the log is flushed apart from rolls and stops.
    Flushing,
    /// `preallocate`.
    Preallocation,
    /// `compression.type` and the levels of the codecs.
    Compression,
    /// `max.decompressed.message.bytes`.
    RecordLimit,
    /// Transactions verified before they begin.
    Verification,
    /// The dead letters of share groups.
    DeadLetters,
    /// The broker's folders, and the threads that load them.
    Folders,
}

impl NotModelled {
    /// What a key of Kafka's belongs to, if the model has not its setting: a topic's key or a broker's.
    pub fn of(key: &str) -> Option<NotModelled> {
        let holds = |keys: &str| keys.split(' ').any(|known| known == key);
        let found = KEYS.iter().find(|(_, keys)| !key.is_empty() && holds(keys));
        found.map(|(missing, _)| *missing)
    }
}

impl fmt::Display for NotModelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotModelled::Compaction => "compaction keeps the newest record of each key",
            NotModelled::TieredStorage => "tiered storage copies closed segments to another store",
            NotModelled::Replication => "it is about how followers copy the log, and which replica leads",
            NotModelled::Flushing => "it flushes the log after so many records or so long; here rolls and stops do",
            NotModelled::Preallocation => "it makes each .log at its full size",
            NotModelled::Compression => "the broker packs batches anew with a codec; here they stay as they came",
            NotModelled::RecordLimit => "it limits a record once it is unpacked",
            NotModelled::Verification => "a transaction is verified with its coordinator before it begins",
            NotModelled::DeadLetters => "share groups set aside what they cannot process",
            NotModelled::Folders => "it is about the broker's folders; here there is one partition",
        })
    }
}

/// The type that Kafka gives a value (Kafka: `ConfigDef.Type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownType {
    /// True or false.
    Boolean,
    /// A whole number of 32 bits.
    Int,
    /// A whole number of 64 bits.
    Long,
    /// A number with a fraction.
    Double,
    /// A text.
    String,
    /// Texts with commas between.
    List,
}

/// A setting of Kafka's that the model has not; those that it has are [`SPECS`](super::SPECS).
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Kafka's key.
    pub key: &'static str,
    /// Who reads it.
    pub scope: SettingScope,
    /// The broker's key for the default of a topic setting.
    pub broker_key: Option<&'static str>,
    /// The type of its value.
    pub kind: KnownType,
    /// Kafka 4.4.0's default, as text; `None` where there is none.
    pub default: Option<&'static str>,
    /// The accepted values, as Kafka describes them; `None` where Kafka checks none.
    pub range: Option<&'static str>,
    /// What it belongs to.
    pub missing: NotModelled,
}

macro_rules! known {
    (@broker) => { None };
    (@broker $broker:literal) => { Some($broker) };
    ($( $missing:ident { $(
        $key:literal $( / $broker:literal )?, $scope:ident, $kind:ident, $default:expr, $range:expr;
    )* } )*) => {
        /// Every setting of a topic, and every one of the broker that its log layer reads, but those in
        /// [`SPECS`](super::SPECS) (Kafka: `LogConfig`, `ServerLogConfigs`, `CleanerConfig`, `ReplicationConfigs`,
        /// `RemoteLogManagerConfig`, `ServerTopicConfigSynonyms`).
        pub const KNOWN: &[Known] = &[$( $( Known {
            key: $key,
            scope: SettingScope::$scope,
            broker_key: known!(@broker $( $broker )?),
            kind: KnownType::$kind,
            default: $default,
            range: $range,
            missing: NotModelled::$missing,
        }, )* )*];

        /// The keys alone, which is all that a refusal needs: the page's WebAssembly holds nothing else of the table.
        const KEYS: &[(NotModelled, &str)] = &[$(
            (NotModelled::$missing, concat!($( $key, " ", $( $broker, " ", )? )*))
        ),*];
    };
}

known! {
    Compaction {
        "delete.retention.ms" / "log.cleaner.delete.retention.ms", Topic, Long, Some("86400000"), Some("[0,...]");
        "max.compaction.lag.ms" / "log.cleaner.max.compaction.lag.ms", Topic, Long, Some("9223372036854775807"), Some("[1,...]");
        "min.cleanable.dirty.ratio" / "log.cleaner.min.cleanable.ratio", Topic, Double, Some("0.5"), Some("[0,...,1]");
        "min.compaction.lag.ms" / "log.cleaner.min.compaction.lag.ms", Topic, Long, Some("0"), Some("[0,...]");
        "log.cleaner.backoff.ms", Broker, Long, Some("15000"), Some("[0,...]");
        "log.cleaner.dedupe.buffer.size", Broker, Long, Some("134217728"), None;
        "log.cleaner.enable", Broker, Boolean, Some("true"), None;
        "log.cleaner.io.buffer.load.factor", Broker, Double, Some("0.9"), None;
        "log.cleaner.io.buffer.size", Broker, Int, Some("524288"), Some("[0,...]");
        "log.cleaner.io.max.bytes.per.second", Broker, Double, Some("1.7976931348623157E308"), None;
        "log.cleaner.threads", Broker, Int, Some("1"), Some("[0,...]");
    }
    TieredStorage {
        "local.retention.bytes" / "log.local.retention.bytes", Topic, Long, Some("-2"), Some("[-2,...]");
        "local.retention.ms" / "log.local.retention.ms", Topic, Long, Some("-2"), Some("[-2,...]");
        "remote.copy.lag.bytes" / "log.remote.copy.lag.bytes", Topic, Long, Some("-1"), Some("[-1,...]");
        "remote.copy.lag.ms" / "log.remote.copy.lag.ms", Topic, Long, Some("0"), Some("[-1,...]");
        "remote.log.copy.disable", Topic, Boolean, Some("false"), None;
        "remote.log.delete.on.disable", Topic, Boolean, Some("false"), None;
        "remote.storage.enable", Topic, Boolean, Some("false"), None;
        "follower.fetch.last.tiered.offset.enable", Broker, Boolean, Some("false"), None;
        "remote.fetch.max.wait.ms", Broker, Int, Some("500"), Some("[1,...]");
        "remote.list.offsets.request.timeout.ms", Broker, Long, Some("30000"), Some("[1,...]");
        "remote.log.index.file.cache.total.size.bytes", Broker, Long, Some("1073741824"), Some("[1,...]");
        "remote.log.index.file.cache.ttl.ms", Broker, Long, Some("900000"), Some("[-1,...]");
        "remote.log.manager.copier.thread.pool.size", Broker, Int, Some("10"), Some("[1,...]");
        "remote.log.manager.copy.max.bytes.per.second", Broker, Long, Some("9223372036854775807"), Some("[1,...]");
        "remote.log.manager.copy.quota.window.num", Broker, Int, Some("11"), Some("[1,...]");
        "remote.log.manager.copy.quota.window.size.seconds", Broker, Int, Some("1"), Some("[1,...]");
        "remote.log.manager.expiration.thread.pool.size", Broker, Int, Some("10"), Some("[1,...]");
        "remote.log.manager.fetch.max.bytes.per.second", Broker, Long, Some("9223372036854775807"), Some("[1,...]");
        "remote.log.manager.fetch.quota.window.num", Broker, Int, Some("11"), Some("[1,...]");
        "remote.log.manager.fetch.quota.window.size.seconds", Broker, Int, Some("1"), Some("[1,...]");
        "remote.log.manager.follower.thread.pool.size", Broker, Int, Some("2"), Some("[1,...]");
        "remote.log.manager.task.interval.ms", Broker, Long, Some("30000"), Some("[1,...]");
        "remote.log.manager.task.retry.backoff.max.ms", Broker, Long, Some("30000"), Some("[1,...]");
        "remote.log.manager.task.retry.backoff.ms", Broker, Long, Some("500"), Some("[1,...]");
        "remote.log.manager.task.retry.jitter", Broker, Double, Some("0.2"), Some("[0,...,0.5]");
        "remote.log.manager.thread.pool.size", Broker, Int, Some("2"), Some("[1,...]");
        "remote.log.metadata.custom.metadata.max.bytes", Broker, Int, Some("128"), Some("[0,...]");
        "remote.log.metadata.manager.class.name", Broker, String, Some("org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager"), Some("non-empty string");
        "remote.log.metadata.manager.class.path", Broker, String, None, None;
        "remote.log.metadata.manager.impl.prefix", Broker, String, Some("rlmm.config."), Some("non-empty string");
        "remote.log.metadata.manager.listener.name", Broker, String, None, Some("non-empty string");
        "remote.log.reader.max.pending.tasks", Broker, Int, Some("100"), Some("[1,...]");
        "remote.log.reader.threads", Broker, Int, Some("10"), Some("[1,...]");
        "remote.log.storage.manager.class.name", Broker, String, None, Some("non-empty string");
        "remote.log.storage.manager.class.path", Broker, String, None, None;
        "remote.log.storage.manager.impl.prefix", Broker, String, Some("rsm.config."), Some("non-empty string");
        "remote.log.storage.system.enable", Broker, Boolean, Some("false"), None;
    }
    Replication {
        "follower.replication.throttled.replicas", Topic, List, Some(""), Some("[partitionId]:[brokerId],[partitionId]:[brokerId],...");
        "leader.replication.throttled.replicas", Topic, List, Some(""), Some("[partitionId]:[brokerId],[partitionId]:[brokerId],...");
        "min.insync.replicas" / "min.insync.replicas", Topic, Int, Some("1"), Some("[1,...]");
        "unclean.leader.election.enable" / "unclean.leader.election.enable", Topic, Boolean, Some("false"), None;
        "num.replica.alter.log.dirs.threads", Broker, Int, None, None;
        "num.replica.fetchers", Broker, Int, Some("1"), Some("[1,...]");
        "replica.fetch.backoff.ms", Broker, Int, Some("1000"), Some("[0,...]");
        "replica.fetch.max.bytes", Broker, Int, Some("1048576"), Some("[0,...]");
        "replica.fetch.min.bytes", Broker, Int, Some("1"), None;
        "replica.fetch.response.max.bytes", Broker, Int, Some("10485760"), Some("[0,...]");
        "replica.fetch.wait.max.ms", Broker, Int, Some("500"), None;
        "replica.lag.time.max.ms", Broker, Long, Some("30000"), None;
        "replica.selector.class", Broker, String, None, None;
        "replica.socket.receive.buffer.bytes", Broker, Int, Some("65536"), None;
        "replica.socket.timeout.ms", Broker, Int, Some("30000"), None;
        "replication.quota.window.num", Broker, Int, Some("11"), Some("[1,...]");
        "replication.quota.window.size.seconds", Broker, Int, Some("1"), Some("[1,...]");
        "unclean.leader.election.interval.ms", Broker, Long, Some("300000"), Some("[1,...]");
    }
    Flushing {
        "flush.messages" / "log.flush.interval.messages", Topic, Long, Some("9223372036854775807"), Some("[1,...]");
        "flush.ms" / "log.flush.interval.ms", Topic, Long, Some("9223372036854775807"), Some("[0,...]");
        "log.flush.scheduler.interval.ms", Broker, Long, Some("9223372036854775807"), None;
    }
    Preallocation {
        "preallocate" / "log.preallocate", Topic, Boolean, Some("false"), None;
    }
    Compression {
        "compression.gzip.level" / "compression.gzip.level", Topic, Int, Some("-1"), Some("[1,...,9] or -1");
        "compression.lz4.level" / "compression.lz4.level", Topic, Int, Some("9"), Some("[1,...,17]");
        "compression.type" / "compression.type", Topic, String, Some("producer"), Some("[uncompressed, zstd, lz4, snappy, gzip, producer]");
        "compression.zstd.level" / "compression.zstd.level", Topic, Int, Some("3"), Some("[-131072,...,22]");
    }
    RecordLimit {
        "max.decompressed.message.bytes" / "max.decompressed.message.bytes", Topic, Int, Some("2147483639"), Some("[1,...,2147483639]");
    }
    Verification {
        "transaction.partition.verification.enable", Broker, Boolean, Some("true"), None;
    }
    DeadLetters {
        "errors.deadletterqueue.group.enable", Topic, Boolean, Some("false"), None;
    }
    Folders {
        "log.dir", Broker, List, Some("/tmp/kafka-logs"), Some("");
        "log.dir.failure.timeout.ms", Broker, Long, Some("30000"), Some("[1,...]");
        "log.dirs", Broker, List, None, Some("");
        "num.recovery.threads.per.data.dir", Broker, Int, Some("2"), Some("[1,...]");
    }
}
