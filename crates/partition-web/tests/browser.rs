//! The same demos through the calls that the page makes, in a browser: sentences and bytes against the native goldens.
#![cfg(target_arch = "wasm32")]

use std::fmt::Write;

use js_sys::{Array, Object, Reflect};
use partition_web::session::{Session, demo_list};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const GOLDENS: [(&str, &str); 7] = [
    ("find-offset", include_str!("golden/find-offset.txt")),
    ("batches", include_str!("golden/batches.txt")),
    ("append-and-roll", include_str!("golden/append-and-roll.txt")),
    ("find-time", include_str!("golden/find-time.txt")),
    ("retention-time", include_str!("golden/retention-time.txt")),
    ("retention-size", include_str!("golden/retention-size.txt")),
    ("consumer-offset", include_str!("golden/consumer-offset.txt")),
];

fn get(value: &JsValue, key: &str) -> JsValue {
    Reflect::get(value, &key.into()).expect("an object")
}

fn text(value: &JsValue, key: &str) -> Option<String> {
    get(value, key).as_string()
}

fn list(value: &JsValue, key: &str) -> Vec<JsValue> {
    get(value, key)
        .dyn_into::<Array>()
        .map(|array| array.to_vec())
        .unwrap_or_default()
}

fn transcript(session: &mut Session) -> String {
    let mut out = String::new();
    for index in 0..session.length() {
        let step = session.step(index, 704).expect("a demo is loaded");
        let sentence: String = list(&step, "sentence")
            .iter()
            .filter_map(|span| text(span, "text"))
            .collect();
        writeln!(out, "{} {sentence}", index + 1).expect("a string takes it");
        let panel = get(&step, "panel");
        if panel.is_undefined() {
            continue;
        }
        for row in list(&panel, "sections")
            .iter()
            .flat_map(|section| list(section, "rows"))
        {
            let cells: Vec<String> = ["at", "hex", "name", "value", "answer"]
                .iter()
                .filter_map(|key| text(&row, key))
                .collect();
            writeln!(out, "    {}", cells.join(" | ")).expect("a string takes it");
        }
    }
    out
}

#[wasm_bindgen_test]
fn all_six_demos_play_to_the_end_as_they_do_natively() {
    let listed = demo_list().expect("the list of demos").unchecked_into::<Array>();
    assert_eq!(listed.length() as usize, GOLDENS.len());
    let mut session = Session::new();
    for (demo, golden) in GOLDENS {
        let outline = session.load(demo, Object::new().into()).expect("the demo loads");
        assert_eq!(get(&outline, "length").as_f64(), Some(session.length() as f64));
        assert_eq!(transcript(&mut session), golden, "{demo}");
    }
}

#[wasm_bindgen_test]
fn the_bytes_behind_a_key_are_kafkas_files() {
    let mut session = Session::new();
    session.load("find-offset", JsValue::UNDEFINED).expect("the demo loads");
    session.step(0, 704).expect("a first step");
    let log = session.file_bytes("file/6/log").expect("a file");
    assert_eq!(log.length(), 260);
    let index = session.file_bytes("file/6/index").expect("a file").to_vec();
    assert_eq!(index, [0, 0, 0, 2, 0, 0, 0, 115, 0, 0, 0, 4, 0, 0, 0, 200]);
    assert_eq!(
        session.file_bytes("file/17/index").expect("a file").length(),
        10_485_760,
        "preallocated"
    );
    assert_eq!(session.download("file/6/timeindex").expect("a blob").size(), 24.0);
    let record = session.inspect("record/9").expect("a panel");
    assert_eq!(
        text(&record, "subtitle").as_deref(),
        Some("Bytes 150 to 199 of 6.log, message format v1")
    );
    assert!(session.inspect("record/99").expect("no error").is_null_or_undefined());
    assert!(session.inspect("nonsense").expect("no error").is_null_or_undefined());
}

#[wasm_bindgen_test]
fn refusals_have_a_code_a_message_and_a_place() {
    let mut session = Session::new();
    let error = session.step(0, 704).expect_err("nothing is loaded");
    assert_eq!(text(&error, "code").as_deref(), Some("nothing-loaded"));
    session.load("find-offset", JsValue::UNDEFINED).expect("the demo loads");
    let length = session.length();
    let error = session
        .load("find-everything", JsValue::UNDEFINED)
        .expect_err("no such demo");
    assert_eq!(text(&error, "code").as_deref(), Some("unknown-demo"));
    let inputs = Object::new();
    Reflect::set(&inputs, &"offset".into(), &"99".into()).expect("an object");
    let error = session
        .load("find-offset", inputs.into())
        .expect_err("99 is out of range");
    assert!(text(&error, "message").expect("a message").contains("0 to 21"));
    let error = session
        .load_text("append 45B\nfetsch 3\n", JsValue::UNDEFINED)
        .expect_err("a typing slip");
    assert_eq!(
        (get(&error, "line").as_f64(), get(&error, "column").as_f64()),
        (Some(2.0), Some(1.0))
    );
    assert_eq!(session.length(), length, "what was loaded before is still there");
    assert!(session.file_bytes("record/x").is_err());
}

#[wasm_bindgen_test]
fn another_input_gives_another_story() {
    let mut session = Session::new();
    let inputs = Object::new();
    Reflect::set(&inputs, &"offset".into(), &"7".into()).expect("an object");
    session.load("find-offset", inputs.into()).expect("7 is in range");
    let last = session.step(session.length() - 1, 328).expect("a last step");
    let sentence: String = list(&last, "sentence")
        .iter()
        .filter_map(|span| text(span, "text"))
        .collect();
    assert!(sentence.contains('7'), "{sentence}");
    assert!(list(&get(&last, "scene"), "nodes").len() > 20);
}
