//! Chromium, driven through ChromeDriver; both are started here and stopped here.

use std::env;
use std::future::Future;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use fantoccini::wd::{Capabilities, WindowHandle};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use tokio::runtime::{Builder, Runtime};

use crate::server::Server;
use crate::tab::Tab;

/// No single command takes longer, except when the browser hangs.
const DEADLINE: Duration = Duration::from_secs(30);

/// Chromium's flags: no window, no connections of its own. Without the sandbox, for it cannot run as root, and every page here is ours.
const FLAGS: [&str; 11] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--force-device-scale-factor=1",
    "--font-render-hinting=none",
];

/// The browser, and the server that it looks at.
pub struct Browser {
    runtime: Runtime,
    client: Client,
    home: WindowHandle,
    driver: Driver,
    server: Server,
}

impl Browser {
    /// Starts server, driver and browser.
    pub fn start() -> Result<Self, String> {
        let server = Server::start(&dist())?;
        let driver = Driver::start()?;
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| format!("no event loop: {error}"))?;
        let url = driver.url.clone();
        let client = runtime
            .block_on(async { tokio::time::timeout(DEADLINE, connect(&url)).await })
            .map_err(|_| String::from("Chromium did not start in time"))??;
        let home = runtime
            .block_on(client.window())
            .map_err(|error| format!("the browser has no window: {error}"))?;
        Ok(Self {
            runtime,
            client,
            home,
            driver,
            server,
        })
    }

    /// Runs a test in a tab of its own, which starts without any emulation and is closed afterwards.
    pub fn with_tab(&self, test: impl FnOnce(&Tab<'_>)) {
        let opened = self.wait("open a tab", self.client.new_window(true));
        self.wait("switch to the tab", self.client.switch_to_window(opened.handle));
        let tab = Tab::new(self);
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            tab.prepare();
            test(&tab);
        }));
        if outcome.is_err() {
            tab.keep_a_picture();
        }
        self.close_tabs();
        if let Err(panic) = outcome {
            std::panic::resume_unwind(panic);
        }
    }

    /// Waits for the driver's answer to one command.
    pub fn wait<T, E: std::fmt::Display>(&self, what: &str, answer: impl Future<Output = Result<T, E>>) -> T {
        match self
            .runtime
            .block_on(async { tokio::time::timeout(DEADLINE, answer).await })
        {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => panic!("cannot {what}: {error}"),
            Err(_) => panic!("the browser did not {what} in {DEADLINE:?}"),
        }
    }

    /// The driver's client.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    fn close_tabs(&self) {
        for window in self.wait("list its tabs", self.client.windows()) {
            if window != self.home {
                self.wait("switch to a tab", self.client.switch_to_window(window));
                self.wait("close a tab", self.client.close_window());
            }
        }
        self.wait("go home", self.client.switch_to_window(self.home.clone()));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Chromium goes with its session; the driver's own end is the fallback.
        let closing = self.client.clone().close();
        let _ = self
            .runtime
            .block_on(async { tokio::time::timeout(DEADLINE, closing).await });
        self.driver.stop();
    }
}

/// Where the finished page is.
fn dist() -> PathBuf {
    env::var_os("POD_DIST").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../dist")),
        PathBuf::from,
    )
}

async fn connect(url: &str) -> Result<Client, String> {
    let chromium = env::var("POD_CHROMIUM").unwrap_or_else(|_| String::from("/usr/bin/chromium"));
    let wishes = json!({
        "browserName": "chrome",
        "goog:loggingPrefs": { "browser": "ALL" },
        "goog:chromeOptions": { "binary": chromium, "args": FLAGS },
        // A wait inside the page ends by itself before the driver gives up on it.
        "timeouts": { "script": 20_000, "pageLoad": 20_000 },
    });
    let serde_json::Value::Object(wishes) = wishes else {
        unreachable!("a JSON object stands above")
    };
    ClientBuilder::new(HttpConnector::new())
        .capabilities(Capabilities::from_iter(wishes))
        .connect(url)
        .await
        .map_err(|error| format!("Chromium does not start: {error}"))
}

/// The running ChromeDriver.
struct Driver {
    process: Child,
    url: String,
    /// Kept open: the driver dies when it cannot print.
    _output: BufReader<ChildStdout>,
}

impl Driver {
    /// Starts the driver on a port that it chooses.
    fn start() -> Result<Self, String> {
        let program = env::var_os("POD_CHROMEDRIVER").unwrap_or_else(|| "/usr/bin/chromedriver".into());
        let mut process = Command::new(&program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{} does not start: {error}", program.display()))?;
        let mut output = BufReader::new(process.stdout.take().expect("asked for above"));
        let mut said = String::new();
        loop {
            let mut line = String::new();
            if !output.read_line(&mut line).is_ok_and(|length| length > 0) {
                let _ = process.kill();
                let _ = process.wait();
                return Err(format!("{} ended without a port: {said}", program.display()));
            }
            if let Some((_, port)) = line.split_once("started successfully on port ") {
                return Ok(Self {
                    process,
                    url: format!("http://127.0.0.1:{}", port.trim().trim_end_matches('.')),
                    _output: output,
                });
            }
            said += &line;
        }
    }

    fn stop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
