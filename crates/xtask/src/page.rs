//! The page's HTML and what it loads beside scripts and wasm.
//!
//! The text lives in `www/index.html` and `www/chapters/`; every number in it is asked of the model while the page is built.

mod demos;
mod equation;
mod links;
mod log;
mod lookup;
mod marks;
mod plan;
mod recordings;
mod retention;
mod settings;
mod tale;
mod words;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value};
use partition_log::config::Settings;
use partition_log::rules::retention::RetentionRule;
use partition_log::{KAFKA_VERSION, Partition};
use scraper::Html;
use serde::Serialize;
use sha2::{Digest, Sha256};

use self::demos::{Card, DemoOnPage, WIDTHS};
use crate::process;
use crate::workspace::Workspace;

/// The script that stands in the page's head (`www/src/preload.ts`); the page's policy knows it by its hash.
const PRELOAD: &str = "preload.js";

/// The demo that the page opens on.
pub const FIRST_DEMO: &str = "find-offset";

/// What the page is made from.
pub struct PageInputs<'a> {
    /// Where the page will live, for the links that have to be absolute; unknown in a local build.
    pub base_url: Option<&'a str>,
}

/// A chapter: its place, its file and its title.
#[derive(Clone, Copy, Debug, Serialize)]
struct Chapter {
    number: usize,
    id: &'static str,
    title: &'static str,
    short: &'static str,
}

/// Id, title, and the title in the list of chapters, where there is less room.
const CHAPTERS: [(&str, &str, &str); 11] = [
    ("idea", "The idea: a folder of segments", "The idea"),
    ("append", "Appending and rolling", "Append and roll"),
    ("indexes", "Two sparse indexes", "Two sparse indexes"),
    ("offset", "Reading at an offset", "Reading at an offset"),
    ("time", "Reading by timestamp", "Reading by timestamp"),
    ("retention", "Retention deletes whole segments", "Retention"),
    (
        "behind",
        "A consumer behind the log start offset",
        "Behind the log start",
    ),
    ("sizes", "Smaller or larger segments", "Segment size"),
    ("restart", "What a restart does", "After a restart"),
    ("simplified", "What is simplified here", "What is simplified"),
    ("words", "Words and sources", "Words and sources"),
];

fn chapters() -> Vec<Chapter> {
    let numbered = CHAPTERS.into_iter().zip(1..);
    numbered
        .map(|((id, title, short), number)| Chapter {
            number,
            id,
            title,
            short,
        })
        .collect()
}

/// Writes `index.html`, the pictures and the recordings into the folder, which has the scripts and `pod.css` already.
pub fn write(folder: &Path, inputs: &PageInputs) -> Result<()> {
    let workspace = Workspace::locate();
    let mut demos = demos::all()?;
    let html = render(&workspace, folder, inputs, &mut demos)?;
    // It stands in the HTML.
    process::remove(&folder.join(PRELOAD))?;
    let page = Html::parse_document(&html);
    links::check(&page, |state| check_state(&demos, state))?;
    process::write(&folder.join("index.html"), &html)?;
    for demo in &mut demos {
        let pictures = folder.join("fallback").join(demo.id);
        process::empty_folder(&pictures)?;
        for width in WIDTHS {
            process::write(&pictures.join(format!("1-{width}.svg")), demo.first_picture(width))?;
        }
    }
    recordings::write(&folder.join("recordings"), &mut demos)?;
    let sheet = folder.join("pod.css");
    let mut css = String::from_utf8(process::read(&sheet)?).context("pod.css is text")?;
    // The bundler has minified it, and leaves it here for this alone.
    let diagram = folder.join("diagram.css");
    let marks = String::from_utf8(process::read(&diagram)?).context("diagram.css is text")?;
    process::remove(&diagram)?;
    css.push_str(&marks::rules(marks.trim_end(), &page));
    css.push_str(&heights(&mut demos));
    process::write(&sheet, css)
}

/// The height of each demo's scenes, so that the page keeps room for an element before it has arrived.
fn heights(demos: &mut [DemoOnPage]) -> String {
    let rule = |demo: &mut DemoOnPage| {
        let [stacked, columns, open] = demo.heights().map(|tenths| (tenths + 9) / 10);
        let id = demo.id;
        format!("[demo={id}]{{--stacked:{stacked}px;--columns:{columns}px;--open:{open}px}}")
    };
    demos.iter_mut().map(rule).collect()
}

/// Refuses a link to a state that no demo has: `v1/<demo>/<step>[?inputs]`.
fn check_state(demos: &[DemoOnPage], link: &str) -> Result<()> {
    let (path, query) = link.split_once('?').unwrap_or((link, ""));
    let mut parts = path.split('/').skip(1);
    let (Some(id), Some(step)) = (parts.next(), parts.next()) else {
        bail!("the page has a link to #{link}, which names no step");
    };
    let demo = demos.iter().find(|demo| demo.id == id);
    demo.with_context(|| format!("there is no demo {id}"))
        .and_then(|demo| demo.check_link(step, query))
        .with_context(|| format!("the page has a link to #{link}"))
}

fn value(facts: impl Serialize) -> Value {
    Value::from(Serde(facts))
}

/// Fills the templates.
fn render(workspace: &Workspace, folder: &Path, inputs: &PageInputs, demos: &mut [DemoOnPage]) -> Result<String> {
    let templates = templates(&workspace.www())?;
    let preload = String::from_utf8(process::read(&folder.join(PRELOAD))?).context("a script is text")?;
    let preload = preload.trim();
    let cards: Vec<Card> = demos.iter_mut().map(DemoOnPage::card).collect();
    let still: String = match demos.iter_mut().find(|demo| demo.id == FIRST_DEMO) {
        Some(first) => WIDTHS[..2]
            .iter()
            .map(|&width| first.first_picture_inline(width))
            .collect(),
        None => bail!("there is no demo {FIRST_DEMO}"),
    };
    let tale = |id: &str| {
        let demo = demos.iter().find(|demo| demo.id == id);
        demo.map(|demo| &demo.tale)
            .with_context(|| format!("there is no demo {id}"))
    };
    let (lookups, appends) = (tale(FIRST_DEMO)?, tale("append-and-roll")?);
    let (times, sizes) = (tale("retention-time")?, tale("retention-size")?);
    let partition = Partition::from_state(lookups.end()?, 0);
    let batches = tale("batches")?;
    let batched = Partition::from_state(batches.end()?, 0);
    let by_id: BTreeMap<&str, &Card> = cards.iter().map(|card| (card.id, card)).collect();
    let facts = BTreeMap::from([
        ("kafka", value(KAFKA_VERSION)),
        ("preload", value(preload)),
        ("preload_hash", value(BASE64_STANDARD.encode(Sha256::digest(preload)))),
        ("base_url", value(inputs.base_url)),
        ("has_page_script", value(folder.join("page.js").is_file())),
        ("icon", value(icon(workspace)?)),
        ("chapters", value(chapters())),
        ("demo_list", value(&cards)),
        ("demos", value(by_id)),
        ("still", value(still)),
        ("log", value(log::log(lookups)?)),
        ("rolls", value(log::rolls(lookups))),
        ("time_roll", value(log::time_roll(appends)?)),
        ("entries", value(log::entries(lookups, 6)?)),
        ("exact", value(log::exact(lookups))),
        ("closing", value(log::closing(lookups)?)),
        (
            "intervals",
            value(log::intervals(lookups, &[0, 40, 80, 120, 160, 240])?),
        ),
        ("batch_read", value(lookup::read(&batched, 9)?)),
        ("batch_entries", value(log::entries(batches, 6)?)),
        ("chain", value(log::chain(&partition, 9)?)),
        ("times", value(retention::checks(times, RetentionRule::Time)?)),
        ("sizes", value(retention::checks(sizes, RetentionRule::Size)?)),
        ("back", value(retention::back(tale("consumer-offset")?)?)),
        ("plan", value(plan::plan(times.end()?.settings())?)),
    ]);
    let settings = demos
        .iter()
        .map(|demo| Ok((String::from(demo.id), demo.tale.end()?.settings().clone())))
        .collect::<Result<_>>()?;
    with_questions(templates, partition, settings)
        .get_template("index.html")?
        .render(facts)
        .context("filling the page")
}

/// The page's mark as a picture inside the HTML, in the colours of the marks.
fn icon(workspace: &Workspace) -> Result<String> {
    let tokens = workspace.root().join("crates/partition-figure/src/tokens.css");
    let tokens = String::from_utf8(process::read(&tokens)?).context("tokens.css is text")?;
    let colour = |name: &str| {
        let value = tokens.split(name).nth(1).and_then(|rest| rest.split(';').next());
        value.with_context(|| format!("tokens.css has no {name}"))
    };
    let (full, part) = (colour("--pod-log: ")?, colour("--pod-active: ")?);
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 -2 20 20'><style>:root{{color-scheme:light dark}}path{{fill:{full}}}\
         .p{{fill:{part}}}</style><path d='M0 0h20v4H0zM0 6h20v4H0z'/><path class='p' d='M0 12h9v4H0z'/></svg>"
    );
    let encoded = svg.replace('#', "%23").replace('<', "%3C").replace('>', "%3E");
    Ok(format!("data:image/svg+xml,{encoded}"))
}

/// The templates, with what they may ask.
fn templates(www: &Path) -> Result<Environment<'static>> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    words::add_filters(&mut templates);
    let mut add = |name: &str, file: std::path::PathBuf| -> Result<()> {
        let text = String::from_utf8(process::read(&file)?).with_context(|| format!("{} is text", file.display()))?;
        templates.add_template_owned(String::from(name), text)?;
        Ok(())
    };
    add("index.html", www.join("index.html"))?;
    add("macros.html", www.join("chapters/macros.html"))?;
    for (id, ..) in CHAPTERS {
        add(&format!("{id}.html"), www.join(format!("chapters/{id}.html")))?;
    }
    Ok(templates)
}

fn with_questions(
    mut templates: Environment<'static>,
    partition: Partition,
    demos: BTreeMap<String, Settings>,
) -> Environment<'static> {
    let refused = |error: anyhow::Error| Error::new(ErrorKind::InvalidOperation, format!("{error:#}"));
    let asked = partition.clone();
    templates.add_function("read", move |offset: i64| {
        lookup::read(&asked, offset).map(value).map_err(refused)
    });
    templates.add_function("search", move |seconds: i64| {
        lookup::search(&partition, seconds * 1000).map(value).map_err(refused)
    });
    templates.add_function("title", |id: &str| {
        chapters()
            .into_iter()
            .find(|chapter| chapter.id == id)
            .map(|chapter| chapter.title)
    });
    templates.add_function("setting", move |key: &str, demo: &str| {
        let settings = demos.get(demo).with_context(|| format!("there is no demo {demo}"));
        settings
            .and_then(|settings| settings::row(key, settings))
            .map(value)
            .map_err(refused)
    });
    templates.add_function("link", |demo: &str, input: &str, value: &str| {
        Value::from_safe_string(format!("#v1/{demo}/1?{input}={value}"))
    });
    templates
}
