//! Scenes as SVG files: well-formed, complete alone, and the same as the pictures that were looked at and found good.
//!
//! `UPDATE_GOLDENS=1 cargo test -p partition-figure` writes the pictures anew; look at them before committing.

use std::path::PathBuf;

use partition_figure::{Scene, Theme, inline, layout, svg};
use partition_story::{Demo, Frame, InputValues, Story, demos, parse};

const WIDTHS: [u32; 3] = [328, 704, 1160];

/// The most telling step of each demo: a phase, and a step in it, counted from its last one.
const TELLING: [(&str, &str, usize); 7] = [
    ("find-offset", "scan", 0),
    ("batches", "answer", 0),
    ("append-and-roll", "roll", 1),
    ("find-time", "scan", 1),
    ("retention-time", "first", 0),
    ("retention-size", "delete", 1),
    ("consumer-offset", "back", 0),
];

fn story(id: &str) -> Story {
    let demo = Demo::find(id).expect("one of ours");
    Story::run(&parse(demo.text).expect("well-formed"), &InputValues::defaults()).expect("runs")
}

fn telling(id: &str, phase: &str, from_last: usize) -> Frame {
    let mut story = story(id);
    let phase = story
        .phases()
        .iter()
        .find(|other| other.id == phase)
        .unwrap_or_else(|| panic!("{id} has no phase {phase}"));
    let index = (phase.last - from_last).max(phase.first);
    story.frame(index)
}

#[test]
fn the_telling_steps_look_as_they_did() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let update = std::env::var_os("UPDATE_GOLDENS").is_some();
    let mut changed = Vec::new();
    for (id, phase, from_last) in TELLING {
        let frame = telling(id, phase, from_last);
        for width in WIDTHS {
            let name = format!("{id}-{width}.svg");
            let path = folder.join(&name);
            let picture = svg(&layout(&frame, width), Theme::Light);
            if update {
                std::fs::create_dir_all(&folder).expect("the folder can be made");
                std::fs::write(&path, picture).expect("the picture can be written");
            } else if std::fs::read_to_string(&path).ok().as_deref() != Some(picture.as_str()) {
                changed.push(name);
            }
        }
    }
    assert!(
        changed.is_empty(),
        "these pictures are others now; run with UPDATE_GOLDENS=1 and look at them: {changed:?}"
    );
}

#[test]
fn every_file_is_well_formed_and_needs_nothing_else() {
    for demo in demos() {
        let mut story = story(demo.id);
        for index in 0..story.len() {
            let frame = story.frame(index);
            for width in WIDTHS {
                let scene = layout(&frame, width);
                for theme in [Theme::Auto, Theme::Light, Theme::Dark] {
                    alone(&svg(&scene, theme), theme, &scene);
                }
            }
        }
    }
}

fn alone(text: &str, theme: Theme, scene: &Scene) {
    let document = roxmltree::Document::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let root = document.root_element();
    let child = |name: &str| root.children().find(|node| node.has_tag_name((SVG, name)));
    assert_eq!(
        child("title").and_then(|title| title.text()),
        Some(scene.title.as_str())
    );
    assert!(
        child("desc")
            .and_then(|desc| desc.text())
            .is_some_and(|text| text.contains("segment")),
        "{text}"
    );
    let style = child("style").and_then(|style| style.text()).expect("a style sheet");
    assert_eq!(
        style.contains("var("),
        theme == Theme::Auto,
        "colours are written out where the theme is chosen"
    );
    assert!(!style.contains("light-dark(") && !style.contains("url("), "{style}");
    assert_eq!(style.contains("prefers-color-scheme"), theme == Theme::Auto);
    let groups = root.descendants().filter(|node| node.has_tag_name((SVG, "g"))).count();
    let wanted = scene
        .nodes
        .iter()
        .filter(|node| node.kind == partition_figure::scene::Kind::Group)
        .count();
    assert_eq!(groups, wanted);
}

const SVG: &str = "http://www.w3.org/2000/svg";

#[test]
fn every_class_has_its_looks() {
    let sheet = include_str!("../src/diagram.css");
    for demo in demos() {
        let mut story = story(demo.id);
        for index in 0..story.len() {
            for width in WIDTHS {
                for node in layout(&story.frame(index), width).nodes {
                    let classes = node
                        .spans
                        .iter()
                        .flat_map(|span| span.class.split(' '))
                        .chain(node.class.split(' '));
                    for class in classes.filter(|class| !class.is_empty()) {
                        assert!(
                            sheet.contains(&format!(".{class} "))
                                || sheet.contains(&format!(".{class}."))
                                || sheet.contains(&format!(".{class}:")),
                            "{class} of {}",
                            node.key
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_picture_inside_a_page_is_one_image_in_the_pages_style() {
    let scene = layout(&telling("find-offset", "scan", 0), 704);
    let text = inline(&scene, "wide");
    assert!(
        text.starts_with("<svg class=\"scene wide\" role=\"img\" aria-label=\"Partition orders-0"),
        "{text}"
    );
    let page = roxmltree::Document::parse(&text).expect("well-formed");
    let shapes = page.root_element().children();
    assert!(shapes.clone().count() > 50);
    for shape in shapes {
        assert!(!["style", "g", "title"].contains(&shape.tag_name().name()), "{shape:?}");
        for name in ["data-key", "role", "aria-label", "aria-hidden"] {
            assert_eq!(shape.attribute(name), None, "{shape:?}");
        }
        assert_ne!(shape.attribute("class"), Some("target"));
    }
}
