//! The shape of the repository, held by tests: who may know whom, where colours stand, where links lead.

mod colours;
mod errors;
mod layers;
mod links;
mod sources;
mod tree;
