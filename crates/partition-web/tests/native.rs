//! The demos as the page gets them, without a browser: sentences and panels beside their golden files.
//!
//! `UPDATE_GOLDENS=1 cargo test -p partition-web --test native` writes them anew; read the difference as you would code.
#![cfg(not(target_arch = "wasm32"))]

use std::fmt::Write;
use std::path::Path;

use partition_story::{InputValues, Story, demos, parse};
use partition_web::convert;

/// One line a step, then one a row of the inspector.
fn transcript(text: &str) -> String {
    let scenario = parse(text).expect("a demo is well formed");
    let mut story = Story::run(&scenario, &InputValues::defaults()).expect("a demo runs");
    let mut out = String::new();
    for index in 0..story.len() {
        let step = convert::step_view(&mut story, index, 704);
        let sentence: String = step.sentence.iter().map(|span| span.text.as_str()).collect();
        writeln!(out, "{} {sentence}", index + 1).expect("a string takes it");
        for row in step
            .panel
            .iter()
            .flat_map(|panel| &panel.sections)
            .flat_map(|section| &section.rows)
        {
            let cells = [
                row.at.as_deref(),
                row.hex.as_deref(),
                Some(row.name.as_str()),
                Some(row.value.as_str()),
                row.answer.as_deref(),
            ];
            let cells: Vec<&str> = cells.into_iter().flatten().collect();
            writeln!(out, "    {}", cells.join(" | ")).expect("a string takes it");
        }
    }
    out
}

#[test]
fn each_demo_says_and_shows_what_its_golden_file_says() {
    let update = std::env::var_os("UPDATE_GOLDENS").is_some();
    for demo in demos() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{}.txt", demo.id));
        let found = transcript(demo.text);
        if update {
            std::fs::write(&path, &found).expect("the folder is there");
        }
        let golden = std::fs::read_to_string(&path).expect("a golden file for each demo");
        assert_eq!(found, golden, "{}", demo.id);
    }
}

#[test]
fn fields_count_in_the_unit_of_their_default() {
    let infos: Vec<_> = demos().iter().map(convert::demo_info).collect();
    let time = infos[3]
        .inputs
        .iter()
        .find(|input| input.name == "time")
        .expect("find-time has a time");
    assert_eq!(
        (time.value.as_str(), time.unit.as_deref(), time.min, time.max),
        ("31s", Some("s"), Some(0), Some(45))
    );
    let offset = &infos[0].inputs[0];
    assert_eq!(
        (offset.value.as_str(), offset.unit.as_deref(), offset.max),
        ("9", None, Some(21))
    );
    let reset = infos[6]
        .inputs
        .iter()
        .find(|input| input.name == "reset")
        .expect("consumer-offset has a policy");
    assert!(reset.choices.contains(&"earliest".to_string()));
}
