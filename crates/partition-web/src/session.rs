//! One demo or scenario, played: what JavaScript calls.

use partition_log::disk::Vfs;
use partition_story::{Demo, InputValues, NearestInputs, Scenario, Story, demos, panel, parse};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use crate::convert;
use crate::error::PodError;
use crate::views;

/// Makes a panic reach the console with its message, once the module is there.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// The demos, in the order of the list.
///
/// # Errors
///
/// None that a reader can cause; the type is that of every call.
#[wasm_bindgen(js_name = demos, unchecked_return_type = "DemoInfo[]")]
pub fn demo_list() -> Result<JsValue, JsValue> {
    to_js(&demos().iter().map(convert::demo_info).collect::<Vec<_>>())
}

/// The inputs of a demo that come nearest to those asked for, and what was wrong with these.
///
/// # Errors
///
/// An unknown demo.
#[wasm_bindgen(unchecked_return_type = "NearestInputs")]
pub fn nearest_inputs(
    demo: &str,
    #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] inputs: JsValue,
) -> Result<JsValue, JsValue> {
    nearest_inputs_of_text(find(demo)?.text, inputs)
}

/// The same for a scenario by its text.
///
/// # Errors
///
/// What the scenario language refuses, with line and column.
#[wasm_bindgen(unchecked_return_type = "NearestInputs")]
pub fn nearest_inputs_of_text(
    text: &str,
    #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] inputs: JsValue,
) -> Result<JsValue, JsValue> {
    let asked = input_values(&inputs).ok_or_else(|| PodError::inputs().to_js())?;
    let scenario = parse(text).map_err(|error| PodError::from(&error).to_js())?;
    let NearestInputs { values, problems } = NearestInputs::of(&scenario, &asked);
    to_js(&views::NearestInputs {
        inputs: values.into(),
        problems,
    })
}

/// A story and the step that was asked for last.
#[wasm_bindgen]
#[derive(Default)]
pub struct Session {
    story: Option<Loaded>,
}

struct Loaded {
    story: Story,
    index: usize,
}

#[wasm_bindgen]
impl Session {
    /// Nothing loaded yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Session {
        Session::default()
    }

    /// Loads a demo by its id.
    ///
    /// # Errors
    ///
    /// An unknown demo or a bad input value; what was loaded before stays.
    #[wasm_bindgen(unchecked_return_type = "Outline")]
    pub fn load(
        &mut self,
        demo: &str,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] inputs: JsValue,
    ) -> Result<JsValue, JsValue> {
        let found = find(demo)?;
        self.open(found.id, found.text, inputs)
    }

    /// Loads a scenario from its text.
    ///
    /// # Errors
    ///
    /// What the scenario language refuses, with line and column; what was loaded before stays.
    #[wasm_bindgen(unchecked_return_type = "Outline")]
    pub fn load_text(
        &mut self,
        text: &str,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] inputs: JsValue,
    ) -> Result<JsValue, JsValue> {
        self.open("", text, inputs)
    }

    /// Number of steps; 0 before something was loaded.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.story.as_ref().map_or(0, |loaded| loaded.story.len())
    }

    /// A step, drawn for a scene so many px wide; an index past the end gives the last step.
    ///
    /// # Errors
    ///
    /// Nothing is loaded.
    #[wasm_bindgen(unchecked_return_type = "StepView")]
    pub fn step(&mut self, index: usize, width: u32) -> Result<JsValue, JsValue> {
        let loaded = self.story.as_mut().ok_or_else(|| PodError::nothing_loaded().to_js())?;
        loaded.index = index.min(loaded.story.len().saturating_sub(1));
        to_js(&convert::step_view(&mut loaded.story, loaded.index, width))
    }

    /// The bytes behind a key of the picture, at the step that was asked for last; undefined where there are none.
    ///
    /// # Errors
    ///
    /// Nothing is loaded.
    #[wasm_bindgen(unchecked_return_type = "Panel | undefined")]
    pub fn inspect(&mut self, key: &str) -> Result<JsValue, JsValue> {
        let loaded = self.story.as_mut().ok_or_else(|| PodError::nothing_loaded().to_js())?;
        let state = loaded.story.state(loaded.index);
        to_js(&panel::of_key(key, &state))
    }

    /// The bytes of the file behind a key, as long as Kafka would have it on disk, at the step that was asked for last.
    ///
    /// # Errors
    ///
    /// Nothing is loaded, or no file belongs to the key.
    pub fn file_bytes(&mut self, key: &str) -> Result<js_sys::Uint8Array, JsValue> {
        self.file(key).map(|bytes| js_sys::Uint8Array::from(bytes.as_slice()))
    }

    /// The same file, to be saved.
    ///
    /// # Errors
    ///
    /// As [`Session::file_bytes`].
    pub fn download(&mut self, key: &str) -> Result<web_sys::Blob, JsValue> {
        let bytes = self.file(key)?;
        let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes.as_slice()));
        let options = web_sys::BlobPropertyBag::new();
        options.set_type("application/octet-stream");
        web_sys::Blob::new_with_u8_array_sequence_and_options(&parts, &options)
    }
}

impl Session {
    fn open(&mut self, demo: &str, text: &str, inputs: JsValue) -> Result<JsValue, JsValue> {
        let values = input_values(&inputs).ok_or_else(|| PodError::inputs().to_js())?;
        let scenario: Scenario = parse(text).map_err(|error| PodError::from(&error).to_js())?;
        let mut story = Story::run_unchecked(&scenario, &values).map_err(|error| PodError::from(&error).to_js())?;
        let outline = convert::outline(demo, scenario.title().unwrap_or("Scenario"), &mut story);
        self.story = Some(Loaded { story, index: 0 });
        to_js(&outline)
    }

    fn file(&mut self, key: &str) -> Result<Vec<u8>, JsValue> {
        let loaded = self.story.as_mut().ok_or_else(|| PodError::nothing_loaded().to_js())?;
        let state = loaded.story.state(loaded.index);
        let found = panel::file_of_key(key, &state).and_then(|file| {
            let length = state.files().apparent_size(file)?;
            state.files().read_at(file, 0, length).ok()
        });
        found.ok_or_else(|| PodError::no_file(key).to_js())
    }
}

fn find(demo: &str) -> Result<&'static Demo, JsValue> {
    Demo::find(demo).ok_or_else(|| PodError::unknown_demo(demo).to_js())
}

/// The texts of an object; none where there is no object, `None` where something else than a text is in it.
fn input_values(inputs: &JsValue) -> Option<InputValues> {
    if inputs.is_undefined() || inputs.is_null() {
        return Some(InputValues::defaults());
    }
    let entries = js_sys::Object::entries(inputs.dyn_ref::<js_sys::Object>()?);
    let mut values = InputValues::defaults();
    for entry in entries.iter() {
        let pair: js_sys::Array = entry.unchecked_into();
        values.set(&pair.get(0).as_string()?, &pair.get(1).as_string()?);
    }
    Some(values)
}

/// Plain objects and arrays, numbers as numbers, what is absent as null.
pub(crate) fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&Serializer::json_compatible())?)
}
