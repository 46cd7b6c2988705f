/**
 * What the late parts take from the first file. It is handed over instead of imported: a bundler would put code that two files
 * import into a third, and that would be one more request before the first Next.
 */
import type { html as Html, nothing as Nothing } from "lit/html.js";
import type * as Controls from "./controls.js";

export interface FirstBundle {
  html: typeof Html;
  nothing: typeof Nothing;
  drawn: typeof Controls.drawn;
  inputField: typeof Controls.inputField;
  tryList: typeof Controls.tryList;
}

export let { html, nothing, drawn, inputField, tryList } = {} as FirstBundle;

/** Called once, before anything else of the late parts. */
export function receive(first: FirstBundle): void {
  ({ html, nothing, drawn, inputField, tryList } = first);
}
