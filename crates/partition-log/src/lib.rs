//! How Apache Kafka stores one partition, decided and written to the byte.
