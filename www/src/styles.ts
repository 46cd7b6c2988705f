/** The element's one adopted style sheet, shared by all elements of a page: host policies often refuse `<style>`, never this. */
import diagram from "../../crates/partition-figure/src/diagram.css";
import tokens from "../../crates/partition-figure/src/tokens.css";
import element from "../css/element.css";

let sheet: CSSStyleSheet | undefined;

export function styles(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    // Nested, so that a class of the picture and one of the controls can have the same name.
    sheet.replaceSync(`${tokens}${element}${diagram}`);
  }
  return sheet;
}
