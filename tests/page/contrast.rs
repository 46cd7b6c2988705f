//! Light and dark: every text stands out from what is behind it.

use std::fmt;

use serde::Deserialize;

use crate::Test;
use crate::host;
use crate::played::DEMOS;
use crate::server::Site;
use crate::tab::Tab;

pub fn tests() -> Vec<Test> {
    vec![
        Test::new("texts_of_picture_and_controls_have_4_5_to_1_in_light", |tab| {
            every_text(tab, "light", 1440)
        }),
        Test::new("texts_of_picture_and_controls_have_4_5_to_1_in_dark", |tab| {
            every_text(tab, "dark", 1440)
        }),
        Test::new("texts_of_the_stacked_picture_have_4_5_to_1_in_dark", |tab| {
            every_text(tab, "dark", 360)
        }),
        Test::new("texts_of_the_whole_page_have_4_5_to_1", whole_page),
        Test::new("the_element_follows_the_page_and_its_own_theme", follows),
    ]
}

/// A text that does not stand out.
#[derive(Deserialize)]
struct Faint {
    text: String,
    place: String,
    colour: String,
    ground: String,
    ratio: f64,
}

impl fmt::Display for Faint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            text,
            place,
            colour,
            ground,
            ratio,
        } = self;
        write!(formatter, "“{text}” ({place}) has {ratio:.2}: {colour} on {ground}")
    }
}

/// Contrast from computed styles. In the picture the ground is the last shape painted under the middle of the text.
const FAINT: &str = "(() => {
    const parse = (colour) => { const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
    const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
    const light = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map((part) => { const c = part / 255; return c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; });
        return .2126 * x + .7152 * y + .0722 * z;
    };
    const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
    const up = (element) => element.parentElement ?? (element.getRootNode() instanceof ShadowRoot ? element.getRootNode().host : null);
    const backdrop = (element) => {
        for (let at = element; at; at = up(at)) {
            const { backgroundColor, backgroundImage } = getComputedStyle(at);
            const stops = backgroundImage.match(/rgba?\\([^)]*\\)/g);
            // A gradient here is a bar at the left edge, then the colour behind the words.
            if (stops) return parse(stops.at(-1));
            const colour = parse(backgroundColor);
            if (colour[3] === 1) return colour;
            if (colour[3] > 0) return over(colour, backdrop(up(at)));
        }
        return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
    };
    const faint = [];
    const judge = (text, place, colour, ground) => {
        const found = ratio(over(parse(colour), ground), ground);
        if (found < 4.5) faint.push({ text, place, colour, ground: ground.slice(0, 3).map(Math.round).join(' '), ratio: found });
    };
    const roots = [document, ...[...document.querySelectorAll('partition-on-disk')].map((one) => one.shadowRoot)].filter(Boolean);
    for (const root of roots) {
        for (const svg of root.querySelectorAll('svg')) {
            if (!svg.checkVisibility() || svg.closest('partition-on-disk')?.shadowRoot?.querySelector('.pod')) continue;
            const base = backdrop(svg.parentElement ?? svg);
            const shapes = [];
            for (const mark of svg.querySelectorAll('rect, circle, path, text')) {
                const box = mark.getBoundingClientRect();
                const { fill, fillOpacity } = getComputedStyle(mark);
                if (mark.localName !== 'text') {
                    if (fill.startsWith('rgb')) shapes.push({ mark, box, fill: parse(fill), opacity: Number(fillOpacity) });
                    continue;
                }
                if (!mark.textContent.trim()) continue;
                const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                let ground = base;
                for (const { mark: shape, box: around, fill: [r, g, b, a], opacity } of shapes) {
                    if (x < around.x || x > around.right || y < around.y || y > around.bottom) continue;
                    if (shape.localName === 'path') {
                        const at = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
                        if (!shape.isPointInFill(at)) continue;
                    }
                    ground = over([r, g, b, a * opacity], ground);
                }
                const pieces = [...mark.childNodes].filter((piece) => piece.textContent.trim());
                for (const piece of pieces) {
                    judge(piece.textContent, mark.dataset.key ?? 'text', getComputedStyle(piece.nodeType === 3 ? mark : piece).fill, ground);
                }
            }
        }
        for (const element of root.querySelectorAll('*')) {
            // Once it plays, what stands inside an element's tag is not shown.
            if (element.closest('partition-on-disk')?.shadowRoot?.querySelector('.pod')) continue;
            if (element.closest('svg, [disabled], [aria-disabled], script, style, noscript') || !element.checkVisibility({ visibilityProperty: true })) continue;
            const own = [...element.childNodes].filter(({ nodeType, data }) => nodeType === 3 && data.trim());
            const words = own.map(({ data }) => data.trim()).join(' ') || (element.matches('input:not([type=range])') ? element.value : '');
            if (!words) continue;
            judge(words.slice(0, 60), `${element.localName}.${element.className}`, getComputedStyle(element).color, backdrop(element));
        }
    }
    return faint;
})()";

fn every_text(tab: &Tab<'_>, scheme: &str, width: u32) {
    tab.size(width, 900);
    tab.prefer(&[("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")]);
    let mut faults: Vec<String> = Vec::new();
    for demo in DEMOS {
        let site = tab.site(Site::new().page("host.html", &host::element(&format!("demo={demo}"))));
        tab.open_playing(&site.at("host.html"));
        tab.run("await probe.until(() => probe.$('details'), 'the late parts have come')");
        assert_eq!(
            tab.ask::<String>("getComputedStyle(probe.$('.pod')).colorScheme"),
            scheme
        );
        let steps: usize = tab.ask("probe.read().steps");
        for step in 1..=steps {
            let found: Vec<Faint> = tab.ask(FAINT);
            faults.extend(found.iter().map(|faint| format!("{demo} step {step}: {faint}")));
            tab.run("probe.$('#next').click(); await probe.settle();");
        }
    }
    assert!(
        faults.is_empty(),
        "{} faint texts:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

fn whole_page(tab: &Tab<'_>) {
    let site = tab.site(Site::new());
    for scheme in ["light", "dark"] {
        tab.prefer(&[("prefers-color-scheme", scheme)]);
        tab.open_playing(&site.at(""));
        let found: Vec<Faint> = tab.ask(FAINT);
        let faults: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(faults.is_empty(), "{scheme}: {}", faults.join("\n"));
    }
}

fn follows(tab: &Tab<'_>) {
    let scheme = "getComputedStyle(probe.$('.pod')).colorScheme";
    let ground = "getComputedStyle(probe.$('.pod')).backgroundColor";
    tab.prefer(&[("prefers-color-scheme", "light")]);
    let site = tab.site(Site::new().page("host.html", &host::element("demo=find-offset")));
    tab.open_playing(&site.at("host.html"));
    assert_eq!(tab.ask::<String>(scheme), "light");
    assert_eq!(tab.ask::<String>(ground), "rgb(255, 255, 255)");
    // The marks of documentation sites, one after the other.
    for (mark, expected) in [
        ("root.dataset.theme = 'dark'", "dark"),
        ("delete root.dataset.theme", "light"),
        ("document.body.setAttribute('data-md-color-scheme', 'slate')", "dark"),
        ("document.body.setAttribute('data-md-color-scheme', 'default')", "light"),
        (
            "document.body.removeAttribute('data-md-color-scheme'); root.className = 'dark'",
            "dark",
        ),
        ("root.className = 'light'", "light"),
        ("root.className = 'coal js'", "dark"),
        ("probe.one().setAttribute('theme', 'light')", "light"),
        ("root.className = ''; probe.one().setAttribute('theme', 'dark')", "dark"),
        ("probe.one().setAttribute('theme', 'auto')", "light"),
    ] {
        tab.run(&format!("const root = document.documentElement; {mark}; await probe.until(() => {scheme} === '{expected}', {mark:?});"));
    }
    tab.prefer(&[("prefers-color-scheme", "dark")]);
    tab.until(&format!("{scheme} === 'dark'"));
    assert_eq!(tab.ask::<String>(ground), "rgb(17, 22, 27)");
}
