//! One tab: what a test does in it, and asks of it.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::key::Key;
use fantoccini::wd::WebDriverCompatibleCommand;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::server::{Address, Site};

/// A line of the browser's console.
#[derive(Clone, Debug, Deserialize)]
pub struct LogLine {
    /// SEVERE, WARNING, INFO, …
    pub level: String,
    /// Where it comes from and what it says.
    pub message: String,
}

/// A tab, for the time of a test. Everything that fails here fails the test, with what was asked for.
pub struct Tab<'a> {
    browser: &'a Browser,
}

impl<'a> Tab<'a> {
    pub(crate) fn new(browser: &'a Browser) -> Self {
        Self { browser }
    }

    /// What every test starts from: a desktop's viewport, and the probe in each document.
    pub(crate) fn prepare(&self) {
        self.cdp("Page.bringToFront", json!({}));
        self.cdp(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": include_str!("probe.js") }),
        );
        self.size(1440, 900);
        self.log();
    }

    /// Puts a site on the server.
    pub fn site(&self, site: Site) -> Address {
        self.browser.server().open(site)
    }

    /// The folder of the finished page.
    pub fn dist(&self) -> &Path {
        self.browser.server().dist()
    }

    /// Makes the viewport so wide and high, in px.
    pub fn size(&self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.cdp("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Emulates media features, e.g. `prefers-reduced-motion: reduce`.
    pub fn prefer(&self, features: &[(&str, &str)]) {
        let features: Vec<Value> = features
            .iter()
            .map(|(name, value)| json!({ "name": name, "value": value }))
            .collect();
        self.cdp("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Opens a URL and waits until it has loaded.
    pub fn open(&self, url: &str) {
        self.browser
            .wait(&format!("open {url}"), self.browser.client().goto(url));
    }

    /// Opens a URL and waits until the element's first frame is on screen.
    pub fn open_playing(&self, url: &str) {
        self.open(url);
        self.until("probe.shown()");
    }

    /// The value of an expression, which may be a promise. `args` are its `arguments`.
    pub fn ask_with<T: DeserializeOwned>(&self, expression: &str, args: Vec<Value>) -> T {
        let script = format!(
            "const done = arguments[arguments.length - 1];
            (async () => ({expression}))().then((value) => done({{ value: value ?? null }}), (error) => done({{ error: String(error) }}));"
        );
        let answer = self.browser.wait(
            &format!("answer {expression}"),
            self.browser.client().execute_async(&script, args),
        );
        if let Some(error) = answer.get("error") {
            panic!("{expression}: {error}");
        }
        serde_json::from_value(answer["value"].clone())
            .unwrap_or_else(|error| panic!("{expression} gave {}: {error}", answer["value"]))
    }

    /// The value of an expression, which may be a promise.
    pub fn ask<T: DeserializeOwned>(&self, expression: &str) -> T {
        self.ask_with(expression, Vec::new())
    }

    /// Questions go to the page's first frame from here on.
    pub fn enter_frame(&self) {
        self.browser
            .wait("enter the frame", self.browser.client().enter_frame(0));
    }

    /// Waits for a condition outside the browser, looked at once a frame; false when it never came.
    pub fn wait_for(&self, condition: impl Fn() -> bool) -> bool {
        let end = Instant::now() + Duration::from_secs(10);
        while !condition() {
            if Instant::now() > end {
                return false;
            }
            self.run("await probe.frame()");
        }
        true
    }

    /// Runs statements in the page.
    pub fn run(&self, statements: &str) {
        self.ask::<Value>(&format!("await (async () => {{ {statements} }})()"));
    }

    /// Waits until an expression is true.
    pub fn until(&self, condition: &str) {
        self.ask::<Value>(&format!("void await probe.until(() => {condition})"));
    }

    /// Clicks the element that an expression gives, with the mouse.
    pub fn click(&self, element: &str) {
        let (x, y): (f64, f64) = self.ask(&format!("probe.target({element})"));
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.cdp("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses and releases a key.
    pub fn press(&self, key: impl Into<char>) {
        self.chord(&[], key);
    }

    /// Presses and releases a key while others are held.
    pub fn chord(&self, held: &[Key], key: impl Into<char>) {
        let key = key.into();
        let mut keys = KeyActions::new(String::from("keys"));
        for &held in held {
            keys = keys.then(KeyAction::Down { value: held.into() });
        }
        keys = keys
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key });
        for &held in held.iter().rev() {
            keys = keys.then(KeyAction::Up { value: held.into() });
        }
        self.browser
            .wait("press a key", self.browser.client().perform_actions(keys));
    }

    /// Presses the keys of a text one after the other.
    pub fn type_text(&self, text: &str) {
        for key in text.chars() {
            self.press(key);
        }
    }

    /// Goes back in the tab's history.
    pub fn back(&self) {
        self.browser.wait("go back", self.browser.client().back());
    }

    /// What the console got since it was asked last.
    pub fn log(&self) -> Vec<LogLine> {
        let answer = self.command("se/log", json!({ "type": "browser" }));
        serde_json::from_value(answer).expect("a log is a list of lines")
    }

    /// Fails if the console got errors or warnings since it was asked last.
    pub fn assert_quiet_console(&self) {
        self.assert_console_says_only(&[]);
    }

    /// The same, where the browser itself writes a line about each of these files that a server does not have.
    pub fn assert_console_says_only(&self, missing: &[&str]) {
        let known = |line: &LogLine| {
            missing
                .iter()
                .any(|file| line.message.contains(file) && line.message.contains("404"))
        };
        let loud: Vec<LogLine> = self
            .log()
            .into_iter()
            .filter(|line| (line.level == "SEVERE" || line.level == "WARNING") && !known(line))
            .collect();
        assert!(loud.is_empty(), "the console says {loud:#?}");
    }

    /// A command of the DevTools protocol.
    pub fn cdp(&self, command: &str, parameters: Value) -> Value {
        self.command("goog/cdp/execute", json!({ "cmd": command, "params": parameters }))
    }

    fn command(&self, path: &'static str, body: Value) -> Value {
        let command = Command { path, body };
        let what = format!("carry out {path} {}", command.body);
        self.browser.wait(&what, self.browser.client().issue_cmd(command))
    }

    /// A picture of a failed test's tab, in the folder that cargo keeps for tests.
    pub(crate) fn keep_a_picture(&self) {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("failed-page.png");
        let shot = self.browser.wait("take a picture", self.browser.client().screenshot());
        if fs::write(&file, shot).is_ok() {
            eprintln!("the tab of the failed test is in {}", file.display());
        }
    }
}

/// A command that only Chromium's driver knows.
#[derive(Debug)]
struct Command {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Command {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
