//! `.kafka_cleanshutdown`, the marker that a broker leaves beside the directories of its partitions when it has closed them
//! all (Kafka: `CleanShutdownFileHandler`).

use core::fmt;

/// What the marker says. That it is there is all that a start goes by (Kafka: `LogManager.loadLogs`); the epoch tells a
/// controller whether the broker is the one that it knew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CleanShutdown {
    /// Kafka writes 0, and does not look at it.
    pub version: i32,
    /// The epoch that the controller had given the broker, from 0; `None` where the marker has none.
    pub broker_epoch: Option<i64>,
}

/// Why the marker cannot be read. Kafka goes on without the epoch then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum CleanShutdownFault {
    /// It is no JSON.
    Json {
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
    },
    /// It is JSON, but no object with a whole number of this name.
    Field {
        /// Its name.
        name: &'static str,
    },
}

impl fmt::Display for CleanShutdownFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CleanShutdownFault::Json { line, column } => write!(f, "line {line}, column {column}: not JSON"),
            CleanShutdownFault::Field { name } => write!(f, "\"{name}\" is no whole number"),
        }
    }
}

impl core::error::Error for CleanShutdownFault {}

impl CleanShutdown {
    /// The name of the file.
    pub const NAME: &str = ".kafka_cleanshutdown";

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let version = self.version;
        match self.broker_epoch {
            Some(epoch) => format!("{{\"version\":{version},\"brokerEpoch\":{epoch}}}"),
            None => format!("{{\"version\":{version},\"brokerEpoch\":null}}"),
        }
    }

    /// Reads the text of the file.
    ///
    /// ```
    /// use partition_log::format::clean_shutdown::CleanShutdown;
    ///
    /// let marker = CleanShutdown::parse(r#"{"version":0,"brokerEpoch":62}"#)?;
    /// assert_eq!(marker.broker_epoch, Some(62));
    /// assert_eq!(marker.to_text(), r#"{"version":0,"brokerEpoch":62}"#);
    /// # Ok::<(), partition_log::format::clean_shutdown::CleanShutdownFault>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`CleanShutdownFault`], for an empty file, too.
    #[cfg(feature = "std")]
    pub fn parse(text: &str) -> Result<CleanShutdown, CleanShutdownFault> {
        let json: serde_json::Value = serde_json::from_str(text).map_err(|error| CleanShutdownFault::Json {
            line: error.line(),
            column: error.column(),
        })?;
        let fault = |name| CleanShutdownFault::Field { name };
        let version = json.get("version").and_then(serde_json::Value::as_i64);
        let version = version.and_then(|version| i32::try_from(version).ok());
        let broker_epoch = match json.get("brokerEpoch") {
            None | Some(serde_json::Value::Null) => None,
            Some(epoch) => Some(epoch.as_i64().ok_or(fault("brokerEpoch"))?),
        };
        Ok(CleanShutdown {
            version: version.ok_or(fault("version"))?,
            broker_epoch,
        })
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn a_marker_that_cannot_be_read_says_why() {
        let fault = |text| CleanShutdown::parse(text).expect_err(text).to_string();
        assert_eq!(fault(""), "line 1, column 0: not JSON");
        assert_eq!(fault("[]"), "\"version\" is no whole number");
        assert_eq!(
            fault(r#"{"version":0,"brokerEpoch":"1"}"#),
            "\"brokerEpoch\" is no whole number"
        );
    }
}
