/** The controls that the first frame can do without: values to try, the rest of the toolbar, and what it opens. */
import type { TemplateResult } from "lit/html.js";
import type { Actions, ControlState, Sheet } from "./controls.js";
import { drawn, html, inputField, nothing, tryList } from "./first-bundle.js";
import type { InputInfo } from "./views.js";

/** What `?` shows of keys.ts; digits count through the list of demos. */
const keyList = (demos: number): [keys: string, does: string][] => [
  ["J K L", "back, play or pause, next"],
  [`1 to ${Math.min(9, demos)}`, "choose a demo"],
  ["← → ↑ ↓", "in the picture: from segment to segment, from file to file"],
  ["Enter", "in the picture: open in the inspector"],
  ["← → Home End", "on the timeline: step by step, to the ends"],
  ["Page Up, Page Down", "on the timeline: phase by phase"],
  ["?", "this list"],
  ["Esc", "close"],
];

/** Lines of the icons that come late. */
const LINK = "M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1";
const FILES = "M10 3.5v9M6.5 9l3.5 3.5L13.5 9M4 16h12";
const TEXT = "M4 5.5h12M4 10h12M4 14.5h8";

/** Speed, link, files, text version and keys, each a button. */
export function extraButtons(state: ControlState, act: Actions, stop = -1): TemplateResult {
  const sheet = (name: Sheet, ...content: unknown[]) =>
    html`<button
      class="btn"
      tabindex=${stop}
      aria-expanded=${String(name === "text" ? state.textOpen : state.sheet === name)}
      @click=${() => act.sheet(name)}
    >
      ${content}
    </button>`;
  return html`<button class="btn" tabindex=${stop} aria-label=${`Speed ${state.speed}×`} @click=${act.speed}>${state.speed}×</button>
    <button class="btn" tabindex=${stop} @click=${act.copy}>${drawn([LINK])}${state.copied ? "Copied" : "Copy link"}</button>
    ${sheet("files", drawn([FILES]), "Files")} ${sheet("text", drawn([TEXT]), "Text")} ${sheet("keys", "Keys")}`;
}

/** The sentence of the step under the pointer. It stays while the pointer is on the timeline or on itself; Esc takes it away. */
export const tip = ({ preview, outline }: ControlState, at: number): unknown =>
  preview < 0
    ? nothing
    : html`<p class="tip" aria-hidden="true" .style=${`--at:${at}`}><b>${preview + 1}</b> ${outline.steps[preview]?.sentence}</p>`;

/** The sheet that is open over the picture. `fields`: inputs that found no room elsewhere. */
export function openSheet(state: ControlState, act: Actions, fields: InputInfo[]): unknown {
  const close = html`<button class="btn shut" aria-label="Close" @click=${() => act.sheet("")}>×</button>`;
  switch (state.sheet) {
    case "more":
      return html`<div class="sheet" role="group" aria-label="More">
        ${fields.map((field) => inputField(field, state, act))} ${tryList(state, act)}
        <div class="rows">${extraButtons(state, act, 0)}</div>
        ${close}
      </div>`;
    case "files":
      return html`<div class="sheet" role="group" aria-label="Sample files">
        <p class="lbl">Files at this step, as Kafka’s dump tool reads them</p>
        <ul class="files">
          ${state.files.map(
            (file) =>
              html`<li>
                <button ?disabled=${!state.inputsOn || file.state === "not created"} @click=${() => act.file(file)}>
                  <code>${file.name}</code><span>${file.state === "not created" ? file.state : `${file.size} B`}</span>
                </button>
              </li>`,
          )}
        </ul>
        ${close}
      </div>`;
    case "keys":
      return html`<div class="sheet" role="group" aria-label="Keys">
        <p class="lbl">Keys, while the focus is in here</p>
        <dl class="keys">${keyList(state.catalog.length).map(([keys, does]) => html`<dt>${keys}</dt><dd>${does}</dd>`)}</dl>
        ${close}
      </div>`;
    default:
      return nothing;
  }
}

/** Every step as a sentence, and the files: what the picture says, without the picture. */
export const textVersion = ({ outline, index, files, textOpen }: ControlState): TemplateResult =>
  html`<details class="words" ?open=${textOpen}>
    <summary tabindex="-1">Text version</summary>
    ${textOpen
      ? html`<ol>
            ${outline.steps.map(
              (step, i) => html`<li aria-current=${i === index ? "step" : nothing}>${step.sentence}</li>`,
            )}
          </ol>
          <table>
            <caption>Files at step ${index + 1}</caption>
            <thead><tr><th>file</th><th>size</th><th>state</th></tr></thead>
            <tbody>
              ${files.map(
                (file) =>
                  html`<tr><td><code>${file.name}</code></td><td>${file.size} B</td><td>${file.state}</td></tr>`,
              )}
            </tbody>
          </table>`
      : nothing}
  </details>`;
