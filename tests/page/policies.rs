//! What a host's policy, server or way of embedding leaves of the element: live where wasm may run, recorded where not, never nothing.

use serde_json::json;

use crate::played::{DEMOS, Read};
use crate::server::Site;
use crate::tab::Tab;
use crate::{Test, host};

pub fn tests() -> Vec<Test> {
    let mut tests = vec![
        Test::new("no_policy_live", |tab| live_under(tab, None)),
        Test::new("wasm_unsafe_eval_and_style_src_self_live", |tab| {
            live_under(tab, Some("script-src 'self' 'wasm-unsafe-eval'; style-src 'self'"));
        }),
        Test::new("trusted_types_live", |tab| {
            live_under(
                tab,
                Some("script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; require-trusted-types-for 'script'"),
            );
        }),
        Test::new("trusted_types_that_name_lit_html_live", |tab| {
            live_under(
                tab,
                Some(
                    "script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; require-trusted-types-for 'script'; trusted-types lit-html",
                ),
            );
        }),
        Test::new("trusted_types_that_name_others_leave_the_fallback", other_names),
        Test::new("script_src_self_recorded_with_the_reason", |tab| {
            let site = Site::new().policy("script-src 'self'");
            recorded_on(tab, site, "csp", &["'wasm-unsafe-eval'"]);
            let violations: Vec<String> = tab.ask("probe.violations");
            assert!(violations.iter().all(|one| one.contains("wasm-eval")), "{violations:?}");
        }),
        Test::new("an_iframe_by_url_under_a_strict_host_live", frame_by_url),
        Test::new("an_iframe_by_srcdoc_inherits_the_policy_recorded", frame_by_srcdoc),
        Test::new("a_page_opened_from_a_file_keeps_its_static_picture_and_text", from_file),
        Test::new("wasm_missing_recorded_with_the_reason", |tab| {
            recorded_on(tab, Site::new().without("pod.wasm"), "fetch", &["pod.wasm", "404"]);
        }),
        Test::new("wasm_answered_by_a_page_recorded_with_the_reason", |tab| {
            let site = Site::new().reply("pod.wasm", 200, "text/html", b"<!doctype html>welcome".to_vec());
            recorded_on(tab, site, "magic", &["pod.wasm", "text/html"]);
        }),
        Test::new("wasm_under_another_type_live", other_type),
    ];
    tests.extend(DEMOS.map(|demo| {
        Test::new(format!("{demo}_recorded_is_the_live_one_mark_by_mark"), move |tab| {
            same(tab, demo)
        })
    }));
    tests
}

/// Fails unless the model itself answers: another offset than the recorded one.
fn assert_live(tab: &Tab<'_>) {
    tab.until("probe.$('#input-offset') && !probe.$('#input-offset').disabled");
    tab.run("probe.one().seek(1)");
    tab.ask_with::<serde_json::Value>(
        "(() => { const field = probe.$('#input-offset'); field.value = arguments[0]; field.dispatchEvent(new Event('change')); })()",
        vec![json!("12")],
    );
    tab.until("probe.read().sentence.includes('Offset 12')");
    assert_eq!(tab.ask::<Vec<String>>("probe.read().notes"), Vec::<String>::new());
}

fn play_to_the_end(tab: &Tab<'_>) {
    let steps: usize = tab.ask("probe.read().steps");
    assert!(steps >= 5);
    for step in 2..=steps {
        tab.click("probe.$('#next')");
        tab.until(&format!("probe.read().step === {step}"));
        tab.run("await probe.settle()");
    }
}

fn live_under(tab: &Tab<'_>, policy: Option<&str>) {
    let site = Site::new().page("host.html", &host::element("demo=find-offset"));
    let site = tab.site(match policy {
        Some(policy) => site.policy(policy),
        None => site,
    });
    tab.open_playing(&site.at("host.html"));
    play_to_the_end(tab);
    assert_live(tab);
    // The timeline's ticks stand by CSSOM, the rest by the adopted sheet.
    assert_eq!(
        tab.ask::<String>("getComputedStyle(probe.$('.scrub i:nth-of-type(2)')).position"),
        "absolute"
    );
    assert_ne!(tab.ask::<String>("probe.$('.scrub').style.getPropertyValue('--p')"), "");
    assert_eq!(tab.ask::<Vec<String>>("probe.violations"), Vec::<String>::new());
    tab.assert_quiet_console();
}

fn other_names(tab: &Tab<'_>) {
    let policy = "script-src 'self' 'wasm-unsafe-eval'; require-trusted-types-for 'script'; trusted-types other";
    let body = "<partition-on-disk loading=eager><p id=fallback>The fallback.</p></partition-on-disk>";
    let site = tab.site(Site::new().policy(policy).page("host.html", &host::page(body)));
    tab.open(&site.at("host.html"));
    tab.until("probe.violations.length > 0");
    assert!(tab.ask::<bool>("document.getElementById('fallback').checkVisibility()"));
    assert!(tab.ask::<bool>("document.getElementById('fallback').getBoundingClientRect().height > 10"));
}

/// Fails unless the recorded demo plays to its end and back, inputs are disabled, and one line says why.
fn recorded_on(tab: &Tab<'_>, site: Site, code: &str, reason: &[&str]) {
    let site = tab.site(site.page("host.html", &host::element("demo=find-offset")));
    tab.open_playing(&site.at("host.html"));
    tab.until("probe.read().notes.length > 0");
    assert_recorded(tab, reason);
    let reported: String = tab.ask("probe.events.find(({ type }) => type === 'pod-error').code");
    assert_eq!(reported, code);
}

fn assert_recorded(tab: &Tab<'_>, reason: &[&str]) {
    let before: Read = tab.ask("probe.read()");
    assert_eq!(before.notes.len(), 1, "{:?}", before.notes);
    for word in reason {
        assert!(before.notes[0].contains(word), "{:?}", before.notes);
    }
    assert!(
        tab.ask::<bool>("probe.$('.note').getBoundingClientRect().height < 40"),
        "one line"
    );
    let enabled: Vec<String> = tab.ask(
        "[...probe.root().querySelectorAll('.field :is(input, button), .try button')].filter((one) => !one.disabled).map((one) => one.textContent)",
    );
    assert!(
        enabled.is_empty(),
        "inputs wait for a model that will not come: {enabled:?}"
    );
    play_to_the_end(tab);
    let end: Read = tab.ask("probe.read()");
    assert!(end.sentence.contains("110 B"), "{}", end.sentence);
    assert_eq!(end.notes, before.notes, "the reason stays");
    tab.click("probe.button('Restart')");
    tab.until("probe.read().step === 1");
}

fn frame_by_url(tab: &Tab<'_>) {
    let inner = tab.site(Site::new().page("frame.html", &host::element("demo=find-offset")));
    let outer = host::page(&format!(
        "<iframe title=\"Partition on Disk\" width=1300 height=700 src=\"{}\"></iframe>",
        inner.at("frame.html")
    ));
    let site = tab.site(Site::new().policy("script-src 'self'").page("host.html", &outer));
    tab.open(&site.at("host.html"));
    into_frame(tab);
    assert_live(tab);
}

fn frame_by_srcdoc(tab: &Tab<'_>) {
    let inner = "<!doctype html><script type=module src=pod.js></script><partition-on-disk demo=find-offset loading=eager live=eager></partition-on-disk>";
    let outer = host::page(&format!(
        "<iframe title=\"Partition on Disk\" width=1300 height=700 srcdoc=\"{inner}\"></iframe>"
    ));
    let site = tab.site(Site::new().policy("script-src 'self'").page("host.html", &outer));
    tab.open(&site.at("host.html"));
    into_frame(tab);
    tab.until("probe.read().notes.length > 0");
    assert!(tab.ask::<bool>("probe.$('#input-offset').disabled"));
    let steps: usize = tab.ask("probe.read().steps");
    tab.run(
        "for (let step = 1; step < probe.read().steps; step += 1) { probe.$('#next').click(); await probe.settle(); }",
    );
    assert_eq!(tab.ask::<usize>("probe.read().step"), steps);
}

/// From here on the tab's questions go to the frame, once it shows its first picture.
fn into_frame(tab: &Tab<'_>) {
    tab.until("frames[0]?.probe && frames[0].document.querySelector('partition-on-disk')?.shadowRoot && frames[0].probe.shown()");
    tab.enter_frame();
}

fn from_file(tab: &Tab<'_>) {
    let file = tab.dist().join("index.html");
    let file = file.canonicalize().expect("the page exists");
    tab.open(&format!("file:{}", file.display()));
    assert!(
        tab.ask::<bool>("!customElements.get('partition-on-disk')"),
        "modules are refused there"
    );
    let text: String = tab.ask("document.querySelector('partition-on-disk').textContent");
    for base in [
        "00000000000000000000",
        "00000000000000000006",
        "00000000000000000011",
        "00000000000000000017",
    ] {
        assert!(text.contains(base), "{base}");
    }
    assert!(tab.ask::<bool>("document.querySelector('partition-on-disk .still').getBoundingClientRect().height > 100"));
}

fn other_type(tab: &Tab<'_>) {
    let wasm = std::fs::read(tab.dist().join("pod.wasm")).expect("the page has its wasm");
    let site = Site::new().page("host.html", &host::element("demo=find-offset")).reply(
        "pod.wasm",
        200,
        "application/octet-stream",
        wasm,
    );
    let site = tab.site(site);
    tab.open_playing(&site.at("host.html"));
    assert_live(tab);
    assert_eq!(
        site.asked_for("pod.wasm"),
        1,
        "the bytes that came are tried again, not asked for again"
    );
}

/// All steps of a demo: sentence and picture.
fn steps_of(tab: &Tab<'_>, site: Site, demo: &str, live: bool) -> Vec<(String, String)> {
    // The element is 712 px wide, so its picture 704, a width that is recorded.
    tab.size(728, 900);
    let site = tab.site(site.page("host.html", &host::element(&format!("controls=mini demo={demo}"))));
    tab.open_playing(&site.at("host.html"));
    if live {
        tab.until("performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.endsWith('pod.wasm') && responseEnd)");
    }
    assert_eq!(
        tab.ask::<f64>("probe.$('.scene svg').getBoundingClientRect().width"),
        704.0
    );
    tab.ask(
        "await (async () => {
            const steps = [];
            for (;;) {
                await probe.settle();
                steps.push([probe.read().sentence, probe.picture()]);
                if (probe.read().step === probe.read().steps) return steps;
                probe.$('#next').click();
            }
        })()",
    )
}

fn same(tab: &Tab<'_>, demo: &str) {
    let recorded = steps_of(tab, Site::new().policy("script-src 'self'"), demo, false);
    let live = steps_of(tab, Site::new(), demo, true);
    assert_eq!(recorded.len(), live.len());
    for (step, (recorded, live)) in recorded.iter().zip(&live).enumerate() {
        assert_eq!(recorded.0, live.0, "sentence of step {}", step + 1);
        for (recorded, live) in recorded.1.lines().zip(live.1.lines()) {
            assert_eq!(recorded, live, "a mark of step {}", step + 1);
        }
        assert_eq!(
            recorded.1.lines().count(),
            live.1.lines().count(),
            "marks of step {}",
            step + 1
        );
    }
}
