//! The model is fetched when it is needed, and not before: recordings play until then.

use serde_json::json;

use crate::server::{Address, Site};
use crate::tab::Tab;
use crate::{Test, host};

pub fn tests() -> Vec<Test> {
    vec![
        Test::new(
            "a_first_visit_fetches_no_wasm_before_the_readers_first_step",
            first_visit,
        ),
        Test::new("a_link_fetches_the_recording_of_its_demo_only", linked),
        Test::new(
            "a_width_takes_the_recording_that_fits_and_another_width_another",
            widths,
        ),
        Test::new("steps_files_and_text_of_an_embedded_demo_need_no_wasm", embedded),
        Test::new("an_input_with_the_focus_needs_the_model", |tab| {
            needed_by(tab, "probe.$('#input-offset').focus()");
        }),
        Test::new("a_pointer_that_rests_on_an_input_needs_the_model", pointed),
        Test::new(
            "a_record_chosen_in_the_picture_needs_the_model_and_shows_its_bytes",
            chosen,
        ),
        Test::new(
            "a_need_that_a_policy_refuses_leaves_the_recording_and_the_reason",
            refused,
        ),
    ]
}

/// Waits until what follows the first frame has come.
fn settled(tab: &Tab<'_>) {
    tab.until("probe.$('details') && probe.$('.insp .four dd')");
}

/// What the document has fetched, from its first request on.
fn fetched(tab: &Tab<'_>) -> Vec<String> {
    tab.ask("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.split('/').slice(2).join('/'))")
}

fn first_visit(tab: &Tab<'_>) {
    let site = tab.site(Site::new());
    tab.open_playing(&site.at(""));
    settled(tab);
    // All that a reader can look at before the first step.
    tab.run("probe.$('.scrub').dispatchEvent(new PointerEvent('pointermove', { clientX: 600, bubbles: true }))");
    for sheet in ["Text", "Files"] {
        tab.click(&format!("probe.button('{sheet}')"));
    }
    tab.until("probe.root().querySelectorAll('.files button').length === 12");
    tab.click("probe.button('Close')");
    let before = fetched(tab);
    assert!(!before.iter().any(|file| file.contains("wasm")), "{before:?}");
    assert_eq!(site.asked_for("pod.wasm"), 0);
    // Styles, script and recording: with the document four requests, and none waits for another of them.
    assert_eq!(
        site.asked("recordings/"),
        ["recordings/find-offset.704.json", "recordings/find-offset.json"]
    );
    let starts: Vec<String> = tab.ask(
        "performance.getEntriesByType('resource').filter(({ initiatorType }) => initiatorType !== 'other' && initiatorType !== 'img')
            .slice(0, 4).map(({ name, initiatorType }) => `${initiatorType} ${name.split('/').pop()}`).sort()",
    );
    assert_eq!(
        starts,
        [
            "link find-offset.704.json",
            "link pod.css",
            "script page.js",
            "script pod.js"
        ]
    );

    tab.click("probe.$('#next')");
    tab.until("probe.read().step === 2");
    assert!(
        tab.wait_for(|| site.asked_for("pod.wasm") == 1),
        "after the first step the model comes when nothing else is to do"
    );
    assert_live(tab);
    tab.assert_quiet_console();
}

/// The model answers, at the step that was shown: other inputs than the recorded ones.
fn assert_live(tab: &Tab<'_>) {
    let step: usize = tab.ask("probe.read().step");
    tab.until("performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.endsWith('pod.wasm') && responseEnd)");
    assert_eq!(
        tab.ask::<usize>("probe.read().step"),
        step,
        "it takes over at the same step"
    );
    tab.run("const field = probe.$('#input-offset'); field.value = '12'; field.dispatchEvent(new Event('change'));");
    tab.until("probe.one().state.endsWith('?offset=12')");
    assert_eq!(tab.ask::<Vec<String>>("probe.read().notes"), Vec::<String>::new());
}

fn linked(tab: &Tab<'_>) {
    let site = tab.site(Site::new());
    tab.open_playing(&site.at("#v1/retention-time/6"));
    settled(tab);
    assert_eq!(tab.ask::<usize>("probe.read().step"), 6);
    assert_eq!(
        site.asked("recordings/"),
        ["recordings/retention-time.704.json", "recordings/retention-time.json"]
    );
    assert_eq!(site.asked_for("pod.wasm"), 0);
    tab.assert_quiet_console();
}

fn widths(tab: &Tab<'_>) {
    // A phone's scroll bar takes no room.
    tab.cdp("Emulation.setScrollbarsHidden", json!({ "hidden": true }));
    tab.size(360, 800);
    let site = tab.site(Site::new());
    tab.open_playing(&site.at(""));
    tab.until("probe.$('details')");
    assert!(tab.ask::<bool>("probe.exact()"));
    tab.size(800, 800);
    tab.until("probe.$('.scene svg').viewBox.baseVal.width === 704");
    let pictures = ["recordings/find-offset.328.json", "recordings/find-offset.704.json"];
    let asked = site.asked("recordings/");
    assert!(
        pictures
            .iter()
            .all(|file| asked.iter().filter(|asked| *asked == file).count() == 1),
        "{asked:?}"
    );
    assert_eq!(site.asked_for("pod.wasm"), 0);
    tab.assert_quiet_console();
}

/// An element in a page of a host's own, which fetches the model on need.
fn open(tab: &Tab<'_>, site: Site) -> Address {
    let body = "<partition-on-disk loading=eager demo=find-offset></partition-on-disk>";
    let site = tab.site(site.page("host.html", &host::page(body)));
    tab.open_playing(&site.at("host.html"));
    settled(tab);
    site
}

fn embedded(tab: &Tab<'_>) {
    let site = open(tab, Site::new());
    let steps: usize = tab.ask("probe.read().steps");
    for step in 2..=steps {
        tab.click("probe.$('#next')");
        tab.until(&format!("probe.read().step === {step}"));
        tab.run("await probe.settle()");
    }
    for sheet in ["Text", "Files"] {
        tab.click(&format!("probe.button('{sheet}')"));
    }
    tab.until("probe.root().querySelectorAll('.files button').length === 12");
    assert!(!fetched(tab).iter().any(|file| file.contains("wasm")));
    assert_eq!(site.asked_for("pod.wasm"), 0);
    tab.assert_quiet_console();
}

fn needed_by(tab: &Tab<'_>, act: &str) {
    let site = open(tab, Site::new());
    assert_eq!(site.asked_for("pod.wasm"), 0);
    tab.run(act);
    assert!(
        tab.wait_for(|| site.asked_for("pod.wasm") == 1),
        "{act} needs the model"
    );
    assert_live(tab);
    tab.assert_quiet_console();
}

fn pointed(tab: &Tab<'_>) {
    let over =
        |kind: &str| format!("probe.$('#input-offset').dispatchEvent(new PointerEvent('{kind}', {{ bubbles: true }}))");
    let pass = format!("{}; {}", over("pointerover"), over("pointerout"));
    let site = open(tab, Site::new());
    // One that passes by needs nothing: its timer is gone before it could end.
    tab.run(&pass);
    assert_eq!(site.asked_for("pod.wasm"), 0);
    needed_by(tab, &over("pointerover"));
}

fn chosen(tab: &Tab<'_>) {
    let site = open(tab, Site::new());
    tab.run("probe.one().seek('scan')");
    assert_eq!(site.asked_for("pod.wasm"), 0);
    tab.click("probe.$('[data-key=\"record/9\"]')");
    tab.until("probe.$('.insp h3')?.textContent.includes('Record 9')");
    assert_eq!(site.asked_for("pod.wasm"), 1);
    tab.assert_quiet_console();
}

fn refused(tab: &Tab<'_>) {
    open(tab, Site::new().policy("script-src 'self'"));
    assert_eq!(
        tab.ask::<Vec<String>>("probe.read().notes"),
        Vec::<String>::new(),
        "nothing was needed yet"
    );
    tab.assert_quiet_console();
    tab.run("probe.$('#input-offset').focus()");
    tab.until("probe.read().notes.some((note) => note.includes(\"'wasm-unsafe-eval'\"))");
    assert!(tab.ask::<bool>("probe.$('#input-offset').disabled"));
    tab.click("probe.$('#next')");
    tab.until("probe.read().step === 2");
}
