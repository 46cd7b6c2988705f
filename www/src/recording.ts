/**
 * Recordings: demos played at build time with their default inputs, so that Next answers before any wasm has arrived.
 * partition-figure's `recording.rs` writes them; this file reads them. One JSON file holds one demo or several.
 *
 * ```text
 * { "v": 1,
 *   "catalog": [[id, title], …],        all demos in the order of the list, also those that this file does not hold
 *   "strings": [string, …],             in order of first use by the rows; no duplicates; "" is never listed
 *   "mask": [int, …],                   one per row
 *   "key":  [int, …],                   one per row
 *   "nums": [x, y, w, h, rx],           five columns of ints
 *   "strs": [parent, kind, class, d, anchor, spans, role, label, enter, from, exit],      eleven columns of ints
 *   "demos": [{ "info": DemoInfo,
 *               "outline": Outline without "steps",
 *               "steps": [[sentence, command, title, numbers, panel, files, picks], …],
 *               "scenes": [{ "width": px, "height": tenths of a px, "frames": [[int, …], …] }, …] }, …] }
 * ```
 *
 * **Rows.** A row is one state of one node; each is used once, in the order in which demos, scenes, frames and splices take them.
 * A row's fields are read in this order: key, then for each set bit of its mask, lowest first, the next value of that field's column (bits 0
 * to 4 are the numbers, 5 to 15 the strings). A field whose bit is clear has the value of the *reference row*: the latest earlier row with
 * the same key, else the row just before, else 0 or "".
 * - A number is the difference from the same field of the row just before (0 before the first row). Absent counts as 0.
 * - A string is 0 = the next unused entry of `strings`, 1 = "" (absent), n = entry n - 2.
 * - A key is 0 = the next unused entry of `strings`, 1 = the key of the node that it stands in for, n = entry n - 2.
 * - Spans are one string: joined by "\n", each its text, or its text, "\t" and its class.
 *
 * **Frames.** A frame changes the node list of the frame before (at first the empty list) by splices `skip, drop, take`: keep `skip` nodes, leave
 * out `drop`, put the next `take` rows in their place; the i-th row taken stands in for the i-th node dropped. The rest is kept.
 *
 * **Steps.** sentence: spans as one string. command, title, numbers, panel, files: 0 = as in the step before; trailing zeros may be left out.
 * numbers: [[label, value, was?], …]. panel: 1 = none, else [key, title, subtitle, size, sections, map or 0] with sections
 * [[title, [[at, hex, name, value, answer?], …]], …] and map [[label, length, class], …]; absent strings are "". files: [[name, size,
 * state], …] with 0 live, 1 deleted, 2 not created. picks: [[key, 0 or 1, sentence], …], 0 = none.
 *
 * Measured: columns and differences take about a third of the bytes, after brotli, of the same nodes as JSON objects.
 */
import type { FrameSource } from "./frames.js";
import type { DemoInfo, FileRow, Inspection, Outline, Pick, SceneNode, Span, StepView } from "./views.js";

type PanelRow = [at: string, hex: string, name: string, value: string, answer?: string];
type Panel = [string, string, string, string, [string, PanelRow[]][], (0 | [string, number, string][])?];
type Step = [
  sentence: string,
  command?: string | 0,
  title?: string | 0,
  numbers?: 0 | [string, string, string?][],
  panel?: 0 | 1 | Panel,
  files?: 0 | [string, number, 0 | 1 | 2][],
  picks?: 0 | [string, 0 | 1, string][],
];

/** The file as it stands on disk. */
export interface RecordingFile {
  v: 1;
  catalog: [id: string, title: string][];
  strings: string[];
  mask: number[];
  key: number[];
  nums: number[][];
  strs: number[][];
  demos: {
    info: DemoInfo;
    outline: Omit<Outline, "steps">;
    steps: Step[];
    scenes: { width: number; height: number; frames: number[][] }[];
  }[];
}

/** The demos of a file, and the list of all demos. */
export interface Recordings {
  catalog: { id: string; title: string }[];
  demos: Map<string, FrameSource>;
}

const NUMBERS = ["x", "y", "w", "h", "rx"] as const;
const STRINGS = ["parent", "kind", "class", "d", "anchor", "spans", "role", "label", "enter", "from", "exit"] as const;
const STATES: FileRow["state"][] = ["live", "deleted", "not created"];

const spansOf = (text: string): Span[] =>
  text
    ? text.split("\n").map((span) => {
        const [words = "", kind] = span.split("\t");
        return kind ? { text: words, class: kind } : { text: words };
      })
    : [];

/** Reads a recording. Throws an Error that says what is wrong with it; a damaged file never yields a half-right demo. */
export function decodeRecording(file: RecordingFile): Recordings {
  if (file?.v !== 1) throw new Error(`recording: version ${file?.v}, this page reads version 1`);
  const nextNode = rowReader(file);
  const demos = new Map<string, FrameSource>();
  for (const demo of file.demos) {
    const scenes = demo.scenes.map(({ width, height, frames }) => {
      if (frames.length !== demo.steps.length) {
        throw new Error(`recording: ${demo.info.id} has ${demo.steps.length} steps and ${frames.length} frames at ${width} px`);
      }
      let nodes: SceneNode[] = [];
      return { width, height, frames: frames.map((splices) => (nodes = spliced(nodes, splices, nextNode))) };
    });
    demos.set(demo.info.id, new RecordedDemo(demo.info, outlineOf(demo), stepsOf(demo), scenes));
  }
  return { catalog: file.catalog.map(([id, title]) => ({ id, title })), demos };
}

/** Returns a function that reads row after row. */
function rowReader(file: RecordingFile): (standsFor: string | undefined) => SceneNode {
  type Row = { key: string; numbers: number[]; strings: string[] };
  const byKey = new Map<string, Row>();
  let before: Row = { key: "", numbers: [0, 0, 0, 0, 0], strings: STRINGS.map(() => "") };
  let row = 0;
  let unused = 0;
  const at = [...file.nums, ...file.strs].map(() => 0);
  const take = (column: number[] | undefined, index: number): number => {
    const value = column?.[index];
    if (value === undefined) throw new Error(`recording: a column ends before row ${row}`);
    return value;
  };
  const text = (value: number): string => {
    const found = value === 1 ? "" : file.strings[value === 0 ? unused++ : value - 2];
    if (found === undefined) throw new Error(`recording: row ${row} names a string that is not there`);
    return found;
  };
  return (standsFor) => {
    const mask = take(file.mask, row);
    const code = take(file.key, row);
    const key = code === 1 ? (standsFor ?? "") : text(code);
    const reference = byKey.get(key) ?? before;
    const numbers = NUMBERS.map((_, field) =>
      mask & (1 << field) ? before.numbers[field]! + take(file.nums[field], at[field]!++) : reference.numbers[field]!,
    );
    const strings = STRINGS.map((_, field) =>
      mask & (32 << field) ? text(take(file.strs[field], at[field + 5]!++)) : reference.strings[field]!,
    );
    before = { key, numbers, strings };
    byKey.set(key, before);
    row++;
    const node: Record<string, unknown> = { key };
    NUMBERS.forEach((name, field) => (node[name] = numbers[field]));
    STRINGS.forEach((name, field) => strings[field] && (node[name] = strings[field]));
    node["class"] ??= "";
    if (node["spans"]) node["spans"] = spansOf(node["spans"] as string);
    return node as unknown as SceneNode;
  };
}

function spliced(nodes: SceneNode[], splices: number[], nextNode: (standsFor?: string) => SceneNode): SceneNode[] {
  const result: SceneNode[] = [];
  let at = 0;
  for (let i = 0; i < splices.length; i += 3) {
    const [skip = 0, drop = 0, take = 0] = splices.slice(i, i + 3);
    for (let kept = 0; kept < skip; kept++) result.push(nodes[at++]!);
    for (let taken = 0; taken < take; taken++) result.push(nextNode(taken < drop ? nodes[at + taken]?.key : undefined));
    at += drop;
  }
  if (at > nodes.length) throw new Error(`recording: a frame drops more nodes than the ${nodes.length} there are`);
  return result.concat(nodes.slice(at));
}

type RecordedStep = Omit<StepView, "scene"> & { title: string };

function stepsOf(demo: RecordingFile["demos"][number]): RecordedStep[] {
  let before: RecordedStep | undefined;
  return demo.steps.map((step, index) => {
    const [sentence, command, title, numbers, panel, files, picks] = step;
    const view: RecordedStep = {
      index,
      sentence: spansOf(sentence),
      command: command || (before?.command ?? ""),
      title: title || (before?.title ?? ""),
      phase: Math.max(
        0,
        demo.outline.phases.findIndex(({ first, last }) => first <= index && index <= last),
      ),
      numbers: numbers
        ? numbers.map(([label, value, was]) => (was === undefined ? { label, value } : { label, value, was }))
        : (before?.numbers ?? []),
      files: files ? files.map(([name, size, state]) => ({ name, size, state: STATES[state]! })) : (before?.files ?? []),
    };
    const shown = panel === 1 ? undefined : panel ? panelOf(panel) : before?.panel;
    if (shown) view.panel = shown;
    if (picks) view.picks = picks.map(([key, right, answer]): Pick => ({ key, right: right === 1, answer: spansOf(answer) }));
    return (before = view);
  });
}

function panelOf([key, title, subtitle, size, sections, map]: Panel): Inspection {
  const panel: Inspection = {
    key,
    title,
    subtitle,
    sections: sections.map(([heading, rows]) => ({
      title: heading,
      rows: rows.map(([at, hex, name, value, answer = ""]) => ({ at, hex, name, value, answer })),
    })),
  };
  if (size) panel.size = size;
  if (map) panel.map = map.map(([label, length, kind]) => ({ label, length, class: kind }));
  return panel;
}

function outlineOf(demo: RecordingFile["demos"][number]): Outline {
  const steps = stepsOf(demo).map(({ sentence, command, phase }) => ({
    sentence: sentence.map((span) => span.text).join(""),
    command,
    phase,
  }));
  return { ...demo.outline, steps };
}

class RecordedDemo implements FrameSource {
  readonly live = false;
  readonly inputs = {};

  constructor(
    readonly info: DemoInfo,
    readonly outline: Outline,
    private readonly steps: RecordedStep[],
    private readonly scenes: { width: number; height: number; frames: SceneNode[][] }[],
  ) {}

  step(index: number, width: number): StepView {
    const { title, ...step } = this.steps[index]!;
    const distance = (scene: { width: number }) => Math.abs(scene.width - width);
    const scene = this.scenes.reduce((best, next) => (distance(next) < distance(best) ? next : best));
    return { ...step, scene: { width: scene.width * 10, height: scene.height, title, nodes: scene.frames[index]! } };
  }

  inspect(): undefined {}

  download(): undefined {}

  close(): void {}
}
