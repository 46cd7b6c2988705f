//! Each demo for the page: its steps in words, its pictures, its run as facts.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow};
use partition_figure::{Theme, layout, svg};
use partition_log::Step;
use partition_log::disk::{FileKind, FileName};
use partition_log::units::bytes;
use partition_story::{Demo, Event, InputValues, Role, Scenario, Sentence, Story, parse};
use partition_web::convert;
use partition_web::views::{DemoInfo, Outline, StepView};
use serde::Serialize;

use super::tale::Tale;

/// The widths of the scenes that are made while the page is built, in px: one for each arrangement of the element.
pub const WIDTHS: [u32; 3] = [328, 704, 1160];

/// A demo, run with its defaults.
pub struct DemoOnPage {
    pub id: &'static str,
    demo: &'static Demo,
    scenario: Scenario,
    story: Story,
    pub tale: Tale,
}

/// A demo as the templates see it.
#[derive(Debug, Serialize)]
pub struct Card {
    pub id: &'static str,
    title: String,
    /// Its chapter, as a link.
    chapter: &'static str,
    /// What its first picture shows, in words.
    alt: String,
    /// The sentence of each step, as HTML.
    steps: Vec<String>,
    files: Vec<FileRow>,
    tries: Vec<Link>,
}

/// A file of the partition at the end of a demo.
#[derive(Debug, Serialize)]
struct FileRow {
    name: String,
    size: String,
}

/// A counter-example, as a link.
#[derive(Debug, Serialize)]
struct Link {
    label: String,
    href: String,
}

/// All demos, in the order in which they are offered.
pub fn all() -> Result<Vec<DemoOnPage>> {
    let told = |demo: &'static Demo| DemoOnPage::new(demo).with_context(|| format!("the demo {}", demo.id));
    partition_story::demos().iter().map(told).collect()
}

impl DemoOnPage {
    fn new(demo: &'static Demo) -> Result<Self> {
        let scenario = parse(demo.text).map_err(|error| anyhow!("{error}"))?;
        let story = Story::run(&scenario, &InputValues::defaults()).map_err(|error| anyhow!("{error}"))?;
        Ok(Self {
            id: demo.id,
            demo,
            tale: tale(&story)?,
            scenario,
            story,
        })
    }

    fn title(&self) -> &str {
        self.scenario.title().unwrap_or(self.id)
    }

    /// Its id and its title.
    pub fn name(&self) -> (String, String) {
        (String::from(self.id), String::from(self.title()))
    }

    /// Its row in the list of demos.
    pub fn info(&self) -> DemoInfo {
        convert::demo_info(self.demo)
    }

    /// Its steps without pictures.
    pub fn outline(&mut self) -> Outline {
        convert::outline(self.id, self.scenario.title().unwrap_or(self.id), &mut self.story)
    }

    /// Its steps, drawn at a width in px.
    pub fn steps(&mut self, width: u32) -> Vec<StepView> {
        (0..self.story.len())
            .map(|index| convert::step_view(&mut self.story, index, width))
            .collect()
    }

    pub fn card(&mut self) -> Card {
        let last = self.story.len() - 1;
        let view = self.story.frame(last).view;
        let deleted = view.deleted.iter().map(|segment| (segment, true));
        let files = deleted
            .chain(view.segments.iter().map(|segment| (segment, false)))
            .flat_map(|(segment, deleted)| {
                let row = |kind, size: u64| {
                    let live = FileName::live(segment.base, kind);
                    let name = if deleted { live.as_deleted() } else { live };
                    FileRow {
                        name: name.to_string(),
                        size: bytes(i64::try_from(size).unwrap_or(i64::MAX)),
                    }
                };
                [
                    row(FileKind::Log, segment.size),
                    row(FileKind::Index, segment.offset_index.used),
                    row(FileKind::TimeIndex, segment.time_index.used),
                ]
            })
            .collect();
        Card {
            id: self.id,
            title: String::from(self.title()),
            chapter: chapter(self.id),
            alt: layout(&self.story.frame(0), WIDTHS[1]).title,
            steps: (0..=last).map(|index| html(&self.story.outline(index).0)).collect(),
            files,
            tries: self.tries(),
        }
    }

    fn tries(&self) -> Vec<Link> {
        let link = |other: &partition_story::language::Try| {
            let values = other.values.iter();
            let inputs: BTreeMap<String, String> = values
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect();
            Link {
                label: other.label.clone(),
                href: state_link(self.id, "1", &inputs),
            }
        };
        self.scenario.tries().map(link).collect()
    }

    /// The first picture as a file of its own.
    pub fn first_picture(&mut self, width: u32) -> String {
        svg(&layout(&self.story.frame(0), width), Theme::Auto)
    }

    /// The first picture inside the page, which has the colours and the marks in its style sheet.
    pub fn first_picture_inline(&mut self, width: u32) -> String {
        partition_figure::inline(&layout(&self.story.frame(0), width), &format!("s{width}"))
    }

    /// Height of its scenes at each of [`WIDTHS`], in tenths of a px.
    pub fn heights(&mut self) -> [i32; 3] {
        WIDTHS.map(|width| self.height(width))
    }

    /// Height of its scenes at a width, in tenths of a px.
    fn height(&mut self, width: u32) -> i32 {
        layout(&self.story.frame(0), width).height
    }

    /// Refuses a link to a step or with inputs that this demo has not.
    pub fn check_link(&self, step: &str, query: &str) -> Result<()> {
        let phase = |id: &str| self.story.phases().iter().any(|phase| phase.id == id);
        let known = match step.strip_prefix('@') {
            Some(id) => phase(id),
            None => step
                .parse()
                .is_ok_and(|step: usize| (1..=self.story.len()).contains(&step)),
        };
        if !known {
            return Err(anyhow!("{} has no step {step}", self.id));
        }
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let values = pairs.fold(InputValues::defaults(), |values, pair| match pair.split_once('=') {
            Some((name, value)) => values.with(name, &value.replace("%3D", "=")),
            None => values,
        });
        Story::run(&self.scenario, &values).map_err(|error| anyhow!("{error}"))?;
        Ok(())
    }
}

/// The link string of a state, as `www/src/link.ts` writes it.
pub fn state_link(demo: &str, step: &str, inputs: &BTreeMap<String, String>) -> String {
    let pairs: Vec<String> = inputs
        .iter()
        .map(|(name, value)| format!("{name}={}", value.replace('=', "%3D")))
        .collect();
    let query = if pairs.is_empty() { "" } else { "?" };
    format!("#v1/{demo}/{step}{query}{}", pairs.join("&"))
}

/// The chapter that a demo belongs to.
fn chapter(demo: &str) -> &'static str {
    match demo {
        "append-and-roll" => "#append",
        "find-time" => "#time",
        "retention-time" | "retention-size" => "#retention",
        "consumer-offset" => "#behind",
        _ => "#offset",
    }
}

/// All that happened.
fn tale(story: &Story) -> Result<Tale> {
    let mut steps: Vec<Step> = Vec::new();
    let mut settings = None;
    story.replay(&mut |event| match event {
        Event::Created(made) => steps.extend_from_slice(made),
        Event::Done(done) => {
            settings.get_or_insert_with(|| done.state.settings().clone());
            steps.extend_from_slice(done.steps);
        }
        Event::Phase { .. } | Event::Said { .. } | Event::Expected(_) => {}
    });
    Ok(Tale::new(settings.context("nothing happens in it")?, steps))
}

/// A sentence with its operands marked as on the page.
fn html(sentence: &Sentence) -> String {
    let span = |span: &partition_story::Span| {
        let text = escaped(&span.text);
        let class = match span.role {
            Role::Plain => return text,
            Role::Log => "v l",
            Role::Index => "v i",
            Role::TimeIndex => "v t",
            Role::Touched => "v p",
            Role::Deleted => "v d",
            Role::Active => "v a",
            Role::Setting => "v",
        };
        format!("<span class=\"{class}\">{text}</span>")
    };
    sentence.spans.iter().map(span).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{WIDTHS, all, state_link};
    use std::collections::BTreeMap;

    #[test]
    fn links_are_written_as_the_page_reads_them() {
        let inputs = BTreeMap::from([(String::from("reset"), String::from("by-duration=60s"))]);
        assert_eq!(
            state_link("consumer-offset", "1", &inputs),
            "#v1/consumer-offset/1?reset=by-duration%3D60s"
        );
        assert_eq!(
            state_link("find-offset", "@scan", &BTreeMap::new()),
            "#v1/find-offset/@scan"
        );
    }

    #[test]
    fn the_page_has_the_height_of_every_arrangement() {
        for mut told in all().expect("the demos run") {
            let heights = told.heights();
            let others = [[288, 420, 590], [608, 736, 1030], [1040, 1100, 1168]];
            for (height, widths) in heights.into_iter().zip(others) {
                for width in widths {
                    assert_eq!(told.height(width), height, "{} at {width}", told.id);
                }
            }
            assert_eq!(WIDTHS.len(), heights.len());
        }
    }
}
