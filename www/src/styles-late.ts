/** The style sheet of what late.ts brings; adopted when it arrives. */
import late from "../css/late.css";

let sheet: CSSStyleSheet | undefined;

export function lateStyles(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(late);
  }
  return sheet;
}
