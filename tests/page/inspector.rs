//! What the reader picks: answers, bytes, and files to take away.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::Test;
use crate::host;
use crate::server::Site;
use crate::tab::Tab;

pub fn tests() -> Vec<Test> {
    vec![
        Test::new("record_9_shows_its_50_bytes_with_their_fields", record),
        Test::new("an_index_entry_shows_its_8_bytes_and_a_time_entry_its_12", entries),
        Test::new("a_file_shows_what_is_in_it", file),
        Test::new(
            "where_there_is_no_room_the_inspector_opens_over_the_picture_and_closes",
            overlay,
        ),
        Test::new("a_pick_is_answered_right_or_wrong", picks),
        Test::new("downloads_are_as_long_as_kafkas_files", downloads),
        Test::new("a_preview_of_the_timeline_tells_a_step_and_goes", preview),
    ]
}

fn open(tab: &Tab<'_>, attributes: &str) {
    let site = tab.site(Site::new().page("host.html", &host::element(attributes)));
    tab.open_playing(&site.at("host.html"));
    // Bytes and files are the model's; a recording has none for every step.
    tab.until("probe.exact() && probe.$('details')");
}

fn pick(tab: &Tab<'_>, key: &str, title: &str) {
    // The picture's group is not a box of its own; its first rectangle is clicked.
    tab.click(&format!(
        "probe.$('[data-key=\"{key}\"] rect') ?? probe.$('[data-key=\"{key}\"]')"
    ));
    tab.until(&format!("probe.$('.insp h3')?.textContent.includes('{title}')"));
}

/// The bytes on show, in hex.
fn bytes(tab: &Tab<'_>) -> Vec<String> {
    let hex: String =
        tab.ask("[...probe.root().querySelectorAll('.insp .hx')].map((one) => one.textContent.trim()).join(' ')");
    hex.split_whitespace().map(String::from).collect()
}

/// The fields on show: name and value.
fn fields(tab: &Tab<'_>) -> Vec<(String, String)> {
    tab.ask("[...probe.root().querySelectorAll('.insp .fld')].map((one) => [one.querySelector('.nm').textContent.trim(), one.querySelector('.vl').textContent.trim()])")
}

fn value(fields: &[(String, String)], name: &str) -> String {
    fields
        .iter()
        .find(|(field, _)| field == name)
        .unwrap_or_else(|| panic!("no field {name} in {fields:?}"))
        .1
        .clone()
}

fn record(tab: &Tab<'_>) {
    open(tab, "demo=find-offset step=@scan");
    pick(tab, "record/9", "Record 9");
    assert!(tab.ask::<String>("probe.$('.insp h3').textContent").contains("50 B"));
    let bytes = bytes(tab);
    assert_eq!(bytes.len(), 50, "{bytes:?}");
    assert_eq!(bytes[..8].join(" "), "00 00 00 00 00 00 00 09");
    // 50 B less the 12 B of offset and size are 38; the time of the tenth record is 20 s.
    assert_eq!(bytes[8..12].join(" "), "00 00 00 26");
    assert_eq!(bytes[18..26].join(" "), "00 00 00 00 00 00 4e 20");
    let fields = fields(tab);
    assert_eq!(value(&fields, "offset"), "9");
    assert_eq!(value(&fields, "size"), "38");
    assert_eq!(value(&fields, "magic"), "1");
    assert_eq!(value(&fields, "timestamp"), "20,000 ms");
    // A step further the inspector follows the step again.
    tab.click("probe.$('#next')");
    tab.run("await probe.settle()");
    tab.assert_quiet_console();
}

fn entries(tab: &Tab<'_>) {
    open(tab, "demo=find-offset step=@scan");
    pick(tab, "entry/6/index/0", "Entry 0 of .index");
    assert_eq!(bytes(tab).join(" "), "00 00 00 02 00 00 00 73");
    assert!(value(&fields(tab), "position").contains("115"));
    pick(tab, "entry/6/timeindex/1", "Entry 1 of .timeindex");
    assert_eq!(bytes(tab).join(" "), "00 00 00 00 00 00 55 f0 00 00 00 04");
}

fn file(tab: &Tab<'_>) {
    open(tab, "demo=find-offset step=@scan");
    for (kind, size) in [("log", "260 B"), ("index", "16 B"), ("timeindex", "24 B")] {
        tab.click(&format!(
            "probe.$('[data-key=\"file/6/{kind}\"] rect') ?? probe.$('[data-key=\"file/6/{kind}\"]')"
        ));
        tab.until(&format!("probe.$('.insp').textContent.includes('.{kind}')"));
        let words: String = tab.ask("probe.$('.insp').textContent");
        assert!(words.contains(size), "{words}");
    }
}

fn overlay(tab: &Tab<'_>) {
    tab.size(360, 740);
    open(tab, "demo=find-offset step=@scan");
    assert!(tab.ask::<bool>("!probe.$('.insp')"));
    let before: f64 = tab.ask("probe.read().height");
    pick(tab, "record/9", "Record 9");
    assert_eq!(bytes(tab).len(), 50);
    assert_eq!(tab.ask::<f64>("probe.read().height"), before, "nothing makes room");
    assert_eq!(
        tab.ask::<String>("probe.focused().getAttribute('aria-label')"),
        "Close the inspector"
    );
    tab.press(fantoccini::key::Key::Escape);
    tab.until("!probe.$('.insp')");
    assert_eq!(tab.ask::<String>("probe.focused().dataset.key"), "record/9");
    pick(tab, "record/8", "Record 8");
    tab.click("probe.$('.insp .shut')");
    tab.until("!probe.$('.insp')");
}

fn picks(tab: &Tab<'_>) {
    open(tab, "demo=find-offset step=2");
    let plain: String = tab.ask("probe.read().sentence");
    for (segment, word) in [
        (6, "Yes: 6"),
        (0, "Not there: segment 0"),
        (17, "Not there: segment 17"),
    ] {
        open(tab, "demo=find-offset");
        tab.click(&format!("probe.$('[data-key=\"segment/{segment}\"] rect')"));
        tab.until("probe.read().step === 2");
        let sentence: String = tab.ask("(await probe.settle(), probe.read().sentence)");
        assert!(sentence.starts_with(word), "{sentence}");
        assert!(
            sentence.ends_with(&plain),
            "the answer stands before “{plain}”: “{sentence}”"
        );
        assert_eq!(tab.ask::<String>("probe.focused().id"), "next", "Next is at hand");
    }
}

fn downloads(tab: &Tab<'_>) {
    open(tab, "demo=find-offset");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("downloads");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder for tests is writable");
    tab.cdp(
        "Browser.setDownloadBehavior",
        json!({ "behavior": "allow", "downloadPath": folder.display().to_string() }),
    );
    tab.until("probe.button('Files')");
    tab.click("probe.button('Files')");
    tab.until("probe.$('.files')");
    // The indexes of the active segment are preallocated: 10 MiB, cut to whole entries.
    let lengths = [
        ("00000000000000000006.log", 260),
        ("00000000000000000006.index", 16),
        ("00000000000000000006.timeindex", 24),
        ("00000000000000000000.timeindex", 36),
        ("00000000000000000017.log", 120),
        ("00000000000000000017.index", 10_485_760),
        ("00000000000000000017.timeindex", 10_485_756),
    ];
    let names: Vec<String> = tab.ask("[...probe.root().querySelectorAll('.files code')].map((one) => one.textContent)");
    assert_eq!(names.len(), 12, "{names:?}");
    for (name, length) in lengths {
        tab.click(&format!(
            "[...probe.root().querySelectorAll('.files button')].find((one) => one.textContent.includes('{name}'))"
        ));
        let file = folder.join(name);
        let arrived = tab.wait_for(|| fs::metadata(&file).is_ok_and(|found| found.len() == length));
        assert!(
            arrived,
            "{name}: {length} B, not {:?}",
            fs::metadata(&file).map(|found| found.len())
        );
    }
    let log = fs::read(folder.join("00000000000000000006.log")).expect("downloaded above");
    assert_eq!(log[150..158], [0, 0, 0, 0, 0, 0, 0, 9], "offset 9 begins at byte 150");
    let index = fs::read(folder.join("00000000000000000006.index")).expect("downloaded above");
    assert_eq!(index, [0, 0, 0, 2, 0, 0, 0, 115, 0, 0, 0, 4, 0, 0, 0, 200]);
}

fn preview(tab: &Tab<'_>) {
    open(tab, "demo=find-offset");
    tab.until("probe.$('.insp .sub')");
    let (x, y): (f64, f64) = tab
        .ask("(() => { const box = probe.range().getBoundingClientRect(); return [box.right - 11, box.y + 20]; })()");
    tab.cdp(
        "Input.dispatchMouseEvent",
        json!({ "type": "mouseMoved", "x": x, "y": y }),
    );
    tab.until("probe.$('.tip')");
    let tip: String = tab.ask("probe.$('.tip').textContent.trim()");
    assert!(tip.contains("110 B"), "the last step: {tip}");
    assert_eq!(tab.ask::<usize>("probe.read().step"), 1, "a preview does not step");
    tab.cdp(
        "Input.dispatchMouseEvent",
        json!({ "type": "mouseMoved", "x": 5, "y": 5 }),
    );
    tab.until("!probe.$('.tip')");
}
