/** What opens on request over the picture (more, sample files, keys) and below it (the text version). Loaded after the first frame. */
import type { TemplateResult } from "lit/html.js";
import type { Actions, ControlState } from "./controls.js";
import { extraButtons, html, inputField, nothing, tryList } from "./kit.js";
import type { InputInfo } from "./views.js";

/** What `?` shows of keys.ts. */
const KEY_LIST: [keys: string, does: string][] = [
  ["J K L", "back, play or pause, next"],
  ["1 to 6", "choose a demo"],
  ["← → ↑ ↓", "in the picture: from segment to segment, from file to file"],
  ["Enter", "in the picture: open in the inspector"],
  ["← → Home End", "on the timeline: step by step, to the ends"],
  ["Page Up, Page Down", "on the timeline: phase by phase"],
  ["?", "this list"],
  ["Esc", "close"],
];

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
        <dl class="keys">${KEY_LIST.map(([keys, does]) => html`<dt>${keys}</dt><dd>${does}</dd>`)}</dl>
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
