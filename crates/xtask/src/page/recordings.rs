//! Recordings: demos played while the page is built, so that the page answers before any WebAssembly has arrived.
//!
//! What is recorded are the views that the WebAssembly gives, from the same conversions. A demo has one file for each of some
//! widths, which is enough to play it, and one with what its steps show beside their pictures. The form is documented, and
//! read, by the page's `www/src/recording.ts`. In short: a frame says what is otherwise than in the frame before; the fields of
//! nodes stand in columns and say only what is not expected from the node's own past or from the latest node with a key of the
//! same pattern; texts stand in tables, with their numbers left open. Columns of small numbers are what Brotli packs best: about
//! a quarter of the same nodes as JSON objects.

mod picture;
mod text;

use std::path::Path;

use anyhow::{Context, Result};
use partition_story::panel::Panel;
use partition_web::views::{DemoInfo, FileRow, NumberView, Outline, Phase, Pick, StepView};
use serde::Serialize;

use self::picture::Picture;
use super::demos::DemoOnPage;
use crate::process;

/// The version of the form.
const VERSION: u32 = 3;

/// The widths of the recorded scenes, in px, which the page knows from the same file: those that today's phones give (320 to
/// 430 px wide), columns of documentation, and the page's own. A picture is shown at its size in the middle of a wider place;
/// between two of these less than a fifth of that is empty.
fn widths() -> Result<Vec<u32>> {
    Ok(serde_json::from_str(include_str!(
        "../../../../www/src/recorded-widths.json"
    ))?)
}

/// What plays a demo at one width.
#[derive(Serialize)]
struct Recording<'a> {
    v: u32,
    /// Ids and titles of all demos.
    catalog: &'a [(String, String)],
    info: &'a DemoInfo,
    phases: &'a [Phase],
    /// In tenths of a px.
    width: i32,
    height: i32,
    steps: Vec<Step<'a>>,
    tables: [String; 6],
    columns: &'a [Vec<i64>],
}

/// Its sentence, and what else differs from the step before.
#[derive(Serialize)]
struct Step<'a>(String, Shown<'a>);

#[derive(Serialize)]
struct Shown<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    /// A question is of one step only.
    #[serde(skip_serializing_if = "<[Pick]>::is_empty")]
    picks: &'a [Pick],
}

/// What each step shows beside its picture, without what is as in the step before.
#[derive(Serialize)]
struct Details<'a> {
    v: u32,
    steps: Vec<Beside<'a>>,
}

#[derive(Serialize)]
struct Beside<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<&'a [NumberView]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<&'a [FileRow]>,
    /// `null` where a panel goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    panel: Option<&'a Option<Panel>>,
}

/// Writes `<demo>.<width>.json` and `<demo>.json` for each demo into the folder.
pub fn write(folder: &Path, demos: &mut [DemoOnPage]) -> Result<()> {
    process::empty_folder(folder)?;
    let catalog: Vec<_> = demos.iter().map(DemoOnPage::name).collect();
    for demo in demos {
        let (info, outline) = (demo.info(), demo.outline());
        let mut views = Vec::new();
        for width in widths()? {
            views = demo.steps(width);
            let file = folder.join(format!("{}.{width}.json", demo.id));
            process::write(&file, recording(&catalog, &info, &outline, &views)?)?;
        }
        process::write(&folder.join(format!("{}.json", demo.id)), details(&views)?)?;
    }
    Ok(())
}

fn details(views: &[StepView]) -> Result<String> {
    let details = Details {
        v: VERSION,
        steps: changes(views, |before, now| Beside {
            numbers: changed(before, now, |step| &step.numbers[..]),
            files: changed(before, now, |step| &step.files[..]),
            panel: changed(before, now, |step| &step.panel),
        }),
    };
    Ok(serde_json::to_string(&details)?)
}

fn recording(catalog: &[(String, String)], info: &DemoInfo, outline: &Outline, views: &[StepView]) -> Result<String> {
    let mut picture = Picture::default();
    for view in views {
        picture.frame(&view.scene.nodes);
    }
    let scene = &views.first().context("a demo has steps")?.scene;
    let recording = Recording {
        v: VERSION,
        catalog,
        info,
        phases: &outline.phases,
        width: scene.width,
        height: scene.height,
        steps: changes(views, |before, now| {
            let shown = Shown {
                title: changed(before, now, |step| step.scene.title.as_str()),
                picks: &now.picks,
            };
            Step(text::pieces(&now.sentence), shown)
        }),
        tables: picture.tables(),
        columns: picture.columns(),
    };
    Ok(serde_json::to_string(&recording)?)
}

/// Each step beside the one before.
fn changes<'a, T>(views: &'a [StepView], change: impl Fn(Option<&'a StepView>, &'a StepView) -> T) -> Vec<T> {
    let before = std::iter::once(None).chain(views.iter().map(Some));
    before.zip(views).map(|(before, now)| change(before, now)).collect()
}

fn changed<'a, T: PartialEq>(
    before: Option<&'a StepView>,
    now: &'a StepView,
    field: impl Fn(&'a StepView) -> T,
) -> Option<T> {
    let now = field(now);
    (before.map(field).as_ref() != Some(&now)).then_some(now)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use partition_figure::scene::{Anchor, Enter, Kind, Role, Scene, SceneNode, Span};
    use partition_story::panel::Panel;
    use partition_web::views::{DemoInfo, NumberView, Outline, Phase, Pick, StepView};
    use serde_json::{Value, json};

    use super::{details, recording};

    /// Every sign that means something in a recording, and numbers that are none.
    const ODD: &str = "~ | ^ # { } [ ] 007 12345678901234567890 3 \"\u{1}";

    fn span(text: &str, class: Option<&'static str>) -> Span {
        Span {
            text: String::from(text),
            class: class.unwrap_or_default(),
        }
    }

    fn node(key: &str, x: i32, text: &str) -> SceneNode {
        SceneNode {
            key: String::from(key),
            parent: format!("group of {key}"),
            kind: Kind::Text,
            class: "s13",
            x,
            y: -20,
            w: 0,
            h: x / 7,
            rx: 0,
            d: String::from(if text.starts_with("path") { "M0 0h20v30" } else { "" }),
            anchor: if text.starts_with("end") {
                Anchor::End
            } else {
                Anchor::Start
            },
            spans: vec![span(text, None), span(ODD, Some("bold"))],
            role: (x > 0).then_some(Role::Button),
            label: format!("{text}, {ODD}"),
            enter: (x > 99).then_some(Enter::Grow),
            from: if x > 99 { format!("{key}/{x}") } else { String::new() },
            fades: x == 0,
        }
    }

    /// Frames in which nodes enter, change, change places, leave and come back.
    fn frames() -> [Vec<SceneNode>; 5] {
        [
            vec![
                node("odd/3", 0, ODD),
                node("odd/#7", 10, "7 of 007"),
                node("01", 20, "1 and 2"),
            ],
            vec![node("odd/3", 0, ODD), node("01", 120, "end 1 and 5")],
            vec![
                node("01", 20, ""),
                node("odd/3", 40, "path 3, 4"),
                node("odd/12/4", 0, "4 of 12, 9"),
            ],
            vec![],
            vec![node("odd/12/4", 1, "4 of 12, 10"), node("odd/3", 0, ODD)],
        ]
    }

    fn view((index, nodes): (usize, Vec<SceneNode>)) -> StepView {
        let later = index > 2;
        StepView {
            index: index as u32,
            scene: Scene {
                width: 7040,
                height: 2000,
                title: String::from(if later { "nothing" } else { "two records" }),
                nodes,
            },
            sentence: vec![
                span("Step ", None),
                span(&index.to_string(), Some("touched")),
                span(ODD, None),
            ],
            phase: u32::from(later),
            numbers: vec![NumberView {
                label: "Log end offset",
                value: String::from(if later { "2" } else { "0" }),
                was: (index == 3).then(|| String::from("0")),
            }],
            panel: (index % 2 == 1).then(|| Panel {
                key: String::from("decision"),
                title: format!("Decision {index}"),
                subtitle: String::from(ODD),
                size: None,
                sections: Vec::new(),
                map: Vec::new(),
            }),
            files: Vec::new(),
            picks: Vec::from_iter((index == 0).then(|| Pick {
                key: String::from("odd/3"),
                right: true,
                answer: vec![span("Right.", None)],
            })),
        }
    }

    /// What the page's reader has to make of a recording; `www/test/recording.test.ts` holds it to that.
    /// `UPDATE_GOLDENS=1 cargo test -p xtask recordings` writes the file anew.
    #[test]
    fn a_recording_is_what_the_pages_tests_read() -> anyhow::Result<()> {
        let views: Vec<StepView> = frames().into_iter().enumerate().map(view).collect();
        let info = DemoInfo {
            id: String::from("odd"),
            title: String::from("Odd texts"),
            inputs: Vec::new(),
            tries: Vec::new(),
        };
        let phase = |id: &str, first, last| Phase {
            id: String::from(id),
            title: String::from(id),
            first,
            last,
        };
        let outline = Outline {
            demo: info.id.clone(),
            title: info.title.clone(),
            length: 5,
            phases: vec![phase("first", 0, 2), phase("last", 3, 4)],
            steps: Vec::new(),
        };
        let catalog = [(String::from("odd"), String::from("Odd texts"))];
        let file = |text: String| serde_json::from_str::<Value>(&text);
        let found = json!({
            "recording": file(recording(&catalog, &info, &outline, &views)?)?,
            "details": file(details(&views)?)?,
            "steps": views,
        });
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/test/recording.json");
        if std::env::var_os("UPDATE_GOLDENS").is_some() {
            std::fs::write(&path, format!("{found:#}\n"))?;
        }
        let golden: Value = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
        assert_eq!(found, golden);
        Ok(())
    }
}
