/** The controls around the picture, as templates of the element's state. Native controls wherever there is one. */
import { html, nothing, type TemplateResult } from "lit/html.js";
import type { DemoInfo, FileRow, InputInfo, Inputs, Panel, Outline } from "./views.js";

/** What opens on request: small sheets over the picture, one at a time, or the text version below it. */
export type Sheet = "" | "more" | "files" | "keys" | "text";

/** What a control can ask for. */
export interface Actions {
  demo(id: string): void;
  input(inputs: Inputs): void;
  back(): void;
  next(): void;
  toggle(): void;
  seek(index: number): void;
  speed(): void;
  copy(): void;
  /** Opens a sheet, or closes it when it is open. */
  sheet(sheet: Sheet): void;
  file(file: FileRow): void;
  preview(index: number): void;
}

/** What a reader has opened or chosen, as the controls show it. */
export interface InteractionState {
  sheet: Sheet;
  textOpen: boolean;
  copied: boolean;
  /** Index of the step whose sentence is previewed over the timeline, or -1. */
  preview: number;
  /** What the reader chose to inspect, instead of what the step shows. */
  picked: Panel | undefined;
}

/** Before the reader has done anything. */
export const UNTOUCHED: InteractionState = { sheet: "", textOpen: false, copied: false, preview: -1, picked: undefined };

/** What the controls show. */
export interface ControlState extends InteractionState {
  /** The preview over the timeline, once the late parts are there. */
  tip: ((state: ControlState, at: number) => unknown) | undefined;
  catalog: { id: string; title: string }[];
  info: DemoInfo;
  outline: Outline;
  inputs: Inputs;
  /** Inputs wait for the live model; false where it was refused. */
  inputsOn: boolean;
  index: number;
  range: [first: number, last: number];
  playing: boolean;
  speed: number;
  files: FileRow[];
}

type Lines = [stroke: string, fill?: string];

const ICONS: Record<string, Lines> = {
  restart: ["M4.5 4v12", "M15.5 4.5v11L8 10z"],
  back: ["M12 4.5L6.5 10l5.5 5.5"],
  play: ["", "M6 4.5v11l9-5.5z"],
  pause: ["", "M5.5 4.5h3v11h-3zM11.5 4.5h3v11h-3z"],
  next: ["M8 4.5l5.5 5.5L8 15.5"],
  end: ["M15.5 4v12", "M4.5 4.5v11L12 10z"],
  more: ["", "M3 10a1.5 1.5 0 1 1 3 0 1.5 1.5 0 0 1-3 0M8.5 10a1.5 1.5 0 1 1 3 0 1.5 1.5 0 0 1-3 0M14 10a1.5 1.5 0 1 1 3 0 1.5 1.5 0 0 1-3 0"],
  down: ["M5.5 8l4.5 4.5L14.5 8"],
};

export const icon = (name: string): TemplateResult => drawn(ICONS[name]!);

export const drawn = ([stroke, fill]: Lines): TemplateResult => html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d=${stroke} /><path class="fill" d=${fill ?? ""} /></svg>`;

/** The demo list of the rail: one tab stop, arrows inside. */
export const demoList = ({ catalog, info }: ControlState, act: Actions): TemplateResult =>
  html`<p class="lbl" id="demos">Demos</p>
    <ol class="demos" data-list aria-labelledby="demos">
      ${catalog.map(
        ({ id, title }, i) =>
          html`<li>
            <button
              tabindex=${id === info.id ? 0 : -1}
              aria-current=${id === info.id ? "true" : nothing}
              @click=${() => act.demo(id)}
            >
              <span class="k">${i + 1}</span>${title}
            </button>
          </li>`,
      )}
    </ol>`;

/** The demo list where there is no rail. */
export const demoSelect = ({ catalog, info }: ControlState, act: Actions): TemplateResult =>
  html`<span class="selw"
    ><select class="sel" aria-label="Demo" @change=${(event: Event) => act.demo((event.target as HTMLSelectElement).value)}>
      ${catalog.some(({ id }) => id === info.id)
        ? nothing
        : html`<option value=${info.id} selected>${info.title}</option>`}
      ${catalog.map(({ id, title }) => html`<option value=${id} ?selected=${id === info.id}>${title}</option>`)}</select
    >${icon("down")}</span
  >`;

/** A number as the model reads it; below 0 it is a sign and no amount (-1: no limit). */
const withUnit = (number: string, unit = ""): string => (/^\d+$/.test(number) ? number + unit : number);

/** One input with its unit; a change counts when it is finished, not with each key. */
export function inputField(input: InputInfo, state: ControlState, act: Actions, compact = false): TemplateResult {
  const { name, label, kind, choices, min, max } = input;
  const given = state.inputs[name] ?? input.value;
  // 31s shows as 31 beside its unit; -1, or an amount in another unit, as it is.
  const [, number = "", suffix] = /^(\d+)(\D+)$/.exec(given) ?? [];
  const own = !!suffix && suffix === input.unit;
  const [value, unit] = own ? [number, suffix] : [given, ""];
  const change = ({ target }: Event) =>
    act.input({ ...state.inputs, [name]: withUnit((target as HTMLInputElement).value, choices ? "" : input.unit) });
  const nudge = (by: number) => () => act.input({ ...state.inputs, [name]: String(Number(value) + by) });
  const off = !state.inputsOn;
  const key = label.includes(".") && !label.includes(" ");
  const numeric = /^-?\d*$/.test(value);
  const steps = kind === "number" && !compact;
  const id = `input-${name}`;
  return html`<div class=${compact ? "input compact" : "input"}>
    <label class=${key ? "lbl mono" : "lbl"} for=${id}>${label}</label>
    ${choices
      ? html`<span class="selw"
          ><select class="sel" id=${id} ?disabled=${off} @change=${change}>
            ${choices.map((choice) => html`<option ?selected=${choice === value}>${choice}</option>`)}</select
          >${icon("down")}</span
        >`
      : html`<span class=${steps ? "field" : "field unit"} .style=${`--n:${value.length + unit.length}`}>
          ${steps
            ? html`<button tabindex="-1" aria-label="Less" ?disabled=${off} @click=${nudge(-1)}>−</button>`
            : nothing}
          <input
            id=${id}
            type=${numeric ? "number" : "text"}
            min=${min ?? nothing}
            max=${max ?? nothing}
            .value=${value}
            ?disabled=${off}
            @change=${change}
          />
          ${steps
            ? html`<button tabindex="-1" aria-label="More" ?disabled=${off} @click=${nudge(1)}>+</button>`
            : nothing}
          ${unit ? html`<span class="u">${unit}</span>` : nothing}
        </span>`}
  </div>`;
}

/** Values worth trying, each with what it shows. */
export const tryList = ({ info, inputsOn }: ControlState, act: Actions): TemplateResult | typeof nothing =>
  info.tries.length
    ? html`<p class="lbl" id="tries">Try also</p>
        <ul class="try" data-list aria-labelledby="tries">
          ${info.tries.map(
            ({ label, inputs }, i) =>
              html`<li>
                <button tabindex=${i ? -1 : 0} ?disabled=${!inputsOn} @click=${() => act.input(inputs)}>
                  ${marked(label, Object.values(inputs))}
                </button>
              </li>`,
          )}
        </ul>`
    : nothing;

/** A label with its value in bold, where it has one: 8 has an entry of its own. */
function marked(label: string, values: string[]): TemplateResult {
  const spaced = values.map((value) => value.replace(/^(-?\d+)(\D)/, "$1 $2"));
  const found = spaced.find((value) => label.includes(value)) ?? "";
  const at = label.indexOf(found);
  return html`<span>${label.slice(0, at)}<b>${found}</b>${label.slice(at + found.length)}</span>`;
}

/** The timeline: a native range, a tick a step, longer ticks with names for phases. */
export function scrubber(state: ControlState, [track, taken]: [number, number], act: Actions): TemplateResult {
  const { outline, index, range, preview } = state;
  const [first, last] = range;
  const span = Math.max(1, last - first);
  const at = (i: number) => (i - first) / span;
  const phases = outline.phases.filter((phase) => phase.last >= first && phase.first <= last);
  const current = phases.find((phase) => phase.first <= index && index <= phase.last);
  const shown = labels(phases, current, [track, taken], (i) => at(Math.max(first, i)));
  const sentence = outline.steps[index]?.sentence ?? "";
  const seek = (event: Event) => act.seek(Number((event.target as HTMLInputElement).value) - 1);
  const hover = ({ currentTarget, clientX }: PointerEvent) => {
    const box = (currentTarget as Element).getBoundingClientRect();
    const part = (clientX - box.x - 10) / Math.max(1, box.width - 20);
    act.preview(first + Math.round(Math.min(1, Math.max(0, part)) * span));
  };
  return html`<div class="scrub" .style=${`--p:${at(index)}`} @pointermove=${hover} @pointerleave=${() => act.preview(-1)}>
    ${outline.steps.slice(first, last + 1).map((_, i) => {
      const begins = phases.some((phase) => phase.first === first + i);
      return html`<i class=${begins ? "ph" : ""} .style=${`--at:${at(first + i)}`}></i>`;
    })}
    <input
      type="range"
      aria-label="Step"
      min=${first + 1}
      max=${last + 1}
      .value=${String(index + 1)}
      aria-valuetext=${`step ${index + 1} of ${outline.length}, ${sentence}`}
      @input=${seek}
    />
    ${shown.map(
      ({ phase, side }) =>
        html`<button
          tabindex="-1"
          aria-hidden="true"
          class=${`pl ${side} ${phase === current ? "on" : ""}`}
          .style=${`--at:${at(Math.max(first, phase.first))}`}
          @click=${() => act.seek(phase.first)}
        >
          ${phase.title}
        </button>`,
    )}
    ${state.tip?.(state, at(preview))}
  </div>`;
}

/** The phase names that fit: the current one first, then from the left. About 6.4 px a letter at 12 px. */
function labels(
  phases: Outline["phases"],
  current: Outline["phases"][number] | undefined,
  [track, taken]: [number, number],
  at: (index: number) => number,
): { phase: Outline["phases"][number]; side: "" | "right" }[] {
  const boxes: { phase: Outline["phases"][number]; side: "" | "right"; from: number; to: number }[] = [];
  for (const phase of [current, ...phases]) {
    if (!phase || boxes.some((box) => box.phase === phase)) continue;
    const width = phase.title.length * 6.6;
    const x = 10 + at(phase.first) * (track - 20);
    const side = x + width > track - taken ? "right" : "";
    const to = side ? track - taken : x + width;
    const from = to - width;
    if (boxes.every((box) => from > box.to + 8 || to < box.from - 8)) boxes.push({ phase, side, from, to });
  }
  return boxes;
}

export const count = ({ index, outline }: ControlState): TemplateResult =>
  html`<p class="cnt" aria-hidden="true"><b>${index + 1}</b> of ${outline.length}</p>`;

/** The player's buttons. `mini` leaves what no arrangement may lose: play or pause, and next. */
export function playerButtons(state: ControlState, act: Actions, mini = false): TemplateResult {
  const { index, range, playing } = state;
  const [first, last] = range;
  const button = (name: string, label: string, run: () => void, off = false) =>
    html`<button class="btn" tabindex="-1" aria-label=${label} aria-disabled=${off ? "true" : nothing} @click=${run}>
      ${icon(name)}
    </button>`;
  const play = playing ? button("pause", "Pause", act.toggle) : button("play", "Play", act.toggle);
  const next = html`<button
    class="btn pri"
    id="next"
    tabindex="0"
    aria-disabled=${index >= last ? "true" : nothing}
    @click=${act.next}
  >
    Next${icon("next")}
  </button>`;
  if (mini) return html`${play} ${next}`;
  return html`${button("restart", "Restart", () => act.seek(first), index <= first)}
  ${button("back", "Back", act.back, index <= first)} ${play} ${next}
  ${button("end", "End", () => act.seek(last), index >= last)}`;
}

/** Speed, link, files, text version and keys behind one button, where room is short. */
export const moreButton = (state: ControlState, act: Actions, stop = -1): TemplateResult =>
  html`<button
    class="btn more"
    tabindex=${stop}
    aria-label="More"
    aria-expanded=${String(state.sheet === "more")}
    @click=${() => act.sheet("more")}
  >
    ${icon("more")}
  </button>`;
