//! What host pages do to an element: bad attributes, scenarios of their own, the script twice, moving it about.

use crate::Test;
use crate::host;
use crate::played::Read;
use crate::server::Site;
use crate::tab::Tab;

pub fn tests() -> Vec<Test> {
    vec![
        Test::new(
            "nonsense_in_every_attribute_opens_the_nearest_state_and_tells",
            nonsense,
        ),
        Test::new("attributes_that_change_open_once_what_they_say", changed),
        Test::new("from_and_to_bound_the_steps", bounded),
        Test::new("a_scenario_of_the_hosts_own_plays", own),
        Test::new(
            "a_bad_scenario_is_reported_with_line_and_column_and_harms_nothing",
            bad_scenario,
        ),
        Test::new("the_script_loaded_twice_is_one_element", twice),
        Test::new("an_element_that_is_moved_or_comes_back_stays_at_its_step", moved),
        Test::new("an_element_that_comes_back_elsewhere_is_drawn_for_its_room", elsewhere),
        Test::new("ten_elements_compile_the_model_once", ten),
        Test::new("an_element_below_the_fold_loads_when_it_is_near", lazy),
        Test::new("an_element_that_waits_for_a_click_asks_for_nothing_before", on_click),
        Test::new("no_page_is_wider_than_its_window_from_288_px_up", narrow),
        Test::new("controls_none_still_has_pause_and_next", bare),
    ]
}

fn open(tab: &Tab<'_>, body: &str) {
    let site = tab.site(Site::new().page("host.html", &host::page(body)));
    tab.open_playing(&site.at("host.html"));
}

fn nonsense(tab: &Tab<'_>) {
    open(
        tab,
        "<partition-on-disk loading=never demo=nope step=-3 offset=banana time=x records=many segment-bytes=- retention-ms=1e9 reset=maybe
            from=@x to=99 loop=2 controls=huge theme=pink lang=xx keys=maybe speed=fast wasm-src hash-sync=never></partition-on-disk>",
    );
    tab.until("probe.read().notes.length > 0");
    let Read { notes, .. } = tab.ask("probe.read()");
    assert!(notes.concat().contains("nope"), "{notes:?}");
    assert_eq!(tab.ask::<String>("probe.one().state"), "#v1/find-offset/1");
    tab.click("probe.$('#next')");
    tab.until("probe.read().step === 2");
    tab.assert_console_says_only(&["recordings/nope."]);
}

fn changed(tab: &Tab<'_>) {
    open(
        tab,
        "<partition-on-disk loading=eager demo=find-offset></partition-on-disk>",
    );
    tab.run(
        "probe.events.length = 0;
        const element = probe.one();
        element.setAttribute('demo', 'retention-size');
        element.setAttribute('retention-bytes', '100B');
        element.setAttribute('step', '@delete');",
    );
    tab.until("probe.one().state.startsWith('#v1/retention-size/@delete?retention-bytes=100')");
    tab.run("await probe.frame(); await probe.frame();");
    assert_eq!(
        tab.ask::<usize>("probe.events.filter(({ type }) => type === 'pod-ready').length"),
        1
    );
    tab.run("probe.one().setAttribute('controls', 'mini')");
    tab.until("probe.$('.pod.is-mini')");
    assert!(
        tab.ask::<bool>("probe.one().state.startsWith('#v1/retention-size/@delete')"),
        "looks do not open anew"
    );
}

fn bounded(tab: &Tab<'_>) {
    open(
        tab,
        "<partition-on-disk loading=eager demo=find-offset from=@index to=@scan></partition-on-disk>",
    );
    let (first, last): (usize, usize) = tab.ask("[Number(probe.range().min), Number(probe.range().max)]");
    assert!(first > 1 && last > first);
    assert_eq!(tab.ask::<usize>("probe.read().step"), first);
    for _ in first..last + 2 {
        tab.click("probe.$('#next')");
        tab.run("await probe.settle()");
    }
    assert_eq!(tab.ask::<usize>("probe.read().step"), last);
    assert_eq!(
        tab.ask::<String>("probe.events.findLast(({ type }) => type === 'pod-step').id"),
        "scan"
    );
}

const SCENARIO: &str = "title \"Two segments of one record\"
set segment.bytes=60B
append 40B 50B every=2s
expect segments=0,1
fetch 1
expect answer=1 segment=1
";

fn own(tab: &Tab<'_>) {
    open(
        tab,
        &format!("<partition-on-disk loading=eager><pre slot=scenario>{SCENARIO}</pre></partition-on-disk>"),
    );
    assert_eq!(tab.ask::<Vec<String>>("probe.read().notes"), Vec::<String>::new());
    assert!(
        tab.ask::<String>("probe.$('section').getAttribute('aria-label')")
            .contains("Two segments of one record")
    );
    let words: Vec<String> = tab.ask("(probe.one().step(99), await probe.settle(), probe.words())");
    assert!(words.iter().any(|word| word == "00000000000000000001"), "{words:?}");
    assert!(words.iter().any(|word| word.contains("90 B")), "{words:?}");
    tab.assert_quiet_console();
}

fn bad_scenario(tab: &Tab<'_>) {
    let broken = SCENARIO.replace("append 40B", "append 40X");
    let body = format!(
        "<p id=text>A page.</p>
        <partition-on-disk id=bad loading=eager><pre slot=scenario>{broken}</pre><p id=fallback>The fallback.</p></partition-on-disk>
        <partition-on-disk id=good loading=eager demo=find-offset></partition-on-disk>"
    );
    let site = tab.site(Site::new().page("host.html", &host::page(&body)));
    tab.open(&site.at("host.html"));
    tab.run("probe.selector = '#good'; await probe.until(probe.shown);");
    tab.until("document.getElementById('bad').shadowRoot.querySelector('.note')");
    let note: String = tab.ask("document.getElementById('bad').shadowRoot.querySelector('.note').textContent");
    assert!(
        note.contains('3') && note.contains('8') && note.contains("40X"),
        "line 3, column 8: {note}"
    );
    assert!(tab.ask::<bool>("document.getElementById('fallback').getBoundingClientRect().height > 10"));
    tab.click("probe.$('#next')");
    tab.until("probe.read().step === 2");
    // Mended, it plays.
    tab.ask_with::<serde_json::Value>(
        "(() => { const bad = document.getElementById('bad'); bad.querySelector('pre').textContent = arguments[0]; bad.reset(); })()",
        vec![SCENARIO.into()],
    );
    tab.run("probe.selector = '#bad'; await probe.until(probe.shown);");
    assert_eq!(tab.ask::<Vec<String>>("probe.read().notes"), Vec::<String>::new());
}

fn twice(tab: &Tab<'_>) {
    open(
        tab,
        "<script type=module src=\"pod.js?again\"></script>
        <partition-on-disk loading=eager demo=find-offset></partition-on-disk>",
    );
    tab.run("const again = document.createElement('script'); again.type = 'module'; again.src = 'pod.js?late';
        await new Promise((done, failed) => { again.onload = done; again.onerror = failed; document.head.append(again); });");
    assert_eq!(tab.ask::<usize>("probe.root().querySelectorAll('section').length"), 1);
    tab.click("probe.$('#next')");
    tab.until("probe.read().step === 2");
    tab.assert_quiet_console();
}

fn moved(tab: &Tab<'_>) {
    open(
        tab,
        "<div id=one><partition-on-disk loading=eager live=eager demo=append-and-roll></partition-on-disk></div><div id=two></div>",
    );
    tab.until("probe.exact() && probe.$('details')");
    tab.run("probe.one().seek(4); await probe.settle(); globalThis.kept = probe.one(); globalThis.before = probe.picture();");
    tab.run("document.getElementById('two').append(kept); await probe.frame();");
    assert_eq!(tab.ask::<usize>("probe.read().step"), 4);
    assert!(tab.ask::<bool>("probe.picture() === before"));
    tab.click("probe.$('#next')");
    tab.until("probe.read().step === 5");

    // Taken out while playing, it rests; back again it goes on from there.
    tab.run("await probe.settle(); probe.one().play(); kept.remove(); await probe.frame(); await probe.frame();");
    let away: String = tab.ask("kept.state");
    tab.run("document.getElementById('one').append(kept); await probe.frame();");
    assert_eq!(tab.ask::<String>("kept.state"), away);
    assert!(tab.ask::<bool>("!!probe.button('Play')"));
    let step: usize = tab.ask("probe.read().step");
    tab.run("await probe.settle()");
    tab.click("probe.$('#next')");
    tab.until(&format!("probe.read().step === {}", step + 1));
    // Still heard: one listener, not two.
    tab.run("await probe.settle(); probe.$('#next').focus();");
    tab.press('l');
    assert_eq!(tab.ask::<usize>("probe.read().step"), step + 2);
    tab.assert_quiet_console();
}

fn elsewhere(tab: &Tab<'_>) {
    open(
        tab,
        "<div id=wide><partition-on-disk loading=eager live=eager demo=append-and-roll></partition-on-disk></div>
        <div id=narrow style=\"width:360px\"></div>",
    );
    tab.until("probe.exact() && probe.$('details')");
    tab.run("probe.one().seek(4); await probe.settle(); globalThis.kept = probe.one(); globalThis.before = probe.picture();");
    tab.run("kept.remove(); await probe.frame(); document.getElementById('narrow').append(kept);");
    // In the same task in which it stands there.
    assert!(tab.ask::<bool>("!!probe.$('.pod.is-stacked') && probe.exact()"));
    assert!(tab.ask::<f64>("probe.$('.scene svg').getBoundingClientRect().width") <= 360.0);
    tab.run("kept.remove(); document.getElementById('wide').append(kept);");
    tab.until("probe.exact()");
    assert_eq!(tab.ask::<usize>("probe.read().step"), 4);
    assert!(
        tab.ask::<bool>("probe.picture() === before"),
        "and back again as it was"
    );
    tab.assert_quiet_console();
}

fn ten(tab: &Tab<'_>) {
    let elements: String = crate::played::DEMOS
        .iter()
        .cycle()
        .take(10)
        .map(|demo| {
            format!("<partition-on-disk loading=eager live=eager controls=mini demo={demo}></partition-on-disk>")
        })
        .collect();
    let site = tab.site(Site::new().page("host.html", &host::page(&elements)));
    tab.open_playing(&site.at("host.html"));
    tab.until("[...document.querySelectorAll('partition-on-disk')].every((one) => one.shadowRoot.querySelector('.scene svg [data-key]'))");
    tab.until("performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.endsWith('pod.wasm') && responseEnd)");
    assert_eq!(site.asked_for("pod.wasm"), 1);
    let recordings = site.asked("recordings/");
    for demo in crate::played::DEMOS {
        let of_demo = |file: &&String| file.starts_with(&format!("recordings/{demo}."));
        assert!(
            recordings.iter().filter(of_demo).count() <= 2,
            "{demo} in {recordings:?}"
        );
    }
    tab.assert_quiet_console();
}

fn lazy(tab: &Tab<'_>) {
    let site = tab.site(Site::new());
    tab.open_playing(&site.at(""));
    let chapter = "document.querySelector('#retention partition-on-disk')";
    assert!(
        tab.ask::<bool>(&format!("!{chapter}.shadowRoot.querySelector('.pod')")),
        "far below, still static"
    );
    tab.run(&format!("{chapter}.scrollIntoView()"));
    tab.until(&format!("{chapter}.shadowRoot.querySelector('.scene svg [data-key]')"));
}

fn on_click(tab: &Tab<'_>) {
    let site = tab.site(Site::new().page(
        "host.html",
        &host::page("<partition-on-disk loading=click demo=find-time>The fallback.</partition-on-disk>"),
    ));
    tab.open(&site.at("host.html"));
    tab.until("probe.$('.load')");
    assert!(site.asked("recordings/").is_empty());
    tab.click("probe.$('.load')");
    tab.until("probe.shown() && probe.one().state === '#v1/find-time/1'");
}

fn narrow(tab: &Tab<'_>) {
    let site = tab.site(Site::new().page("host.html", &host::element("demo=find-offset")));
    let mut faults = Vec::new();
    for width in [304, 336, 480, 616, 632, 700, 760, 900, 1040, 1056, 1100, 1200, 1300] {
        tab.size(width, 900);
        tab.open_playing(&site.at("host.html"));
        tab.run("await probe.until(() => probe.$('details'), 'the late parts have come')");
        for demo in crate::played::DEMOS {
            tab.run(&format!("probe.one().setAttribute('demo', '{demo}'); await probe.until(() => probe.one().state.includes('{demo}')); await probe.frame();"));
            let sideways: f64 = tab.ask("probe.read().sideways");
            if sideways > 0.0 {
                faults.push(format!("{demo} in a window of {width} px: {sideways} px wider"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn bare(tab: &Tab<'_>) {
    open(
        tab,
        "<partition-on-disk loading=eager controls=none demo=find-offset></partition-on-disk>",
    );
    let buttons: Vec<String> =
        tab.ask("[...probe.root().querySelectorAll('button')].map((one) => one.getAttribute('aria-label') ?? one.textContent.trim())");
    assert_eq!(buttons, ["Play", "Next"]);
    tab.click("probe.$('#next')");
    tab.until("probe.root().querySelector('[part=narration]').textContent.includes('below the high watermark 20')");
}
