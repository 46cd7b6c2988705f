//! The keys: a demo without a mouse, and what the page around hears of it.

use fantoccini::key::Key;

use crate::server::Site;
use crate::tab::Tab;
use crate::{Test, host};

pub fn tests() -> Vec<Test> {
    vec![
        Test::new(
            "tab_stops_at_demos_inputs_picture_timeline_and_toolbar_and_leaves",
            stops,
        ),
        Test::new("a_demo_is_chosen_changed_and_played_with_keys_alone", alone),
        Test::new("the_picture_is_walked_with_arrows_and_enter_opens_the_bytes", picture),
        Test::new("the_timeline_goes_by_steps_phases_and_ends", timeline),
        Test::new("single_keys_step_play_choose_and_help", singles),
        Test::new("the_page_around_hears_none_of_our_keys_and_all_others", heard),
        Test::new("no_single_key_acts_in_a_field_or_where_keys_are_off", not_here),
    ]
}

/// The part of the element, or the id outside of it, that has the focus.
const WHERE: &str = "(() => {
    const at = probe.focused();
    if (at.getRootNode() === document) return at.id || at.localName;
    if (at.matches('input[type=range]')) return 'timeline';
    const parts = { demos: '.demos', tries: '.try', inputs: 'input, select', picture: '[data-where=scene]', toolbar: '[role=toolbar]' };
    return Object.keys(parts).find((part) => at.closest(parts[part])) ?? at.className;
})()";

/// What the focus is on.
const NAME: &str = "(() => {
    const at = probe.focused();
    return at.dataset.key ?? at.getAttribute('aria-label') ?? at.textContent.trim();
})()";

/// The element between two buttons of the host's, and listeners of the host's on document and window.
fn open(tab: &Tab<'_>, attributes: &str) {
    let body = format!(
        "<button id=before>Before</button>
        <partition-on-disk loading=eager live=eager demo=find-offset {attributes}></partition-on-disk>
        <button id=after>After</button>"
    );
    let site = tab.site(Site::new().page("host.html", &host::page(&body)));
    tab.open_playing(&site.at("host.html"));
    tab.run(
        "await probe.until(() => probe.exact() && probe.$('.insp h3, .insp .sub'), 'the model has come');
        globalThis.heard = [];
        for (const kind of ['keydown', 'keypress', 'keyup'])
            for (const target of [document, window])
                target.addEventListener(kind, ({ key }) => heard.push(`${kind} ${key}`));
        document.getElementById('before').focus();",
    );
}

fn tab_to(tab: &Tab<'_>, part: &str) {
    for _ in 0..8 {
        tab.press(Key::Tab);
        if tab.ask::<String>(WHERE) == part {
            return;
        }
    }
    panic!("Tab does not lead to {part}");
}

fn step(tab: &Tab<'_>) -> usize {
    tab.ask("(await probe.settle(), probe.read().step)")
}

fn stops(tab: &Tab<'_>) {
    open(tab, "");
    let mut way = Vec::new();
    while way.last().is_none_or(|at| at != "after") {
        tab.press(Key::Tab);
        way.push(tab.ask::<String>(WHERE));
        assert!(way.len() < 12, "no way out: {way:?}");
        let ring: bool = tab.ask(
            "(() => {
                const at = probe.focused();
                const rings = [at, at.parentElement].map((one) => getComputedStyle(one)).filter((style) => style.outlineStyle === 'solid');
                return at.matches(':focus-visible') && (at.type === 'range' || at.getRootNode() === document || rings.some(({ outlineWidth }) => outlineWidth === '3px'));
            })()",
        );
        assert!(ring, "the focus cannot be seen on {way:?}");
    }
    // The values to try belong to the input; they are a list of their own, for an arrow key in a field changes its number.
    assert_eq!(
        way,
        ["demos", "inputs", "tries", "picture", "timeline", "toolbar", "after"]
    );
    let mut back = Vec::new();
    for _ in 0..way.len() {
        tab.chord(&[Key::Shift], Key::Tab);
        back.push(tab.ask::<String>(WHERE));
    }
    assert_eq!(
        back,
        ["toolbar", "timeline", "picture", "tries", "inputs", "demos", "before"]
    );
}

fn alone(tab: &Tab<'_>) {
    open(tab, "");
    tab_to(tab, "demos");
    tab.press(Key::Down);
    tab.press(Key::Enter);
    tab.until("probe.one().state.startsWith('#v1/batches/1')");
    tab.press(Key::Up);
    tab.press(Key::Space);
    tab.until("probe.one().state.startsWith('#v1/find-offset/1')");

    tab_to(tab, "inputs");
    tab.chord(&[Key::Control], 'a');
    tab.type_text("12");
    tab.press(Key::Enter);
    tab.until("probe.read().sentence.includes('Offset 12')");

    tab_to(tab, "toolbar");
    assert_eq!(tab.ask::<String>(NAME), "Next");
    let steps: usize = tab.ask("probe.read().steps");
    for at in 2..=steps {
        tab.press(if at % 2 == 0 { Key::Enter } else { Key::Space });
        assert_eq!(step(tab), at);
    }
    assert!(tab.ask::<String>("probe.read().sentence").contains("12"));
    tab.press(Key::Home);
    assert_eq!(tab.ask::<String>(NAME), "Restart");
    tab.press(Key::Enter);
    assert_eq!(step(tab), 1);
    tab.press(Key::Tab);
    assert_eq!(tab.ask::<String>(WHERE), "after", "one press leaves the toolbar");
    tab.assert_quiet_console();
}

fn picture(tab: &Tab<'_>) {
    open(tab, "step=@scan");
    tab_to(tab, "picture");
    assert_eq!(tab.ask::<String>(NAME), "segment/0");
    tab.press(Key::Right);
    assert_eq!(tab.ask::<String>(NAME), "segment/6");
    tab.press(Key::Down);
    assert_eq!(tab.ask::<String>(NAME), "file/6/log");
    tab.press(Key::Down);
    assert_eq!(tab.ask::<String>(NAME), "file/6/index");
    tab.press(Key::Right);
    assert_eq!(tab.ask::<String>(NAME), "file/11/index");
    tab.press(Key::End);
    assert_eq!(tab.ask::<String>(NAME), "record/10");
    tab.press(Key::Left);
    assert_eq!(tab.ask::<String>(NAME), "record/9");
    tab.press(Key::Enter);
    tab.until("probe.$('.insp h3')?.textContent.includes('Record 9')");
    assert!(tab.ask::<bool>("probe.$('.insp .hx').textContent.startsWith('00 00 00 00 00 00 00 09')"));
    tab.press(Key::Escape);
    tab.until("!probe.$('.insp h3')?.textContent.includes('Record 9')");
    assert_eq!(tab.ask::<String>(NAME), "record/9", "Esc gives the focus back");
    assert!(
        tab.ask::<Vec<String>>("heard.filter((key) => !key.endsWith(' Tab'))")
            .is_empty()
    );
}

fn timeline(tab: &Tab<'_>) {
    open(tab, "");
    tab_to(tab, "timeline");
    let steps: usize = tab.ask("probe.read().steps");
    for (key, at) in [
        (Key::Right, 2),
        (Key::Right, 3),
        (Key::Left, 2),
        (Key::End, steps),
        (Key::Home, 1),
    ] {
        tab.press(key);
        assert_eq!(step(tab), at, "after {key:?}");
    }
    let mut phases = vec![step(tab)];
    while phases.last() != Some(&steps) {
        tab.press(Key::PageUp);
        let at = step(tab);
        assert!(at > phases[phases.len() - 1], "Page Up goes on: {phases:?}, {at}");
        phases.push(at);
    }
    assert!(phases.len() >= 4, "four phases and the end: {phases:?}");
    for at in phases.iter().rev().skip(1) {
        tab.press(Key::PageDown);
        assert_eq!(step(tab), *at);
    }
    assert!(
        tab.ask::<Vec<String>>("heard.filter((key) => !key.endsWith(' Tab'))")
            .is_empty()
    );
}

fn singles(tab: &Tab<'_>) {
    open(tab, "");
    tab_to(tab, "picture");
    tab.press('l');
    assert_eq!(step(tab), 2);
    tab.press('L');
    assert_eq!(step(tab), 3);
    tab.press('j');
    assert_eq!(step(tab), 2);
    for event in ["pod-play", "pod-pause"] {
        tab.press('k');
        tab.until(&format!("probe.events.some(({{ type }}) => type === '{event}')"));
    }
    tab.press('?');
    tab.until("probe.$('.sheet .keys')?.textContent.includes('1 to 7')");
    assert!(
        tab.ask::<bool>("!!probe.focused().closest('.sheet')"),
        "the focus goes into what opens"
    );
    tab.press(Key::Escape);
    tab.until("!probe.$('.sheet')");
    assert_eq!(tab.ask::<String>(WHERE), "picture", "and back to where it was");
    for (digit, demo) in ('1'..='7').zip(crate::played::DEMOS) {
        tab.press(digit);
        tab.until(&format!("probe.one().state.startsWith('#v1/{demo}/1')"));
        // The picture's nodes are another demo's now; the focus comes back into the element.
        tab.run("if (probe.focused() === document.body) probe.$('#next').focus();");
    }
}

fn heard(tab: &Tab<'_>) {
    open(tab, "");
    tab.run("probe.$('#next').focus()");
    for key in ['l', 'k', 'k', 'j', '?'] {
        tab.press(key);
    }
    for key in [
        Key::Escape,
        Key::Left,
        Key::Right,
        Key::Home,
        Key::End,
        Key::Enter,
        Key::Space,
    ] {
        tab.press(key);
    }
    tab.run("probe.$('.scene [tabindex=\"0\"]').focus()");
    tab.run("globalThis.panel = probe.$('.insp').textContent");
    for key in [Key::Down, Key::Up, Key::Right, Key::Left, Key::Enter] {
        tab.press(key);
    }
    tab.until("probe.$('.insp').textContent !== panel");
    tab.press(Key::Escape);
    tab.run("probe.$('input[type=range]').focus()");
    for key in [Key::Right, Key::Left, Key::PageUp, Key::PageDown, Key::End, Key::Home] {
        tab.press(key);
    }
    assert_eq!(tab.ask::<Vec<String>>("heard"), Vec::<String>::new());

    let step_before = step(tab);
    tab.run("probe.$('#next').focus()");
    // There is no eighth demo.
    for key in [',', '.', 'n', 'p', 's', 'f', '/', 'x', '8', '0'] {
        tab.run("heard.length = 0");
        tab.press(key);
        let expected: Vec<String> = ["keydown", "keydown", "keypress", "keypress", "keyup", "keyup"]
            .map(|kind| format!("{kind} {key}"))
            .into();
        assert_eq!(tab.ask::<Vec<String>>("heard"), expected);
    }
    // With nothing to close, Esc is the page's; so is everything with Alt, Ctrl or Meta.
    for (held, key, name) in [
        (None, char::from(Key::Escape), "Escape"),
        (Some(Key::Alt), 'j', "j"),
        (Some(Key::Meta), 'k', "k"),
    ] {
        tab.run("heard.length = 0");
        tab.chord(held.as_slice(), key);
        let heard: Vec<String> = tab.ask("heard");
        for kind in ["keydown", "keyup"] {
            let expected = format!("{kind} {name}");
            assert_eq!(
                heard.iter().filter(|one| **one == expected).count(),
                2,
                "{expected}: {heard:?}"
            );
        }
    }
    assert_eq!(step(tab), step_before, "none of those did anything in here");
    assert!(tab.ask::<bool>("!!probe.button('Play')"));
}

fn not_here(tab: &Tab<'_>) {
    open(tab, "");
    tab.run("probe.$('#input-offset').focus()");
    for key in ['l', 'k', '?', 'j'] {
        tab.press(key);
    }
    assert_eq!(step(tab), 1);
    assert!(tab.ask::<bool>("!probe.$('.sheet') && !!probe.button('Play')"));

    open(tab, "keys=off");
    tab.run("probe.$('#next').focus()");
    for key in ['l', '2', '?'] {
        tab.press(key);
    }
    assert_eq!(step(tab), 1);
    assert!(tab.ask::<bool>("!probe.$('.sheet') && probe.one().state.includes('find-offset')"));
    let heard: Vec<String> = tab.ask("heard");
    assert_eq!(heard.len(), 18, "three keys, three events, two listeners: {heard:?}");
    // Keys that come with a control stay.
    tab.press(Key::Enter);
    assert_eq!(step(tab), 2);
}
