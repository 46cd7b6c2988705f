//! What Apache Kafka's own unit tests pin down, case by case, said of the model.
//!
//! Each test bears the number of its case, and its file the name of the class in Kafka that has it. Numbers are typed by
//! hand from those cases; where Kafka 4.4.0 answers otherwise than the case says, a comment tells. The cases that no test has
//! are listed in `complete`, each with the reason.

mod batches;
mod complete;
mod deletion;
mod indexes;
mod log;
mod producers;
mod reading;
mod recovery;
mod rolling;
mod segment;
mod starts;
mod timestamps;
mod transaction_index;
mod transactions;
mod truncation;
mod validation;
mod watermarks;
