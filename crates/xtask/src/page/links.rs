//! The page's own links, checked: an anchor has a place, a state of a demo exists.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use scraper::Html;

/// Every value of an attribute in the page's HTML.
fn values<'a>(page: &'a Html, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    let elements = page.tree.nodes().filter_map(|node| node.value().as_element());
    elements.filter_map(move |element| element.attr(attribute))
}

/// Refuses a page with an anchor that leads nowhere or an id that stands twice.
pub fn check(page: &Html, state: impl Fn(&str) -> Result<()>) -> Result<()> {
    let mut places = BTreeSet::new();
    for id in values(page, "id") {
        if !places.insert(id) {
            bail!("two elements of the page have the id {id}");
        }
    }
    for href in values(page, "href").filter_map(|href| href.strip_prefix('#')) {
        if href.starts_with("v1/") {
            state(href)?;
        } else if !places.contains(href) {
            bail!("the page has a link to #{href} and no such place");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use scraper::Html;

    use super::check;

    #[test]
    fn a_link_needs_its_place() {
        let checked = |html| check(&Html::parse_document(html), |_| Ok(()));
        checked(r##"<p id="a"><a href="#a">A</a><a href="https://x/#b">B</a>"##).expect("a is there");
        checked(r##"<a href="#b">B</a>"##).expect_err("b is not");
        checked(r##"<p><a class=x href='#b'>B</a>"##).expect_err("however it is written");
        checked(r##"<p id="a"><p id="a">"##).expect_err("twice");
    }

    #[test]
    fn a_link_to_a_state_is_asked_about() {
        let seen = std::cell::RefCell::default();
        let page = Html::parse_document(r##"<a href="#v1/find-offset/1?a=1&amp;b=2">x</a>"##);
        let state = |link: &str| {
            seen.replace(String::from(link));
            Ok(())
        };
        check(&page, state).expect("accepted");
        assert_eq!(seen.into_inner(), "v1/find-offset/1?a=1&b=2");
    }
}
