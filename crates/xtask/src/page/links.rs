//! The page's own links, checked: an anchor has a place, a state of a demo exists.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

/// Every value of an attribute in the page's HTML.
fn values<'a>(html: &'a str, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    html.split(attribute).skip(1).filter_map(|rest| rest.split('"').next())
}

/// Refuses a page with an anchor that leads nowhere or an id that stands twice.
pub fn check(html: &str, state: impl Fn(&str) -> Result<()>) -> Result<()> {
    let mut places = BTreeSet::new();
    for id in values(html, " id=\"") {
        if !places.insert(id) {
            bail!("two elements of the page have the id {id}");
        }
    }
    for href in values(html, "href=\"#") {
        if href.starts_with("v1/") {
            state(&href.replace("&amp;", "&"))?;
        } else if !places.contains(href) {
            bail!("the page has a link to #{href} and no such place");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_link_needs_its_place() {
        let state = |_: &str| Ok(());
        check(r##"<p id="a"><a href="#a">A</a><a href="https://x/#b">B</a>"##, state).expect("a is there");
        check(r##"<a href="#b">B</a>"##, state).expect_err("b is not");
        check(r##"<p id="a"><p id="a">"##, state).expect_err("twice");
    }

    #[test]
    fn a_link_to_a_state_is_asked_about() {
        let mut seen = String::new();
        let cell = std::cell::RefCell::new(&mut seen);
        check(r##"<a href="#v1/find-offset/1?a=1&amp;b=2">x</a>"##, |link| {
            cell.borrow_mut().push_str(link);
            Ok(())
        })
        .expect("accepted");
        assert_eq!(seen, "v1/find-offset/1?a=1&b=2");
    }
}
