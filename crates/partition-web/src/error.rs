//! What a call refuses, as JavaScript sees it: an `Error` with a stable `code`, and a place where there is one.

use wasm_bindgen::prelude::*;

/// A refusal: `code` for programs, `message` for people, the place in the scenario's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodError {
    /// Stable, in kebab case.
    pub code: String,
    /// What is wrong, and the remedy.
    pub message: String,
    /// Line and column, from 1.
    pub place: Option<(u32, u32)>,
}

impl PodError {
    fn new(code: &str, message: impl Into<String>) -> PodError {
        PodError {
            code: code.to_string(),
            message: message.into(),
            place: None,
        }
    }

    /// No demo has this id.
    pub fn unknown_demo(demo: &str) -> PodError {
        let known: Vec<&str> = partition_story::demos().iter().map(|known| known.id).collect();
        PodError::new(
            "unknown-demo",
            format!("there is no demo `{demo}`; there are {}", known.join(", ")),
        )
    }

    /// A step was asked for before anything was loaded.
    pub fn nothing_loaded() -> PodError {
        PodError::new("nothing-loaded", "load a demo or a scenario first")
    }

    /// No file belongs to the key.
    pub fn no_file(key: &str) -> PodError {
        PodError::new("no-file", format!("no file belongs to `{key}` at this step"))
    }

    /// The inputs are no object of texts.
    pub fn inputs() -> PodError {
        PodError::new("inputs", "inputs are an object of texts, such as {offset: \"9\"}")
    }

    /// As a JavaScript `Error`.
    pub fn to_js(&self) -> JsValue {
        let error = js_sys::Error::new(&self.message);
        let set = |key: &str, value: JsValue| {
            // An Error is an ordinary, extensible object, so this cannot fail.
            let _ = js_sys::Reflect::set(&error, &key.into(), &value);
        };
        set("code", self.code.as_str().into());
        if let Some((line, column)) = self.place {
            set("line", line.into());
            set("column", column.into());
        }
        error.into()
    }
}

impl From<&partition_story::ScenarioError> for PodError {
    fn from(error: &partition_story::ScenarioError) -> PodError {
        PodError {
            code: error.problem.code().to_string(),
            message: error.to_string(),
            place: error.place.map(|place| (place.line as u32, place.column as u32)),
        }
    }
}
