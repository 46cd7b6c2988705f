//! The model and its pictures for the browser.
