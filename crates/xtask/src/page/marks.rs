//! The rules of the diagram's style sheet that the page itself needs: its own pictures show a first step each, and the element
//! brings all of them.

use cssparser::{AtRuleParser, ParseError, Parser, ParserState, QualifiedRuleParser, StyleSheetParser};
use scraper::{Html, Selector};

/// The rules that match something in this page, as they are written. Left out are those that depend on the pointer, which no
/// page at rest matches, and those inside `@media`: they are about the element's states, or said once more by the page.
pub fn rules(diagram: &str, page: &Html) -> String {
    let mut input = Parser::new(diagram);
    let mut plain = Plain;
    let rules = StyleSheetParser::new(&mut input, &mut plain).flatten();
    let needed = rules.filter(|(selectors, _)| {
        let selectors = Selector::parse(selectors);
        selectors.is_ok_and(|selectors| page.select(&selectors).next().is_some())
    });
    needed
        .map(|(selectors, body)| format!("{selectors}{{{body}}}"))
        .collect()
}

/// Reads rules as texts, their selectors and what stands between the braces; what begins with `@` is none.
struct Plain;

fn rest<'i>(input: &mut Parser<'i>) -> &'i str {
    let start = input.position();
    while input.next().is_ok() {}
    input.slice_from(start).trim()
}

impl<'i> QualifiedRuleParser<'i> for Plain {
    type Prelude = &'i str;
    type QualifiedRule = (&'i str, &'i str);
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<&'i str, ParseError<()>> {
        Ok(rest(input))
    }

    fn parse_block(
        &mut self,
        selectors: &'i str,
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(&'i str, &'i str), ParseError<()>> {
        Ok((selectors, rest(input)))
    }
}

impl<'i> AtRuleParser<'i> for Plain {
    type Prelude = ();
    type AtRule = (&'i str, &'i str);
    type Error = ();
}

#[cfg(test)]
mod tests {
    use scraper::Html;

    use super::rules;

    #[test]
    fn only_rules_that_match_stay() {
        let css = "/* a{} */.scene .a{fill:red;stroke:blue}.scene .b,.scene .a.c{fill:none}@media (x){.scene .a{fill:none}}\
                   .scene text{font:12px x}.scene .a:hover{fill:none}.scene tspan.a{fill:none}";
        let html = "<svg class='scene s'><rect class='a c'/><text>x</text></svg>";
        assert_eq!(
            rules(css, &Html::parse_document(html)),
            ".scene .a{fill:red;stroke:blue}.scene .b,.scene .a.c{fill:none}.scene text{font:12px x}"
        );
    }
}
