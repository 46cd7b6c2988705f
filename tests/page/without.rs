//! Without scripts, and on paper: the twelve file names and every step are there.

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::json;

use crate::server::Site;
use crate::tab::Tab;
use crate::{Test, host};

pub fn tests() -> Vec<Test> {
    vec![
        Test::new("without_scripts_the_picture_and_the_text_version_are_there", scriptless),
        Test::new("print_has_the_text_version_with_the_twelve_files", print),
        Test::new("an_element_prints_on_one_page", one_page),
    ]
}

/// The segments of the first demo, by their file names.
const BASES: [&str; 4] = [
    "00000000000000000000",
    "00000000000000000006",
    "00000000000000000011",
    "00000000000000000017",
];

/// The files of the first demo.
fn names() -> Vec<String> {
    let kinds = ["log", "index", "timeindex"];
    BASES
        .iter()
        .flat_map(|base| kinds.map(|kind| format!("{base}.{kind}")))
        .collect()
}

fn scriptless(tab: &Tab<'_>) {
    // A policy that refuses every script of the page; the driver's questions are not the page's.
    let site = tab.site(Site::new().policy("script-src 'none'"));
    for width in [360, 800, 1440] {
        tab.size(width, 900);
        tab.open(&site.at(""));
        assert!(tab.ask::<bool>("!customElements.get('partition-on-disk')"));
        let first = "document.querySelector('partition-on-disk')";
        let pictures: usize = tab.ask(&format!(
            "[...{first}.querySelectorAll('.still :is(svg, img)')].filter((one) => one.getBoundingClientRect().height > 100).length"
        ));
        assert_eq!(pictures, 1, "one static picture at {width} px");
        let sideways: f64 = tab.ask("document.documentElement.scrollWidth - innerWidth");
        assert!(sideways <= 0.0, "{width}: {sideways} px wider");
        let drawn: String = tab.ask(&format!(
            "[...{first}.querySelectorAll('.still text')].filter((one) => one.checkVisibility()).map((one) => one.textContent).join(' ')"
        ));
        for base in BASES {
            // Where room is short the strip of segments leaves the zeros out.
            let base = if width < 600 {
                base.trim_start_matches('0')
            } else {
                base
            };
            assert!(drawn.contains(base), "{base} in the picture at {width} px: {drawn}");
        }
        tab.click(&format!("{first}.querySelector('summary')"));
        let text: String = tab.ask(&format!("{first}.innerText"));
        for name in names() {
            assert!(text.contains(&name), "{name} at {width} px in {text}");
        }
        assert!(text.contains("115 + 35 = 150"), "the steps at {width} px");
    }
}

fn print(tab: &Tab<'_>) {
    let site = tab.site(Site::new());
    tab.open_playing(&site.at(""));
    tab.run("await probe.until(() => probe.$('details'), 'the late parts have come')");
    // Tells the page that it is printed, as the menu does.
    let pdf = tab.cdp("Page.printToPDF", json!({ "paperWidth": 8.27, "paperHeight": 11.69 }));
    assert!(pdf["data"].as_str().is_some_and(|data| data.len() > 10_000));
    tab.cdp("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    let text: String = tab.ask("probe.$('.words').innerText");
    for name in names() {
        assert!(text.contains(&name), "{name} in {text}");
    }
    assert!(text.contains("115 + 35 = 150"), "the steps");
    assert!(
        tab.ask::<bool>("probe.$('.scene svg').getBoundingClientRect().height > 100"),
        "the picture"
    );
    assert!(
        tab.ask::<bool>("!probe.$('.bar')?.checkVisibility()"),
        "no buttons on paper"
    );
}

fn one_page(tab: &Tab<'_>) {
    let mut faults = Vec::new();
    for demo in crate::played::DEMOS {
        let site = tab.site(Site::new().page("host.html", &host::element(&format!("demo={demo}"))));
        tab.open_playing(&site.at("host.html"));
        tab.run("await probe.until(() => probe.$('details'), 'the late parts have come')");
        let pdf = tab.cdp(
            "Page.printToPDF",
            json!({ "paperWidth": 8.27, "paperHeight": 11.69, "transferMode": "ReturnAsBase64" }),
        );
        let pages = pages(pdf["data"].as_str().expect("a PDF comes in base64"));
        if pages != 1 {
            faults.push(format!("{demo} prints on {pages} pages"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// How many pages a PDF has: its page tree is not compressed.
fn pages(base64: &str) -> usize {
    let bytes = BASE64_STANDARD.decode(base64).expect("base64");
    let text = String::from_utf8_lossy(&bytes);
    text.matches("/Type /Page\n").count()
}
