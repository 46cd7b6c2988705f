/** The three arrangements, by the element's own width, and the templates that put the parts in their places. */
import { html, nothing, type TemplateResult } from "lit/html.js";
import {
  count,
  demoList,
  demoSelect,
  inputField,
  moreButton,
  playerButtons,
  scrubber,
  tryList,
  type Actions,
  type ControlState,
} from "./controls.js";
import type * as Late from "./late.js";
import type { InputInfo, Panel, NumberView } from "./views.js";
import { arrangementOf, sceneWidth, sidesOf, type Controls } from "./widths.js";

/** The timeline in px, about, and how much of its lower right corner the counter takes: what fits there is decided before it is drawn. */
function trackOf(width: number, controls: Controls): [track: number, taken: number] {
  const arrangement = arrangementOf(width);
  if (arrangement === "stacked") return [width - 24, 56];
  return [arrangement === "open" && controls === "full" ? sceneWidth(width, controls) - 88 : width - 440, 0];
}

/** What the frame shows. */
export interface FrameState extends ControlState {
  width: number;
  controls: Controls;
  theme: string;
  scene: Element;
  narration: Element;
  panel: Panel | undefined;
  closeInspector: () => void;
  numbers: NumberView[];
  /** False while the recording of the first frames waits for the model, which knows the panels. */
  settled: boolean;
  /** The parts that arrive after the first frame. */
  late: typeof Late | undefined;
  /** What was wrong with a link, an attribute or an input; or why there is no live model. */
  notes: string[];
}

export function frame(state: FrameState, act: Actions): TemplateResult {
  const arrangement = arrangementOf(state.width);
  const { controls } = state;
  const body =
    controls !== "full"
      ? small(state, act)
      : arrangement === "open"
        ? open(state, act)
        : arrangement === "columns"
          ? columns(state, act)
          : stacked(state, act);
  return html`<section
    class=${`pod is-${arrangement} is-${controls}`}
    aria-label=${`Partition on disk: ${state.info.title}`}
    .style=${`color-scheme:${state.theme}`}
  >
    ${body} ${controls === "none" ? nothing : state.late?.textVersion(state)}
    ${state.notes.map((note) => html`<p class="note">${note}</p>`)}
  </section>`;
}

const scene = ({ scene }: FrameState): TemplateResult => html`<div class="scene" part="scene" data-where="scene">${scene}</div>`;

const inspector = ({ late, settled, panel, numbers }: FrameState, close?: () => void): TemplateResult =>
  html`<aside class="insp" part="inspector" aria-label="Inspector">${settled ? late?.inspector(panel, numbers, close) : nothing}</aside>`;

const sheet = (state: FrameState, act: Actions, fields: InputInfo[]): unknown => state.late?.openSheet(state, act, fields);

const bar = (content: unknown): TemplateResult =>
  html`<div class="bar" part="toolbar" role="toolbar" aria-label="Player" data-list>${content}</div>`;

function open(state: FrameState, act: Actions): TemplateResult {
  const [rail, side] = sidesOf(state.width);
  return html`<div class="grid" .style=${`--rail:${rail}px;--side:${side}px`}>
    <nav class="rail" aria-label="Demos">
      ${demoList(state, act)} ${state.info.inputs.map((input) => html`<div class="grp">${inputField(input, state, act)}</div>`)}
      ${state.info.tries.length ? html`<div class="grp">${tryList(state, act)}</div>` : nothing}
    </nav>
    <div class="mid">
      ${scene(state)} ${state.narration}
      <div class="scr">${scrubber(state, trackOf(state.width, state.controls), act)}${count(state)}</div>
      ${bar(html`${playerButtons(state, act)}<span class="sp"></span>${state.late?.extraButtons(state, act)}`)}
      ${sheet(state, act, [])}
    </div>
    ${inspector(state)}
  </div>`;
}

/** How many inputs fit beside the demo list, by about the width of their letters; the others open with "More". */
function fitting(inputs: InputInfo[], room: number): number {
  const width = ({ label, value, unit = "", choices = [value] }: InputInfo) =>
    76 + 7.2 * label.length + 9 * Math.max(...choices.map((choice) => (choice + unit).length));
  const over = inputs.findIndex((input) => (room -= width(input)) < 0);
  return over < 0 ? inputs.length : over;
}

function columns(state: FrameState, act: Actions): TemplateResult {
  const { inputs } = state.info;
  const shown = fitting(inputs, state.width - 244);
  return html`<div class="top">
      ${demoSelect(state, act)} ${inputs.slice(0, shown).map((input) => inputField(input, state, act, true))}
    </div>
    ${scene(state)}
    <div class="low">${state.narration}${inspector({ ...state, numbers: [] })}</div>
    <div class="tools">
      ${scrubber(state, trackOf(state.width, state.controls), act)}
      ${bar(html`${playerButtons(state, act)}${count(state)}${moreButton(state, act)}`)}
    </div>
    ${sheet(state, act, inputs.slice(shown))}`;
}

function stacked(state: FrameState, act: Actions): TemplateResult {
  const { inputs } = state.info;
  return html`<div class="top">
      ${demoSelect(state, act)} ${inputs.slice(0, 1).map((input) => inputField(input, state, act, true))}
      ${moreButton(state, act, 0)}
    </div>
    ${scene(state)} ${state.narration}
    <div class="scr">${scrubber(state, trackOf(state.width, state.controls), act)}${count(state)}</div>
    ${bar(playerButtons(state, act))} ${sheet(state, act, inputs.slice(1))}
    ${state.picked ? inspector(state, state.closeInspector) : nothing}`;
}

function small(state: FrameState, act: Actions): TemplateResult {
  const none = state.controls === "none";
  const line = scrubber(state, trackOf(state.width, state.controls), act);
  const tools = none
    ? bar(playerButtons(state, act, true))
    : arrangementOf(state.width) === "stacked"
      ? html`<div class="scr">${line}${count(state)}</div>
          ${bar(html`${playerButtons(state, act)}${moreButton(state, act)}`)}`
      : html`<div class="tools">${line}${bar(html`${playerButtons(state, act)}${count(state)}${moreButton(state, act)}`)}</div>`;
  return html`${scene(state)} ${state.narration} ${tools} ${sheet(state, act, state.info.inputs)}
  ${state.picked ? inspector(state, state.closeInspector) : nothing}`;
}
