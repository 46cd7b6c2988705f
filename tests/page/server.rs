//! A server for the finished page, on loopback: each test has a site of its own, with the headers, pages and failures that it asks for.

use std::collections::BTreeMap;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

use tiny_http::{Header, Request, Response};

/// A browser opens six connections to a host.
const THREADS: usize = 6;

/// What a site gives instead of a file of the finished page, or beside them.
#[derive(Clone)]
struct Reply {
    status: u16,
    media_type: String,
    body: Vec<u8>,
}

/// The finished page as one host serves it.
#[derive(Clone, Default)]
pub struct Site {
    headers: Vec<(&'static str, String)>,
    replies: BTreeMap<String, Reply>,
}

impl Site {
    /// The finished page as it is.
    pub fn new() -> Self {
        Self::default()
    }

    /// Everything comes with this content security policy.
    pub fn policy(mut self, policy: &str) -> Self {
        self.headers.push(("Content-Security-Policy", String::from(policy)));
        self
    }

    /// A page of the host's own.
    pub fn page(self, path: &str, html: &str) -> Self {
        self.reply(path, 200, "text/html; charset=utf-8", html.as_bytes().to_vec())
    }

    /// A file that the host does not have.
    pub fn without(self, path: &str) -> Self {
        self.reply(path, 404, "text/plain; charset=utf-8", b"not found".to_vec())
    }

    /// An answer of the host's own under a path.
    pub fn reply(mut self, path: &str, status: u16, media_type: &str, body: Vec<u8>) -> Self {
        let reply = Reply {
            status,
            media_type: String::from(media_type),
            body,
        };
        self.replies.insert(String::from(path), reply);
        self
    }
}

#[derive(Default)]
struct Sites {
    sites: Vec<Site>,
    /// Path below each site, in the order asked for.
    asked: Vec<Vec<String>>,
}

/// Serves sites until the program ends.
pub struct Server {
    origin: String,
    dist: PathBuf,
    sites: Arc<Mutex<Sites>>,
}

/// Where a site is.
#[derive(Clone)]
pub struct Address {
    number: usize,
    /// The URL of its root, with a slash at the end.
    pub root: String,
    sites: Arc<Mutex<Sites>>,
}

impl Address {
    /// The URL of a path on the site.
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.root)
    }

    /// The paths with this beginning that the browser asked for, in its order.
    pub fn asked(&self, beginning: &str) -> Vec<String> {
        let sites = self.sites.lock().expect("no thread panics with the lock");
        let asked = sites.asked[self.number].iter();
        asked.filter(|path| path.starts_with(beginning)).cloned().collect()
    }

    /// How often the browser asked for a path.
    pub fn asked_for(&self, path: &str) -> usize {
        let sites = self.sites.lock().expect("no thread panics with the lock");
        sites.asked[self.number].iter().filter(|asked| *asked == path).count()
    }
}

impl Server {
    /// Starts on a free port.
    pub fn start(dist: &Path) -> Result<Self, String> {
        if !dist.join("index.html").is_file() {
            return Err(format!(
                "there is no page in {}: run `cargo xtask build`",
                dist.display()
            ));
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|error| format!("no free port: {error}"))?;
        let server =
            tiny_http::Server::from_listener(listener, None).map_err(|error| format!("cannot serve: {error}"))?;
        let server = Arc::new(server);
        let sites = Arc::new(Mutex::new(Sites::default()));
        for _ in 0..THREADS {
            let (server, sites, dist) = (Arc::clone(&server), Arc::clone(&sites), dist.to_path_buf());
            thread::spawn(move || {
                for request in server.incoming_requests() {
                    // A failure here is a tab that was closed meanwhile.
                    let _ = answer(&sites, &dist, request);
                }
            });
        }
        Ok(Self {
            origin: format!("http://{}", server.server_addr()),
            dist: dist.to_path_buf(),
            sites,
        })
    }

    /// The folder of the finished page.
    pub fn dist(&self) -> &Path {
        &self.dist
    }

    /// Puts a site on the server.
    pub fn open(&self, site: Site) -> Address {
        let mut sites = self.sites.lock().expect("no thread panics with the lock");
        sites.sites.push(site);
        sites.asked.push(Vec::new());
        let number = sites.sites.len() - 1;
        Address {
            number,
            root: format!("{}/{number}/", self.origin),
            sites: Arc::clone(&self.sites),
        }
    }
}

fn answer(sites: &Mutex<Sites>, dist: &Path, request: Request) -> std::io::Result<()> {
    let url = request.url().split(['?', '#']).next().unwrap_or_default();
    if url == "/favicon.ico" {
        // Host pages without an icon: the browser asks for one all the same.
        return request.respond(Response::empty(204));
    }
    let (number, path) = url.trim_start_matches('/').split_once('/').unwrap_or_default();
    let path = if path.is_empty() { "index.html" } else { path };
    let (site, reply) = {
        let mut sites = sites.lock().expect("no thread panics with the lock");
        let site = number.parse().ok().and_then(|at: usize| {
            sites.asked.get_mut(at)?.push(String::from(path));
            sites.sites.get(at).cloned()
        });
        let Some(site) = site else {
            return request.respond(Response::from_string("no such site").with_status_code(404));
        };
        let reply = site.replies.get(path).cloned();
        (site, reply)
    };
    let reply = reply.unwrap_or_else(|| of_the_page(dist, path));
    let mut response = Response::from_data(reply.body).with_status_code(reply.status);
    response.add_header(header("Content-Type", &reply.media_type));
    response.add_header(header("Cache-Control", "no-store"));
    for (name, value) in &site.headers {
        response.add_header(header(name, value));
    }
    request.respond(response)
}

/// A file of the finished page.
fn of_the_page(dist: &Path, path: &str) -> Reply {
    let relative = Path::new(path);
    let inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
    match inside.then(|| fs::read(dist.join(relative))) {
        Some(Ok(body)) => Reply {
            status: 200,
            media_type: media_type(relative),
            body,
        },
        _ => Reply {
            status: 404,
            media_type: String::from("text/plain; charset=utf-8"),
            body: b"not found".to_vec(),
        },
    }
}

/// What a browser takes a file for; every text here is UTF-8.
fn media_type(file: &Path) -> String {
    let media_type = mime_guess::from_path(file).first_or_octet_stream();
    match media_type.type_() == mime_guess::mime::TEXT {
        true => format!("{media_type}; charset=utf-8"),
        false => media_type.to_string(),
    }
}

fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("headers of tests are plain ASCII")
}
