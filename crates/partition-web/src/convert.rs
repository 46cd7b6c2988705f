//! From the story's and the figure's types to the page's views.

use partition_figure::scene::Span;
use partition_log::disk::{FileKind, FileName};
use partition_log::questions::view::{IndexView, PartitionView, SegmentView};
use partition_log::units::bytes;
use partition_story::language::{Domain, Input, Measure, Try};
use partition_story::{Demo, InputValues, Role, Scenario, Story, panel, pick};

use crate::views;

/// One step with its picture.
pub fn step_view(story: &mut Story, index: usize, width: u32) -> views::StepView {
    let frame = story.frame(index);
    let state = story.state(index);
    // A question is asked before anything is done about it.
    let picks = if frame.steps().is_empty() {
        picks_of_command(story, index + 1, &frame.view)
    } else {
        Vec::new()
    };
    views::StepView {
        index: index as u32,
        scene: partition_figure::layout(&frame, width),
        sentence: spans(&frame.sentence),
        phase: frame.phase.unwrap_or(0) as u32,
        numbers: numbers(&frame.before, &frame.view),
        panel: panel::of_beat(frame.steps(), frame.trail(), &state),
        files: files(&frame.view),
        picks: picks.into_iter().map(pick_view).collect(),
    }
}

/// The picks that the command which begins with a frame leads to.
fn picks_of_command(story: &mut Story, first: usize, view: &PartitionView) -> Vec<pick::Pick> {
    let mut command = None;
    for index in first..story.len() {
        let frame = story.frame(index);
        if *command.get_or_insert_with(|| frame.command.clone()) != frame.command {
            break;
        }
        let picks = pick::of_next(frame.steps(), view);
        if !picks.is_empty() {
            return picks;
        }
    }
    Vec::new()
}

/// A story's steps without pictures.
pub fn outline(demo: &str, title: &str, story: &mut Story) -> views::Outline {
    let phases = story.phases().to_vec();
    let steps = (0..story.len()).map(|index| {
        let (sentence, _) = story.outline(index);
        views::OutlineStep {
            sentence: sentence.to_string(),
            phase: phase_of(&phases, index),
        }
    });
    let steps: Vec<views::OutlineStep> = steps.collect();
    let phase = |phase: &partition_story::Phase| views::Phase {
        id: phase.id.clone(),
        title: phase.title.clone(),
        first: phase.first as u32,
        last: phase.last as u32,
    };
    views::Outline {
        demo: demo.to_string(),
        title: title.to_string(),
        length: story.len() as u32,
        phases: phases.iter().map(phase).collect(),
        steps,
    }
}

/// The phase that holds a step.
fn phase_of(phases: &[partition_story::Phase], index: usize) -> u32 {
    phases
        .iter()
        .position(|phase| (phase.first..=phase.last).contains(&index))
        .unwrap_or(0) as u32
}

/// A demo of the list.
pub fn demo_info(demo: &Demo) -> views::DemoInfo {
    // The demos are part of the program, and a test parses each.
    let scenario = partition_story::parse(demo.text).ok();
    let title = scenario
        .as_ref()
        .and_then(Scenario::title)
        .unwrap_or(demo.id)
        .to_string();
    views::DemoInfo {
        id: demo.id.to_string(),
        title,
        inputs: scenario.iter().flat_map(Scenario::inputs).map(input_info).collect(),
        tries: scenario.iter().flat_map(Scenario::tries).map(try_view).collect(),
    }
}

fn try_view(other: &Try) -> views::Try {
    let mut inputs = InputValues::defaults();
    for (name, value) in &other.values {
        inputs.set(name.as_str(), &value.to_string());
    }
    views::Try {
        label: other.label.clone(),
        inputs: inputs.into(),
    }
}

fn input_info(input: &Input) -> views::InputInfo {
    let value = input.default().to_string();
    let info = views::InputInfo {
        name: input.name.to_string(),
        label: input.label().to_string(),
        kind: "choice",
        value,
        min: None,
        max: None,
        unit: None,
        choices: Vec::new(),
    };
    match &input.domain {
        Domain::Policy { choices, .. } => views::InputInfo {
            choices: choices.iter().map(ToString::to_string).collect(),
            ..info
        },
        Domain::Number { default, low, high } => {
            // The field counts in the unit of its default: 31 s, 300 B.
            let split = info
                .value
                .find(|letter: char| letter.is_ascii_alphabetic())
                .unwrap_or(info.value.len());
            let (number, unit) = info.value.split_at(split);
            let scale = number
                .parse()
                .ok()
                .filter(|number| *number != 0)
                .map_or(1, |number: i64| default.base() / number);
            views::InputInfo {
                kind: match input.name.measure() {
                    Some(Measure::Size) => "bytes",
                    Some(Measure::Time) => "duration",
                    _ => "number",
                },
                min: Some(low.base().div_euclid(scale)),
                max: Some(high.base().div_euclid(scale)),
                unit: (!unit.is_empty()).then(|| unit.to_string()),
                ..info
            }
        }
    }
}

fn pick_view(pick: pick::Pick) -> views::Pick {
    let answer = vec![Span {
        text: pick.answer,
        class: "",
    }];
    views::Pick {
        key: pick.key,
        right: pick.right,
        answer,
    }
}

fn spans(sentence: &partition_story::Sentence) -> Vec<Span> {
    let class = |role: Role| if role == Role::Plain { "" } else { role.name() };
    let span = |span: &partition_story::Span| Span {
        text: span.text.clone(),
        class: class(span.role),
    };
    sentence.spans.iter().map(span).collect()
}

fn numbers(before: &PartitionView, after: &PartitionView) -> Vec<views::NumberView> {
    let show = |view: &PartitionView| {
        let committed = view.committed.map_or("none".to_string(), |offset| offset.to_string());
        [
            view.log_start.to_string(),
            view.log_end.to_string(),
            committed,
            bytes(view.log_size as i64),
        ]
    };
    const LABELS: [&str; 4] = ["Log start offset", "Log end offset", "Committed offset", "Log size"];
    let rows = LABELS.into_iter().zip(show(before).into_iter().zip(show(after)));
    rows.map(|(label, (was, value))| views::NumberView {
        label,
        was: (was != value).then_some(was),
        value,
    })
    .collect()
}

fn files(view: &PartitionView) -> Vec<views::FileRow> {
    let deleted = view.deleted.iter().flat_map(|segment| segment_files(segment, true));
    deleted
        .chain(view.segments.iter().flat_map(|segment| segment_files(segment, false)))
        .collect()
}

fn segment_files(segment: &SegmentView, deleted: bool) -> [views::FileRow; 3] {
    let row = |kind, created: bool, size| views::FileRow {
        name: if deleted && created {
            FileName::live(segment.base, kind).as_deleted()
        } else {
            FileName::live(segment.base, kind)
        }
        .to_string(),
        size,
        state: match (created, deleted) {
            (false, _) => "not created",
            (true, true) => "deleted",
            (true, false) => "live",
        },
    };
    [
        row(FileKind::Log, true, segment.size),
        row(
            FileKind::Index,
            segment.offset_index.created,
            used(&segment.offset_index),
        ),
        row(
            FileKind::TimeIndex,
            segment.time_index.created,
            used(&segment.time_index),
        ),
    ]
}

const fn used<To>(index: &IndexView<To>) -> u64 {
    index.used
}
