//! The finished page in a browser: what a reader sees, hears and can do, in all arrangements and under the policies of host pages.
//!
//! `cargo xtask test` builds the page and runs this suite. By hand: `cargo test -p partition-tests --features browser --test page [name]`,
//! with the page in `dist/`, or wherever `POD_DIST` says; `POD_CHROMIUM` and `POD_CHROMEDRIVER` name other programs than Debian's.

mod browser;
mod contrast;
mod host;
mod hosts;
mod inspector;
mod keys;
mod links;
mod motion;
mod need;
mod numbers;
mod played;
mod policies;
mod server;
mod tab;
mod without;

use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use libtest_mimic::{Arguments, Failed, Trial};

use crate::browser::Browser;
use crate::tab::Tab;

/// A test: its name, which is what it claims, and what it does in a fresh tab.
pub struct Test {
    name: String,
    run: Box<dyn FnOnce(&Tab<'_>) + Send>,
}

impl Test {
    /// A test by name.
    pub fn new(name: impl Into<String>, run: impl FnOnce(&Tab<'_>) + Send + 'static) -> Self {
        Self {
            name: name.into(),
            run: Box::new(run),
        }
    }
}

/// The tests of each file.
fn files() -> Vec<(&'static str, Vec<Test>)> {
    vec![
        ("played", played::tests()),
        ("numbers", numbers::tests()),
        ("keys", keys::tests()),
        ("policies", policies::tests()),
        ("motion", motion::tests()),
        ("need", need::tests()),
        ("links", links::tests()),
        ("hosts", hosts::tests()),
        ("inspector", inspector::tests()),
        ("without", without::tests()),
        ("contrast", contrast::tests()),
    ]
}

/// Starts with the first test that runs; a browser that does not start fails every test with the reason.
type Shared = Arc<Mutex<Option<Result<Browser, String>>>>;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // One browser, one tab at a time: only the tab in front draws frames.
    arguments.test_threads = Some(1);
    let shared = Shared::default();
    let trials = files().into_iter().flat_map(|(file, tests)| {
        let shared = &shared;
        tests.into_iter().map(move |Test { name, run }| {
            let shared = Arc::clone(shared);
            Trial::test(format!("{file}::{name}"), move || in_browser(&shared, run))
        })
    });
    let outcome = libtest_mimic::run(&arguments, trials.collect());
    // Stops the browser, whatever the outcome.
    drop(shared.lock().unwrap_or_else(PoisonError::into_inner).take());
    outcome.exit_code()
}

fn in_browser(shared: &Shared, test: impl FnOnce(&Tab<'_>)) -> Result<(), Failed> {
    let mut browser = shared.lock().unwrap_or_else(PoisonError::into_inner);
    match browser.get_or_insert_with(Browser::start) {
        Ok(browser) => {
            browser.with_tab(test);
            Ok(())
        }
        Err(reason) => Err(reason.as_str().into()),
    }
}
