//! Host pages, as the tests' sites have them.

/// A page with this body, and the element's script; no script or style of its own, so that every policy lets it be.
pub fn page(body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Host</title>
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
        <script type=\"module\" src=\"pod.js\"></script>{body}"
    )
}

/// A page with one element and these attributes, which fetches the model right after the first frame.
pub fn element(attributes: &str) -> String {
    page(&format!(
        "<partition-on-disk loading=\"eager\" live=\"eager\" {attributes}>The fallback.</partition-on-disk>"
    ))
}
