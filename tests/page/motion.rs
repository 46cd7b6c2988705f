//! What moves, how, and when nothing may.

use crate::played::DEMOS;
use crate::server::Site;
use crate::tab::Tab;
use crate::{Test, host};

pub fn tests() -> Vec<Test> {
    vec![
        Test::new("with_reduced_motion_nothing_moves_in_any_demo", reduced),
        Test::new("six_fast_clicks_on_next_are_six_steps", six_clicks),
        Test::new(
            "motion_is_of_transform_and_opacity_and_lines_and_ends_in_time",
            composited,
        ),
        Test::new("each_kind_of_motion_has_its_order_and_time_at_speed_1", |tab| {
            kinds(tab, 1.0)
        }),
        Test::new("each_kind_of_motion_has_its_order_and_time_at_speed_2", |tab| {
            kinds(tab, 2.0)
        }),
        Test::new(
            "a_removed_segment_is_whole_until_it_has_left_and_moves_no_neighbour",
            leaves_whole,
        ),
        Test::new("at_a_roll_the_record_is_not_in_place_before_it_moves", rolls),
        Test::new(
            "deleted_files_are_hatched_then_renamed_and_named_as_before_until_then",
            renamed,
        ),
        Test::new("a_comparison_shows_its_numbers_before_its_word", says),
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

fn six_clicks(tab: &Tab<'_>) {
    for speed in [1, 2] {
        open(tab, &format!("demo=append-and-roll speed={speed}"));
        // In one task, so that no time passes between the clicks.
        let clicks: Vec<(usize, usize)> = tab.ask(
            "[1, 2, 3, 4, 5, 6].map(() => {
                probe.$('#next').click();
                return [probe.read().step, probe.moving().length];
            })",
        );
        let steps: Vec<usize> = clicks.iter().map(|&(step, _)| step).collect();
        assert_eq!(steps, [2, 3, 4, 5, 6, 7]);
        assert!(
            clicks.iter().all(|&(_, moving)| moving > 0),
            "each of them moves: {clicks:?}"
        );
        let kept: Vec<String> = tab.ask(
            "(await probe.settle(), [...probe.$('.scene svg').querySelectorAll('*')].filter((mark) => mark.localName !== 'tspan' && !mark.dataset.key).map((mark) => mark.outerHTML))",
        );
        assert!(kept.is_empty(), "nothing of a motion that was ended is left: {kept:?}");
    }
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
                moved.iter().all(
                    |name| ["transform", "opacity", "strokeDasharray", "strokeDashoffset"].contains(&name.as_str())
                ),
                "{at}: {moved:?}"
            );
            assert!(*ends <= 2000.0, "{at}: {ends} ms");
        }
    }
}

/// What a mark does in a step: its ms and its easing at speed 1.
type Does = (&'static str, f64, &'static str);

const SMOOTH: &str = "cubic-bezier(0.2, 0, 0, 1)";

/// Of each kind of motion a step that has it: the demo, the step before, and what its marks do, one after the other.
const KINDS: [(&str, usize, &[Does]); 10] = [
    // An append: the record, then the counters.
    (
        "append-and-roll",
        2,
        &[("record/1", 320.0, SMOOTH), ("card/0/counter/text", 160.0, "linear")],
    ),
    (
        "append-and-roll",
        2,
        &[("log/0/tail", 320.0, SMOOTH), ("offset-line/log-end", 160.0, "linear")],
    ),
    // An entry: its record blinks, then the entry flies.
    (
        "append-and-roll",
        4,
        &[
            ("log/0/touched", 160.0, "linear"),
            ("entry/0/index/0", 240.0, "ease-in-out"),
        ],
    ),
    // A comparison: where and what, then the verdict.
    (
        "find-offset",
        3,
        &[
            ("probe/index/1", 160.0, "linear"),
            ("probe/index/1/text", 80.0, "linear"),
        ],
    ),
    // A hop: the line, then its head.
    (
        "find-offset",
        5,
        &[("hop/line", 240.0, "ease-in-out"), ("hop/head", 80.0, "linear")],
    ),
    // A scan: the head passes a record, the next one is outlined, then the verdict.
    (
        "find-offset",
        7,
        &[
            ("scan/head", 180.0, "linear"),
            ("log/6/touched", 80.0, "linear"),
            ("scan/found", 80.0, "linear"),
        ],
    ),
    // A roll: the record comes up to the limit, the verdict; the tail closes, the file grows; the record travels into it.
    (
        "append-and-roll",
        9,
        &[("would-be", 200.0, SMOOTH), ("check/size", 80.0, "linear")],
    ),
    (
        "append-and-roll",
        10,
        &[("segment/0/tail", 160.0, "linear"), ("card/6", 400.0, SMOOTH)],
    ),
    (
        "append-and-roll",
        11,
        &[
            ("hop/line", 240.0, "ease-in-out"),
            ("hop/head", 80.0, "linear"),
            ("record/6", 320.0, SMOOTH),
            ("card/6/counter/text", 160.0, "linear"),
        ],
    ),
    // Retention: the age, the verdict; then the hatch, the names, the flag.
    (
        "retention-time",
        8,
        &[
            ("card/6/age/fill", 240.0, "linear"),
            ("segment/0/hatch", 200.0, "linear"),
            ("file/0/log/name", 160.0, "linear"),
            ("offset-line/log-start", 240.0, SMOOTH),
        ],
    ),
];

/// The motion of a mark: when it starts, how long it takes and how; at its start, its middle and its end the place, the
/// opacity and the rest of its line that is to be drawn.
#[derive(Debug, serde::Deserialize)]
struct Motion {
    start: f64,
    ms: f64,
    easing: String,
    looks: [[f64; 6]; 3],
}

/// Stops the motion of the next step as it begins, and looks at these marks.
fn motions(tab: &Tab<'_>, step: usize, keys: &[&str]) -> Vec<Option<Motion>> {
    tab.ask_with(
        "await (async (step, keys) => {
            probe.one().seek(step);
            await probe.settle();
            probe.$('#next').click();
            const all = probe.moving();
            for (const animation of all) animation.pause();
            const at = (ms) => all.forEach((animation) => { animation.currentTime = ms; });
            const found = keys.map((key) => {
                const mark = probe.$(`.scene svg [data-key='${key}']`);
                const own = all.filter(({ effect }) => effect.target === mark);
                if (!own.length) return null;
                const { delay, duration, easing } = own[0].effect.getTiming();
                const look = (ms) => {
                    at(ms);
                    const { left, right, top, bottom } = mark.getBoundingClientRect();
                    const { opacity, strokeDashoffset } = getComputedStyle(mark);
                    return [left, right, top, bottom, Number(opacity), parseFloat(strokeDashoffset)];
                };
                return { start: delay, ms: duration, easing, looks: [look(delay), look(delay + duration / 2), look(1e6)] };
            });
            for (const animation of all) animation.play();
            await probe.settle();
            return found;
        })(...arguments)",
        vec![step.into(), keys.into()],
    )
}

fn kinds(tab: &Tab<'_>, speed: f64) {
    let mut demo_open = "";
    let mut faults = Vec::new();
    for (demo, step, does) in KINDS {
        if demo != demo_open {
            open(tab, &format!("demo={demo} speed={speed}"));
            demo_open = demo;
        }
        let keys: Vec<&str> = does.iter().map(|(key, ..)| *key).collect();
        let mut free_at = 0.0;
        for ((key, ms, easing), motion) in does.iter().zip(motions(tab, step, &keys)) {
            let at = format!("{demo} after step {step}: {key}");
            let Some(motion) = motion else {
                faults.push(format!("{at} does not move"));
                continue;
            };
            if (motion.ms * speed - ms).abs() > 1e-6 || motion.easing != *easing {
                faults.push(format!("{at} takes {} ms, {}", motion.ms, motion.easing));
            }
            if motion.start < free_at - 1e-6 {
                faults.push(format!("{at} starts at {} ms, before {free_at}", motion.start));
            }
            free_at = motion.start + motion.ms;
            let [first, half, last] = motion.looks;
            let between = |index: usize| {
                let [low, high] = [first[index].min(last[index]), first[index].max(last[index])];
                (low < half[index] && half[index] < high) || (first[index] == last[index] && half[index] < first[index])
            };
            if !(0..6).any(between) {
                faults.push(format!("{at} does not change on its way: {:?}", motion.looks));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Stops the motion of the step after `step` at `ms` (at speed 1), and answers there.
fn stopped<T: serde::de::DeserializeOwned>(tab: &Tab<'_>, step: usize, look: &str) -> T {
    tab.ask(&format!(
        "await (async () => {{
            probe.one().seek({step});
            await probe.settle();
            const svg = probe.$('.scene svg');
            const mark = (key) => svg.querySelector(`[data-key='${{key}}']`);
            const box = (element) => {{ const {{ left, right, top, bottom }} = element.getBoundingClientRect(); return [left, right, top, bottom].map(Math.round); }};
            // As it is seen: with what it lies in.
            const opacity = (element) => element === svg ? 1 : Number(getComputedStyle(element).opacity) * opacity(element.parentElement);
            const seen = (word) => [...svg.querySelectorAll('text')].filter((text) => text.textContent.includes(word) && opacity(text) > 0.5).length;
            const before = {{ left: mark('segment/6/6') && box(mark('segment/6/6')) }};
            probe.$('#next').click();
            const all = probe.moving();
            for (const animation of all) animation.pause();
            const at = (ms) => all.forEach((animation) => {{ animation.currentTime = ms; }});
            const timing = (test) => all.find(({{ effect }}) => test(effect.target)).effect.getComputedTiming();
            const start = (key) => timing((target) => target.dataset.key === key).delay;
            return {look};
        }})()"
    ))
}

fn leaves_whole(tab: &Tab<'_>) {
    for (demo, step) in [("retention-size", 11), ("retention-time", 9)] {
        open(tab, &format!("demo={demo}"));
        #[derive(Debug, serde::Deserialize)]
        struct Leaving {
            ms: f64,
            opacities: [f64; 3],
            words: [String; 2],
            marks: [usize; 2],
            neighbour: [[f64; 4]; 3],
            buttons: usize,
        }
        let seen: Leaving = stopped(
            tab,
            step,
            "(() => {
                const leaving = svg.querySelector(':scope > g:not([data-key])');
                const { delay, duration } = timing((target) => target === leaving);
                const words = () => [...leaving.querySelectorAll('text')].map(({ textContent }) => textContent).join(' ');
                const look = (ms) => (at(ms), [opacity(leaving), box(mark('segment/6/6'))]);
                const [first, half, last] = [delay, delay + duration / 2, delay + duration].map(look);
                const whole = () => [words(), leaving.querySelectorAll('*').length];
                const [early, late] = [(at(delay), whole()), (at(delay + duration - 1), whole())];
                return {
                    ms: duration, opacities: [first[0], half[0], last[0]], words: [early[0], late[0]], marks: [early[1], late[1]],
                    neighbour: [before.left, half[1], last[1]], buttons: leaving.querySelectorAll('[role=button], [tabindex]').length,
                };
            })()",
        );
        assert_eq!(seen.ms, 400.0, "{demo}");
        assert!(seen.opacities[0] == 1.0 && seen.opacities[2] == 0.0, "{demo}: {seen:?}");
        assert!((0.1..0.9).contains(&seen.opacities[1]), "{demo}: {seen:?}");
        for word in ["000000", ".log.deleted", ".index.deleted", ".timeindex.deleted"] {
            assert!(seen.words[0].contains(word), "{demo}: no {word} in {}", seen.words[0]);
        }
        assert_eq!(seen.words[0], seen.words[1], "{demo}");
        assert_eq!(seen.marks[0], seen.marks[1], "{demo}");
        assert_eq!(
            seen.neighbour[0], seen.neighbour[1],
            "{demo}: the neighbour stands still"
        );
        assert_eq!(seen.neighbour[0], seen.neighbour[2], "{demo}: until it has left");
        assert_eq!(seen.buttons, 0, "{demo}: what leaves cannot be chosen");
    }
}

fn rolls(tab: &Tab<'_>) {
    open(tab, "demo=append-and-roll");
    let (unseen, begins, would_be, lands): ([f64; 2], [f64; 4], [f64; 4], [f64; 4]) = stopped(
        tab,
        11,
        "(() => {
            const starts = start('record/6');
            at(starts - 1);
            const unseen = [opacity(mark('record/6')), opacity(mark('segment/6/6'))];
            const begins = box(mark('record/6'));
            at(1e6);
            return [unseen, begins, box(mark('would-be')), box(mark('record/6'))];
        })()",
    );
    assert_eq!(unseen, [0.0, 0.0], "neither in the log nor in its lane");
    let middle = |edges: [f64; 4]| f64::midpoint(edges[2], edges[3]);
    assert!(
        (middle(begins) - middle(would_be)).abs() < 2.0 && (begins[1] - would_be[1]).abs() < 2.0,
        "it begins at {begins:?}, where it would have stood: {would_be:?}"
    );
    assert!(middle(lands) > middle(would_be) + 20.0, "it lands in the file below");
}

fn renamed(tab: &Tab<'_>) {
    open(tab, "demo=retention-time");
    // Words seen of the files and of the log size: before the hatch, at its end, after the names, and at the end of all.
    let seen: [[usize; 3]; 4] = stopped(
        tab,
        8,
        "[start('segment/0/hatch'), start('file/0/log/name') - 1, start('offset-line/log-start'), 1e6].map((ms) => (at(ms), [
            seen('.deleted'), seen('log start 6'), seen('270 / 300 B'),
        ]))",
    );
    assert_eq!(seen[0], [0, 0, 1], "nothing of it before the hatch");
    assert_eq!(seen[1], [0, 0, 1], "hatched, and named as before");
    assert_eq!(seen[2][0], 3, "then renamed");
    assert_eq!(seen[3], [3, 1, 0], "then the log starts at 6");
}

fn says(tab: &Tab<'_>) {
    open(tab, "demo=find-offset");
    let seen: [[usize; 2]; 2] = stopped(
        tab,
        3,
        "[start('probe/index/1/text'), 1e6].map((ms) => {
            at(ms);
            const texts = [...svg.querySelectorAll('text')].filter((text) => text.textContent.includes('2 ≤ 3') && opacity(text) > 0.5);
            return [texts.length > 0, texts.some((text) => !text.querySelector('[visibility=hidden]'))].map(Number);
        })",
    );
    assert_eq!(seen, [[1, 0], [1, 1]], "2 ≤ 3, then fits");
}

/// A mark that moves: how long that takes, and its edges before the step, at its start, at half time, and at rest.
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
                    // A record's outline comes with the record.
                    if (target.dataset.key?.endsWith('/touched')) continue;
                    animation.pause();
                    const { delay, duration } = animation.effect.getTiming();
                    const edges = [delay, delay + duration / 2, 1e6].map((ms) => {
                        animation.currentTime = ms;
                        return edgesOf(target);
                    });
                    animation.finish();
                    tweens.push({ key: target.dataset.key ?? '', duration, edges: [before.get(target), ...edges] });
                }
                await probe.settle();
            }
            return tweens;
        })()",
    );
    let mut moved = Vec::new();
    for Tween { key, duration, edges } in &tweens {
        assert!(
            [80.0, 160.0, 240.0, 320.0].contains(duration),
            "{key} takes {duration} ms"
        );
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
