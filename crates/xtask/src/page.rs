//! The page's HTML and what it loads beside scripts and wasm.

use std::path::Path;

use anyhow::Result;

use crate::process;

/// What the page is made from.
pub struct PageInputs<'a> {
    /// Where the page will live, for the links that have to be absolute; unknown in a local build.
    pub base_url: Option<&'a str>,
}

/// Writes `index.html` and the recordings into the folder, which has `pod.js` and `pod.css` already.
pub fn write(folder: &Path, inputs: &PageInputs) -> Result<()> {
    let canonical = inputs
        .base_url
        .map(|url| format!("<link rel=\"canonical\" href=\"{url}\">\n"))
        .unwrap_or_default();
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Partition on Disk</title>\n{canonical}\
         <link rel=\"stylesheet\" href=\"pod.css\">\n<script type=\"module\" src=\"pod.js\"></script>\n\
         <partition-on-disk></partition-on-disk>\n</html>\n"
    );
    process::write(&folder.join("index.html"), page)
}
