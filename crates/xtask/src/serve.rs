//! A server for the finished page, on loopback only.

use std::fs::File;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Component, Path, PathBuf};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use tiny_http::{Header, Method, Request, Response, Server};

const PORTS: std::ops::RangeInclusive<u16> = 8080..=8099;

/// A browser opens six connections to a host.
const THREADS: usize = 6;

/// Serves the folder until the program is stopped.
pub fn serve(folder: &Path, port: Option<u16>) -> Result<()> {
    if !folder.join("index.html").is_file() {
        bail!(
            "there is no page in {}: run `cargo xtask build`, or `serve` without --no-build",
            folder.display()
        );
    }
    let server = Server::from_listener(listen(port)?, None).map_err(|error| anyhow!("cannot serve: {error}"))?;
    println!(
        "Partition on Disk is at http://{}/ (Ctrl-C stops)",
        server.server_addr()
    );
    io::stdout().flush()?;
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for request in server.incoming_requests() {
                    // The only failure left is a browser that went away.
                    let _ = answer(folder, request);
                }
            });
        }
    });
    Ok(())
}

fn listen(port: Option<u16>) -> Result<TcpListener> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    match port {
        Some(port) => bind(port).with_context(|| format!("cannot listen on port {port}: choose another with --port")),
        None => PORTS.into_iter().find_map(|port| bind(port).ok()).with_context(|| {
            format!(
                "no port from {} to {} is free: choose one with --port",
                PORTS.start(),
                PORTS.end()
            )
        }),
    }
}

fn answer(folder: &Path, request: Request) -> io::Result<()> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(Response::from_string("only GET and HEAD").with_status_code(405));
    }
    let Some((file, content)) = find(folder, request.url())
        .and_then(|file| Some((File::open(&file).ok()?, file)))
        .map(|(content, file)| (file, content))
    else {
        return request.respond(Response::from_string("not found").with_status_code(404));
    };
    let mut response = Response::from_file(content);
    response.add_header(header("Content-Type", &media_type(&file)));
    // A rebuilt page has the same names.
    response.add_header(header("Cache-Control", "no-cache"));
    request.respond(response)
}

/// The file inside the folder that a URL means; none outside of it.
fn find(folder: &Path, url: &str) -> Option<PathBuf> {
    let path = Path::new(url.split(['?', '#']).next()?.trim_start_matches('/'));
    if !path
        .components()
        .all(|component| matches!(component, Component::Normal(_)))
    {
        return None;
    }
    let file = folder.join(path);
    let file = if file.is_dir() { file.join("index.html") } else { file };
    file.is_file().then_some(file)
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
    Header::from_bytes(name, value).expect("names and values above are plain ASCII")
}

#[cfg(test)]
mod tests {
    use super::{find, media_type};
    use std::path::Path;

    /// This crate's own folder serves as an example.
    fn example() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn a_file_is_found_by_its_path_whatever_the_query() {
        assert_eq!(
            find(example(), "/src/serve.rs?v=2"),
            Some(example().join("src/serve.rs"))
        );
        assert_eq!(find(example(), "/src/absent.rs"), None);
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        for url in [
            "/../xtask/Cargo.toml",
            "/src/../Cargo.toml",
            "//etc/passwd",
            "/%2e%2e/Cargo.toml",
        ] {
            assert_eq!(find(example(), url), None, "{url}");
        }
    }

    #[test]
    fn wasm_has_the_type_that_streaming_compilation_asks_for() {
        assert_eq!(media_type(Path::new("pod.wasm")), "application/wasm");
    }
}
