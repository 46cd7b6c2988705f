//! The workloads for JavaScript, which has the clock.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::{Prepared, Workload};

/// Names of all workloads, in the order of the table.
#[wasm_bindgen]
pub fn names() -> Vec<String> {
    Workload::ALL.iter().map(Workload::name).collect()
}

/// A workload, ready to run.
#[wasm_bindgen]
pub struct Run(Prepared);

#[wasm_bindgen]
impl Run {
    /// Prepares the workload of this name; `undefined` if there is none.
    pub fn prepare(name: &str) -> Option<Run> {
        let workload = Workload::ALL.iter().find(|workload| workload.name() == name)?;
        Some(Run(workload.prepare()))
    }

    /// How many operations it is good for; then it has to be renewed.
    pub fn left(&self) -> f64 {
        self.0.left() as f64
    }

    /// Makes it good for more operations, which is not to be measured.
    pub fn renew(&mut self) {
        self.0.renew();
    }

    /// Does so many of its operations.
    pub fn run(&mut self, times: u32) -> f64 {
        self.0.run(u64::from(times)) as f64
    }
}
