/** The inspector: a thing's bytes in hex beside what they mean, or a decision's clauses with their numbers; below it the numbers that stay in sight. */
import type { TemplateResult } from "lit/html.js";
import { html, nothing } from "./first-bundle.js";
import type { Panel, PanelRow, NumberView } from "./views.js";

export function inspector(panel: Panel | undefined, numbers: NumberView[], close?: () => void): TemplateResult {
  return html`<div class="insp-body">
      ${panel
        ? html`<h3 aria-level="2">${panel.title} <span>${panel.size ?? ""}</span></h3>
            <p class="sub">${panel.subtitle}</p>
            ${panel.map && mapBar(panel.map)} ${panel.sections.map(section)}`
        : html`<p class="sub">Choose a segment, a file or a record in the picture to see its bytes.</p>`}
    </div>
    ${numbers.length
      ? html`<dl class="four">
          ${numbers.map(
            ({ label, value, was }) =>
              html`<div>
                <dt>${label}</dt>
                <dd>${was === undefined || was === "" ? nothing : html`<s>${was}</s> `}${value}</dd>
              </div>`,
          )}
        </dl>`
      : nothing}
    ${close ? html`<button class="btn shut" aria-label="Close the inspector" @click=${close}>×</button>` : nothing}`;
}

function section({ title, rows }: Panel["sections"][number]): TemplateResult {
  const heading = title ? html`<h4 aria-level="3">${title}</h4>` : nothing;
  if (rows.some(({ answer }) => answer)) {
    return html`${heading}
      <table class=${rows.every(fits) ? "dec" : "dec two"}>
        ${rows.map(
          ({ name, value, answer = "" }) =>
            html`<tr class=${/^(no|keep|fits)\b/.test(answer) ? "" : "y"}>
              <th scope="row">${name}</th>
              <td>${whole(value)}</td>
              <td>${answer}</td>
            </tr>`,
        )}
      </table>`;
  }
  return html`${heading}
    <div class="bytes">
      ${paired(rows).map(
        (pair) =>
          html`<div class="brow">
            <span class="ps">${pair[0]?.at}</span>
            ${pair.map(
              ({ hex, name, value }) =>
                html`<div class=${pair.length > 1 || short(hex) ? "fld" : "fld w"}>
                  ${hex ? html`<span class="hx">${bytes(hex)}</span>` : nothing}
                  <span class="nm">${name}</span> <span class="vl">${value}</span>
                </div>`,
            )}
          </div>`,
      )}
    </div>`;
}

/** About, in px at 12 px: 6.2 a letter, 7.2 in mono, of the 240 that there are everywhere. Where one clause needs more, all take two lines. */
const fits = ({ name, value, answer = "" }: PanelRow): boolean => (name.length + answer.length) * 6.2 + value.length * 7.2 + 24 < 240;

/** A number stays with its unit. */
const whole = (value: string): string => value.replace(/(\d) (?=[a-zA-Z])/g, "$1\u00a0");

/** Two fields of at most four bytes share a line. */
function paired(rows: PanelRow[]): PanelRow[][] {
  const lines: PanelRow[][] = [];
  for (const row of rows) {
    const line = lines.at(-1);
    if (line?.length === 1 && short(line[0]!.hex) && short(row.hex)) line.push(row);
    else lines.push([row]);
  }
  return lines;
}

const short = (hex = ""): boolean => hex !== "" && hex.length <= 11;

/** Zero bytes are muted, so that the bytes that say something stand out. */
const bytes = (hex: string): unknown[] =>
  hex.split(/((?:00 ?)+)/).map((part, i) => (i % 2 ? html`<span class="z">${part}</span>` : part));

function mapBar(map: NonNullable<Panel["map"]>): TemplateResult {
  return html`<div class="parts" aria-hidden="true">
      ${map.map((part) => html`<i class=${part.class} title=${part.label} .style=${`flex-grow:${part.length}`}></i>`)}
    </div>
    <p class="sub legend">${map.map((part) => html`<span>${part.label}</span>`)}</p>`;
}
