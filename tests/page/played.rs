//! Each demo is played to its end and back, in every arrangement.

use serde::Deserialize;
use serde_json::json;

use crate::server::Site;
use crate::tab::Tab;
use crate::{Test, host};

/// The demos in the order of the list.
pub const DEMOS: [&str; 7] = [
    "find-offset",
    "batches",
    "append-and-roll",
    "find-time",
    "retention-time",
    "retention-size",
    "consumer-offset",
];

/// Viewports whose element at the top is stacked, in columns, and open.
const WIDTHS: [(u32, &str); 3] = [(360, "stacked"), (800, "columns"), (1440, "open")];

pub fn tests() -> Vec<Test> {
    let each = WIDTHS.iter().flat_map(|&(width, arrangement)| {
        DEMOS.map(|demo| {
            Test::new(
                format!("{demo}_plays_to_its_end_and_back_{arrangement}"),
                move |tab: &Tab<'_>| play(tab, demo, width, arrangement),
            )
        })
    });
    each.chain([
        Test::new("what_arrives_after_the_picture_changes_no_height", late),
        Test::new("the_sentence_is_spoken_once_half_a_second_after_the_last_key", spoken),
    ])
    .collect()
}

/// What a reader sees at a step.
#[derive(Debug, Deserialize)]
pub struct Read {
    pub steps: usize,
    pub sentence: String,
    pub live: String,
    pub count: String,
    pub valuetext: String,
    pub notes: Vec<String>,
    pub height: f64,
    pub sideways: f64,
}

/// A text of the picture: its ink, in px from the picture's upper left corner.
#[derive(Debug, Deserialize)]
struct Text {
    text: String,
    key: String,
    size: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    width: f64,
    height: f64,
}

#[derive(Debug, Deserialize)]
struct Seen {
    read: Read,
    texts: Vec<Text>,
    picture: String,
}

#[derive(Debug, Deserialize)]
struct Shift {
    value: f64,
    moved: Vec<String>,
}

/// Waits for a step and reads all of it.
fn see(tab: &Tab<'_>, step: usize) -> Seen {
    tab.until(&format!("probe.read().step === {step}"));
    tab.ask("(await probe.settle(), { read: probe.read(), texts: probe.texts(), picture: probe.picture() })")
}

fn play(tab: &Tab<'_>, demo: &str, width: u32, arrangement: &str) {
    tab.size(width, 900);
    // A phone's scroll bar takes no room.
    tab.cdp("Emulation.setScrollbarsHidden", json!({ "hidden": width < 600 }));
    let site = tab.site(Site::new());
    tab.open_playing(&site.at(&format!("#v1/{demo}/1")));
    assert!(tab.ask::<bool>(&format!("!!probe.$('.pod.is-{arrangement}')")));

    // With the model each picture is of just its width.
    tab.run("probe.one().setAttribute('live', 'eager')");
    tab.until("probe.exact() && probe.$('details')");
    let mut seen = vec![see(tab, 1)];
    if demo != DEMOS[0] {
        // The page keeps room for the first demo; a link to another one may need more or less of it, once.
        tab.run("probe.shifts.length = 0");
    }
    let steps = seen[0].read.steps;
    assert!(steps >= 5, "{demo} has {steps} steps only");
    for step in 2..=steps {
        tab.click("probe.$('#next')");
        seen.push(see(tab, step));
    }
    assert!(tab.ask::<bool>("probe.$('#next').getAttribute('aria-disabled') === 'true'"));

    let mut faults = Vec::new();
    for (index, Seen { read, texts, .. }) in seen.iter().enumerate() {
        let at = format!("{demo} {arrangement} step {}", index + 1);
        faults.extend(
            text_faults(read, index + 1, steps)
                .into_iter()
                .map(|fault| format!("{at}: {fault}")),
        );
        faults.extend(legible(texts).into_iter().map(|fault| format!("{at}: {fault}")));
        if read.height != seen[0].read.height {
            let [before, now] = [seen[0].read.height, read.height];
            faults.push(format!("{at}: {now} px high, and {before} before"));
        }
        if read.sideways > 0.0 {
            faults.push(format!("{at}: the page is {} px wider than the window", read.sideways));
        }
    }
    for step in (1..steps).rev() {
        tab.click("probe.button('Back')");
        let again = see(tab, step);
        let before = &seen[step - 1];
        if again.read.sentence != before.read.sentence {
            faults.push(format!("{demo} back at step {step} says “{}”", again.read.sentence));
        }
        if again.picture != before.picture {
            let (now, then) = first_difference(&again.picture, &before.picture);
            faults.push(format!("{demo} back at step {step} shows {now}, and {then} before"));
        }
    }
    let shifts: Vec<Shift> = tab.ask("probe.shifts");
    faults.extend(
        shifts
            .iter()
            .map(|shift| format!("{demo} {arrangement} shifts by {}: {:?}", shift.value, shift.moved)),
    );
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    tab.assert_quiet_console();
}

/// What is wrong with a step's words and counters.
fn text_faults(read: &Read, step: usize, steps: usize) -> Vec<String> {
    let mut faults = Vec::new();
    let count = format!("{step} of {steps}");
    if read.count != count {
        faults.push(format!("the counter says “{}”", read.count));
    }
    let valuetext = format!("step {step} of {steps}, {}", read.sentence);
    if read.valuetext != valuetext {
        faults.push(format!(
            "the timeline says “{}”, the live region “{}”",
            read.valuetext, read.sentence
        ));
    }
    let length = read.sentence.chars().count();
    if !(10..=140).contains(&length) {
        faults.push(format!("a sentence of {length} characters: “{}”", read.sentence));
    }
    if !read.notes.is_empty() {
        faults.push(format!("notes {:?}", read.notes));
    }
    faults
}

/// What is wrong with the texts of a picture: too small, outside of it, one over another.
fn legible(texts: &[Text]) -> Vec<String> {
    let mut faults = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        if text.size < 11.99 {
            faults.push(format!("“{}” ({}) is {:.2} px high", text.text, text.key, text.size));
        }
        if text.left < -0.5 || text.right > text.width + 0.5 || text.top < -0.5 || text.bottom > text.height + 0.5 {
            faults.push(format!("“{}” ({}) leaves the picture: {text:?}", text.text, text.key));
        }
        for other in &texts[index + 1..] {
            let across = text.right.min(other.right) - text.left.max(other.left);
            let down = text.bottom.min(other.bottom) - text.top.max(other.top);
            if across > 0.5 && down > 0.5 {
                faults.push(format!(
                    "“{}” ({}) lies over “{}” ({}) by {across:.1} × {down:.1} px",
                    text.text, text.key, other.text, other.key
                ));
            }
        }
    }
    faults
}

fn first_difference<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str) {
    let mut lines = a.lines().zip(b.lines());
    lines
        .find(|(a, b)| a != b)
        .unwrap_or(("more or fewer marks", "the same up to there"))
}

fn late(tab: &Tab<'_>) {
    let mut faults = Vec::new();
    for (width, arrangement) in WIDTHS {
        tab.size(width, 900);
        for demo in DEMOS {
            let site = tab.site(Site::new().page("host.html", &host::element(&format!("demo={demo}"))));
            tab.open_playing(&site.at("host.html"));
            tab.until("probe.exact() && probe.$('details')");
            let (first, now): (f64, f64) =
                tab.ask("[probe.events.find(({ type }) => type === 'pod-ready').height, probe.read().height]");
            if first != now {
                faults.push(format!(
                    "{demo} {arrangement}: {first} px high at first, {now} px with all its parts"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn spoken(tab: &Tab<'_>) {
    let site = tab.site(Site::new());
    tab.open_playing(&site.at("#v1/find-offset/1"));
    // What a screen reader would hear: the texts written while the region was live.
    tab.run(
        "globalThis.heard = [];
        const region = probe.$('[part=narration]');
        new MutationObserver(() => {
            if (region.getAttribute('aria-live') === 'polite') heard.push([region.textContent, performance.now()]);
        }).observe(region, { childList: true });",
    );
    for _ in 0..3 {
        tab.click("probe.$('#next')");
        tab.run("await probe.settle()");
    }
    tab.run("globalThis.last = performance.now(); probe.$('#next').click(); await probe.settle();");
    let Read { live, sentence, .. } = tab.ask("probe.read()");
    assert_eq!(live, "off", "while the reader steps on, nothing is spoken");
    tab.until("heard.length > 0");
    let (text, after): (String, f64) = tab.ask("[heard.at(-1)[0], heard.at(-1)[1] - last]");
    assert_eq!(text, sentence);
    assert!(after >= 490.0, "spoken after {after} ms");
    assert_eq!(tab.ask::<usize>("heard.length"), 1, "spoken once, not at every step");
    assert_eq!(
        tab.ask::<String>("probe.$('[part=narration]').getAttribute('role')"),
        "status"
    );
    assert_eq!(
        tab.ask::<String>("probe.$('[part=narration]').getAttribute('aria-atomic')"),
        "true"
    );
}
