//! What moves, how, and when nothing may.

use crate::played::DEMOS;
use crate::server::Site;
use crate::tab::Tab;
use crate::{Test, host};

pub fn tests() -> Vec<Test> {
    vec![
        Test::new("with_reduced_motion_nothing_moves_in_any_demo", reduced),
        Test::new("next_during_a_motion_only_ends_it", next_ends_it),
        Test::new("motion_is_of_transform_and_opacity_and_ends_in_time", composited),
        Test::new("play_stops_at_the_end_of_each_phase_with_reduced_motion_too", stops),
        Test::new(
            "what_moves_starts_where_it_was_and_is_on_its_way_at_half_time",
            half_way,
        ),
        Test::new("nothing_moves_until_asked", at_rest),
    ]
}

fn open(tab: &Tab<'_>, attributes: &str) {
    let site = tab.site(Site::new().page("host.html", &host::element(attributes)));
    tab.open_playing(&site.at("host.html"));
    tab.run("await probe.until(() => probe.$('.insp h3, .insp .sub'), 'the late parts have come')");
    // The model draws for just this width, where a recording has the nearest that it knows.
    tab.until("probe.exact()");
}

/// Steps through the demo that is open; after each step `look` is asked in the same task.
fn each_step<T: serde::de::DeserializeOwned>(tab: &Tab<'_>, look: &str) -> Vec<T> {
    tab.ask(&format!(
        "await (async () => {{
            const seen = [];
            const look = async () => {look};
            while (probe.read().step < probe.read().steps) {{
                probe.$('#next').click();
                seen.push(await look());
                await probe.settle();
            }}
            return seen;
        }})()"
    ))
}

fn reduced(tab: &Tab<'_>) {
    tab.prefer(&[("prefers-reduced-motion", "reduce")]);
    for demo in DEMOS {
        open(tab, &format!("demo={demo}"));
        let steps: Vec<(usize, bool)> = each_step(
            tab,
            "(async () => {
                const places = () => [...probe.root().querySelectorAll('.scene svg *, .pod *')].map((mark) => {
                    const { x, y, width, height } = mark.getBoundingClientRect();
                    return `${x} ${y} ${width} ${height} ${getComputedStyle(mark).opacity}`;
                }).join();
                const animations = document.getAnimations().length + probe.root().getAnimations().length + probe.moving().length;
                const before = places();
                await probe.frame();
                await probe.frame();
                return [animations, before === places()];
            })()",
        );
        for (step, (animations, still)) in steps.iter().enumerate() {
            assert_eq!(*animations, 0, "{demo} after step {}", step + 1);
            assert!(still, "{demo}: something moved after step {}", step + 1);
        }
    }
}

fn next_ends_it(tab: &Tab<'_>) {
    open(tab, "demo=append-and-roll");
    // In one task, so that no time passes between the presses.
    let presses: [(usize, usize); 3] = tab.ask(
        "[1, 2, 3].map(() => {
            probe.$('#next').click();
            return [probe.read().step, probe.moving().length];
        })",
    );
    assert!(presses[0].1 > 0, "the first step of the demo moves");
    assert_eq!(presses[0].0, 2);
    assert_eq!(presses[1], (2, 0), "the second press has ended the motion, and no more");
    assert_eq!(presses[2].0, 3);
}

fn composited(tab: &Tab<'_>) {
    for demo in DEMOS {
        open(tab, &format!("demo={demo}"));
        let steps: Vec<(Vec<String>, f64)> = each_step(
            tab,
            "(() => {
                const beside = ['offset', 'computedOffset', 'easing', 'composite', 'transformOrigin'];
                const effects = probe.moving().map(({ effect }) => effect);
                const moved = effects.flatMap((effect) => effect.getKeyframes()).flatMap((frame) => Object.keys(frame));
                const ends = effects.map((effect) => effect.getComputedTiming().endTime);
                return [[...new Set(moved)].filter((name) => !beside.includes(name)), Math.max(0, ...ends)];
            })()",
        );
        assert!(steps.iter().any(|(_, ends)| *ends > 0.0), "{demo} moves somewhere");
        for (step, (moved, ends)) in steps.iter().enumerate() {
            let at = format!("{demo} after step {}", step + 1);
            assert!(
                moved.iter().all(|name| name == "transform" || name == "opacity"),
                "{at}: {moved:?}"
            );
            // A scan of 900 ms at most, and the hops before it.
            assert!(*ends <= 2000.0, "{at}: {ends} ms");
        }
    }
}

/// A mark in motion: how long its tween takes, and its edges before the step, at the start, 160 ms later, and at rest.
#[derive(serde::Deserialize)]
struct Tween {
    key: String,
    duration: f64,
    edges: [[f64; 4]; 4],
}

fn half_way(tab: &Tab<'_>) {
    open(tab, "demo=retention-time");
    let tweens: Vec<Tween> = tab.ask(
        "await (async () => {
            const edgesOf = (mark) => {
                const { left, right, top, bottom } = mark.getBoundingClientRect();
                return [left, right, top, bottom];
            };
            const tweens = [];
            while (probe.read().step < probe.read().steps) {
                const before = new Map([...probe.$('.scene svg').querySelectorAll('rect, line')].map((mark) => [mark, edgesOf(mark)]));
                probe.$('#next').click();
                for (const animation of probe.moving()) {
                    const { target } = animation.effect;
                    if (!before.has(target) || !animation.effect.getKeyframes()[0].transform) continue;
                    animation.pause();
                    const edges = [0, 160, 1e6].map((ms) => {
                        animation.currentTime = ms;
                        return edgesOf(target);
                    });
                    const { duration } = animation.effect.getTiming();
                    tweens.push({ key: target.dataset.key ?? '', duration, edges: [before.get(target), ...edges] });
                }
                await probe.settle();
            }
            return tweens;
        })()",
    );
    let mut moved = Vec::new();
    for Tween { key, duration, edges } in &tweens {
        assert!((duration - 320.0).abs() < 1e-6, "{key} takes {duration} ms");
        let [before, start, half, rest] = edges;
        for (edge, half) in half.iter().enumerate() {
            assert!(
                (before[edge] - start[edge]).abs() < 2.0,
                "{key} starts at {start:?}, and was at {before:?}"
            );
            let [low, high] = [start[edge].min(rest[edge]), start[edge].max(rest[edge])];
            if high - low > 2.0 {
                moved.push(key);
                assert!(
                    low < *half && *half < high,
                    "{key} is at {half}, between {low} and {high}"
                );
            }
        }
    }
    assert!(
        moved.iter().any(|key| key.starts_with("record/")),
        "records move: {moved:?}"
    );
}

fn stops(tab: &Tab<'_>) {
    tab.prefer(&[("prefers-reduced-motion", "reduce")]);
    open(tab, "demo=find-offset speed=4");
    let steps: usize = tab.ask("probe.read().steps");
    let mut stops = Vec::new();
    while stops.last() != Some(&steps) {
        tab.run("probe.events.length = 0");
        tab.click("probe.button('Play')");
        tab.until("probe.events.some(({ type }) => type === 'pod-pause')");
        let step: usize = tab.ask("probe.read().step");
        assert!(stops.last().is_none_or(|last| *last < step), "{stops:?}, then {step}");
        assert_eq!(
            tab.ask::<String>("probe.read().live"),
            "polite",
            "the end of a phase is spoken"
        );
        stops.push(step);
    }
    // Where each phase ends, by the ids of the steps.
    let ids: Vec<Option<String>> = tab.ask(
        "await (async () => {
            const ids = [];
            for (let step = 1; step <= probe.read().steps; step += 1) {
                probe.one().seek(step);
                await probe.settle();
                ids.push(probe.events.findLast(({ type }) => type === 'pod-step').id ?? null);
            }
            return ids;
        })()",
    );
    let ends = (1..=ids.len()).filter(|&step| ids.get(step) != Some(&ids[step - 1]) && ids[step - 1].is_some());
    assert_eq!(stops, ends.collect::<Vec<_>>());
}

fn at_rest(tab: &Tab<'_>) {
    let site = tab.site(Site::new());
    tab.open_playing(&site.at(""));
    tab.run("await probe.until(() => probe.$('.insp h3, .insp .sub'), 'the late parts have come')");
    let before: String = tab.ask("probe.picture()");
    for _ in 0..30 {
        tab.run("await probe.frame()");
    }
    assert_eq!(tab.ask::<usize>("probe.read().step"), 1);
    assert_eq!(
        tab.ask::<usize>("document.getAnimations().length + probe.moving().length"),
        0
    );
    assert_eq!(tab.ask::<String>("probe.picture()"), before);
}
