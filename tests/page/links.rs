//! Links: what they open, what happens to bad ones, and the way back.

use crate::Test;
use crate::host;
use crate::played::Read;
use crate::server::{Address, Site};
use crate::tab::Tab;

pub fn tests() -> Vec<Test> {
    vec![
        Test::new("a_link_opens_a_phase_with_an_input", opens),
        Test::new("a_bad_link_opens_the_nearest_state_and_says_what_was_wrong", bad),
        Test::new("two_thousand_random_links_open_a_demo_in_working_order", random),
        Test::new("a_value_that_an_input_cannot_have_becomes_the_nearest", nearest),
        Test::new(
            "a_scenario_of_the_host_gets_the_nearest_inputs_too",
            nearest_of_scenario,
        ),
        Test::new("a_step_replaces_the_address_and_a_demo_adds_to_the_history", back),
        Test::new("a_changed_input_goes_into_the_address_and_keeps_the_phase", inputs),
        Test::new("a_value_out_of_range_is_moved_into_it_with_a_note", out_of_range),
        Test::new("a_chapter_anchor_leaves_the_demo_alone", anchors),
        Test::new("two_elements_have_an_address_each", two),
        Test::new("the_copied_link_opens_what_was_shown", copied),
    ]
}

fn open(tab: &Tab<'_>, link: &str) -> Address {
    let site = tab.site(Site::new());
    tab.open_playing(&site.at(link));
    site
}

const HASH: &str = "location.hash";

fn read(tab: &Tab<'_>) -> Read {
    tab.ask("probe.read()")
}

fn opens(tab: &Tab<'_>) {
    open(tab, "#v1/find-offset/@scan?offset=12");
    let shown = read(tab);
    assert_eq!(shown.notes, Vec::<String>::new());
    assert_eq!(tab.ask::<String>("probe.$('#input-offset').value"), "12");
    assert_eq!(
        tab.ask::<String>("probe.events.findLast(({ type }) => type === 'pod-step').id"),
        "scan"
    );
    assert_eq!(
        tab.ask::<String>("probe.one().state"),
        "#v1/find-offset/@scan?offset=12"
    );
    // 12 lies in segment 11, before its first entry: the scan starts at byte 0 and passes over the 45 B of offset 11.
    assert!(
        shown.sentence.contains("offset 11") && shown.sentence.contains("45 B"),
        "{}",
        shown.sentence
    );
    tab.click("probe.$('#next')");
    tab.until("probe.read().sentence.includes('0 + 45 = 45')");
}

fn bad(tab: &Tab<'_>) {
    let cases = [
        ("#v1/compaction/3", "compaction", "find-offset", 1),
        ("#v1/find-offset/@nowhere", "@nowhere", "find-offset", 1),
        ("#v1/find-offset/banana", "banana", "find-offset", 1),
        ("#v1/find-offset/1?offset=banana", "banana", "find-offset", 1),
        ("#v1/find-offset/1?offset=500", "500", "find-offset", 1),
        ("#v1/find-offset/1?colour=red", "colour", "find-offset", 1),
        ("#v1/retention-size/2?retention-bytes=lots", "lots", "retention-size", 2),
        ("#v2/find-offset/1", "v1", "find-offset", 1),
        (
            "#v1/find-offset/1?offset=8&offset=7",
            "more than once",
            "find-offset",
            1,
        ),
    ];
    for (link, word, demo, step) in cases {
        tab.open("about:blank");
        open(tab, link);
        tab.until("probe.read().notes.length > 0");
        let shown = read(tab);
        assert!(shown.notes.concat().contains(word), "{link}: {:?}", shown.notes);
        assert_eq!(tab.ask::<usize>("probe.read().step"), step, "{link}");
        tab.until(&format!("location.hash.startsWith('#v1/{demo}/')"));
        assert!(
            tab.ask::<bool>(&format!("probe.one().state.startsWith('#v1/{demo}/')")),
            "{link}"
        );
        // The demo is in working order.
        tab.click("probe.$('#next')");
        tab.until(&format!("probe.read().step === {}", step + 1));
    }
    tab.open("about:blank");
    open(tab, "#v1/find-offset/99");
    let shown = read(tab);
    assert!(shown.notes.concat().contains("99"), "{:?}", shown.notes);
    assert_eq!(
        tab.ask::<usize>("probe.read().step"),
        shown.steps,
        "the last step is the nearest"
    );
    tab.assert_console_says_only(&["recordings/compaction."]);
}

/// Opens so many links from a seed: pieces of links, right ones and wrong ones, in any order. Answers what was wrong with what came of them.
const RANDOM: &str = "await (async (seed, count) => {
    const below = (n) => {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        return Math.floor((seed / 2147483648) * n);
    };
    const any = (list) => list[below(list.length)];
    const demos = ['find-offset', 'batches', 'append-and-roll', 'find-time', 'retention-time', 'retention-size', 'consumer-offset', 'nope', 'Find', ''];
    const steps = ['1', '2', '7', '12', '99', '0', '-1', '007', '@scan', '@roll', '@index', '@nowhere', '@', 'soon', '1/2', '1e9', ''];
    const keys = ['offset', 'time', 'records', 'segment-bytes', 'retention-ms', 'retention-bytes', 'reset', 'colour', 'offset', 'a b', ''];
    const values = ['0', '8', '12', '21', '-1', '99', '31s', '1h', '300B', '1KiB', '12345678901234567890', 'none', 'earliest', 'banana', 'NaN', '%zz', '%00', '1.5', '', '\u{1F600}'];
    const faults = [];
    const element = probe.one();
    for (let i = 0; i < count; i += 1) {
        const inputs = Array.from({ length: below(4) }, () => any([`${any(keys)}=${any(values)}`, any(keys)]));
        const link = `#${any(['v1', 'v1', 'v1', 'v1', 'v1', 'v1', 'v2', ''])}/${any(demos)}/${any(steps)}${inputs.length ? '?' : ''}${inputs.join('&')}`;
        const opened = new Promise((done) => {
            for (const type of ['pod-ready', 'pod-error']) element.addEventListener(type, () => done(type), { once: true });
            setTimeout(() => done('nothing'), 3000);
        });
        element.state = link;
        const came = await opened;
        const { step, steps: last, notes, sentence } = probe.read();
        const [, demo, at] = element.state.split('/');
        const [, asked, named] = link.split('/');
        const fault = came !== 'pod-ready' ? came
            : !(step >= 1 && step <= last && sentence) ? `step ${step} of ${last}`
            : demo !== asked && !notes.length ? `${element.state} without a note`
            : /^[1-9]\\d*$/.test(named) && step !== Number(named.split('?')[0]) && !notes.length ? `step ${at} without a note`
            : '';
        if (fault) faults.push(`${link}: ${fault}`);
    }
    return faults;
})(...arguments)";

fn random(tab: &Tab<'_>) {
    let site = tab.site(Site::new().page("host.html", &host::element("demo=find-offset")));
    tab.open_playing(&site.at("host.html"));
    tab.until("probe.exact() && probe.$('details')");
    for seed in 0..20 {
        let faults: Vec<String> = tab.ask_with(RANDOM, vec![seed.into(), 100.into()]);
        assert!(faults.is_empty(), "seed {seed}:\n{}", faults.join("\n"));
    }
    // What comes after them all is in working order.
    tab.run(
        "probe.one().state = '#v1/find-offset/1'; await probe.until(() => probe.one().state === '#v1/find-offset/1');",
    );
    tab.click("probe.$('#next')");
    tab.until("probe.read().step === 2");
    tab.assert_quiet_console();
}

fn nearest(tab: &Tab<'_>) {
    let cases = [
        (
            "#v1/find-offset/@scan?offset=12345678901234567890",
            "“12345678901234567890” is not possible (0 to 21), 21 is shown",
            "?offset=21",
        ),
        (
            "#v1/retention-time/@first?retention-ms=1h",
            "“1h” is not possible (40s to 90s), 90s is shown",
            "?retention-ms=90s",
        ),
        (
            "#v1/retention-size/2?retention-bytes=1KiB",
            "“1KiB” is not possible (-1 to 1000B), 1000B is shown",
            "?retention-bytes=1000B",
        ),
        (
            "#v1/append-and-roll/2?segment-bytes=14",
            "“14” is not possible (200B to 600B), 200B is shown",
            "?segment-bytes=200B",
        ),
    ];
    for (link, note, query) in cases {
        tab.open("about:blank");
        open(tab, link);
        tab.until("probe.read().notes.length > 0");
        let shown = read(tab);
        assert!(shown.notes.concat().contains(note), "{link}: {:?}", shown.notes);
        tab.until(&format!("location.hash.endsWith('{query}')"));
        let (demo, _) = link.trim_start_matches("#v1/").split_once('/').expect("a demo");
        assert!(
            tab.ask::<bool>(&format!("location.hash.startsWith('#v1/{demo}/')")),
            "{link}"
        );
        let step: usize = tab.ask("probe.read().step");
        tab.click("probe.$('#next')");
        tab.until(&format!("probe.read().step === {}", step + 1));
        assert_eq!(read(tab).notes, Vec::<String>::new());
    }
    tab.assert_quiet_console();
}

fn nearest_of_scenario(tab: &Tab<'_>) {
    let body = "<partition-on-disk loading=eager offset=7 time=3s><pre slot=scenario>\
input offset=1 range=0..2\nappend 45B x3\nfetch $offset\n</pre></partition-on-disk>";
    let site = tab.site(Site::new().page("host.html", &host::page(body)));
    tab.open_playing(&site.at("host.html"));
    let shown = read(tab);
    assert_eq!(shown.notes.len(), 2, "{:?}", shown.notes);
    assert!(
        shown.notes[0].contains("“7” is not possible (0 to 2), 2 is shown"),
        "{:?}",
        shown.notes
    );
    assert!(shown.notes[1].contains("no input “time”"), "{:?}", shown.notes);
    tab.run("probe.one().step(99); await probe.settle();");
    assert!(read(tab).sentence.contains('2'), "{}", read(tab).sentence);
}

fn back(tab: &Tab<'_>) {
    open(tab, "");
    let length: usize = tab.ask("history.length");
    tab.click("probe.$('#next')");
    tab.until("location.hash === '#v1/find-offset/@segment'");
    assert_eq!(
        tab.ask::<usize>("history.length"),
        length,
        "a step replaces the address"
    );
    tab.click("probe.root().querySelectorAll('.demos button')[2]");
    tab.until("location.hash === '#v1/append-and-roll/1'");
    tab.click("probe.root().querySelectorAll('.demos button')[4]");
    tab.until("location.hash === '#v1/retention-time/1'");
    assert_eq!(
        tab.ask::<usize>("history.length"),
        length + 2,
        "a demo adds to the history"
    );
    tab.back();
    tab.until("probe.one().state === '#v1/append-and-roll/1'");
    tab.back();
    tab.until("probe.one().state === '#v1/find-offset/@segment'");
    assert_eq!(tab.ask::<String>(HASH), "#v1/find-offset/@segment");
    assert_eq!(read(tab).notes, Vec::<String>::new());
}

/// Changes the offset as a reader does.
fn change_offset(tab: &Tab<'_>, value: &str) {
    tab.click("probe.$('#input-offset')");
    tab.chord(&[fantoccini::key::Key::Control], 'a');
    tab.type_text(value);
    tab.press(fantoccini::key::Key::Enter);
}

fn inputs(tab: &Tab<'_>) {
    open(tab, "");
    tab.until("!probe.$('#input-offset').disabled");
    change_offset(tab, "7");
    tab.until("probe.read().sentence.includes('Offset 7')");
    tab.until("location.hash === '#v1/find-offset/1?offset=7'");
    tab.run("probe.one().seek('@scan'); await probe.settle();");
    // Before its segment's first entry: the scan starts at byte 0 and passes over 70 B.
    assert!(read(tab).sentence.contains("70 B"), "{}", read(tab).sentence);
    change_offset(tab, "8");
    tab.until("probe.$('#input-offset').value === '8' && probe.read().sentence.includes('offset 8')");
    assert!(
        tab.ask::<String>("probe.one().state").contains("@scan"),
        "the same phase"
    );
    change_offset(tab, "20");
    tab.until("probe.one().state.endsWith('offset=20')");
    tab.run("probe.$('#next').click(); await probe.settle();");
    let words: Vec<String> = tab.ask("(probe.one().step(99), await probe.settle(), probe.words())");
    assert!(words[0].contains("nothing to read yet"), "{}", words[0]);
    // A value to try, with one press.
    tab.click("probe.root().querySelector('.try button')");
    tab.until("probe.one().state.includes('offset=8')");
    // The default leaves the link.
    change_offset(tab, "9");
    tab.until("location.hash.startsWith('#v1/find-offset/') && !location.hash.includes('?')");
}

fn out_of_range(tab: &Tab<'_>) {
    open(tab, "");
    tab.until("!probe.$('#input-offset').disabled");
    change_offset(tab, "99");
    tab.until("probe.$('#input-offset').value === '21'");
    let shown = read(tab);
    assert!(
        shown.notes.concat().contains("99") && shown.notes.concat().contains("21"),
        "{:?}",
        shown.notes
    );
    change_offset(tab, "e");
    tab.until("probe.$('#input-offset').value === '9'");
    assert!(read(tab).notes.len() == 1, "{:?}", read(tab).notes);
    tab.click("probe.$('#next')");
    tab.until("probe.read().step === 2 && probe.read().notes.length === 0");
}

fn anchors(tab: &Tab<'_>) {
    open(tab, "#v1/append-and-roll/3");
    tab.run("location.hash = '#retention'; await probe.frame();");
    assert_eq!(tab.ask::<String>("probe.one().state"), "#v1/append-and-roll/3");
    assert_eq!(read(tab).notes, Vec::<String>::new());
    assert!(tab.ask::<bool>("Math.abs(document.getElementById('retention').getBoundingClientRect().y) < 100"));
}

fn two(tab: &Tab<'_>) {
    let body = "<partition-on-disk id=a hash-sync loading=eager demo=find-offset></partition-on-disk>
        <partition-on-disk id=b hash-sync loading=eager demo=find-time></partition-on-disk>";
    let site = tab.site(Site::new().page("host.html", &host::page(body)));
    tab.open_playing(&site.at("host.html#pod-b=v1/append-and-roll/3"));
    tab.until("document.getElementById('b').state === '#v1/append-and-roll/3'");
    assert_eq!(
        tab.ask::<String>("document.getElementById('a').state"),
        "#v1/find-offset/1"
    );
    tab.click("probe.$('#next')");
    tab.until("location.hash === '#pod-a=v1/find-offset/@segment'");
    assert_eq!(
        tab.ask::<String>("document.getElementById('b').state"),
        "#v1/append-and-roll/3"
    );
}

fn copied(tab: &Tab<'_>) {
    open(tab, "#v1/retention-size/@delete?retention-bytes=680B");
    tab.until("probe.button('Copy link')");
    tab.run(
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.clipboard = text; } } });",
    );
    tab.click("probe.button('Copy link')");
    tab.until("globalThis.clipboard && probe.button('Copied')");
    let link: String = tab.ask("clipboard");
    let before: String = tab.ask("probe.picture()");
    tab.open("about:blank");
    tab.open_playing(&link);
    tab.until("probe.one().state.includes('680')");
    assert_eq!(tab.ask::<String>("(await probe.settle(), probe.picture())"), before);
    // A page may refuse; then the link stands there to be copied by hand.
    tab.run("Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } });");
    tab.click("probe.button('Copy link')");
    tab.until("probe.read().notes.some((note) => note.includes('#v1/retention-size/@delete'))");
}
