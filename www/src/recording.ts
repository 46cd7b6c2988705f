/**
 * Recordings: demos played at build time with their default inputs, so that Next answers before any wasm has arrived.
 * partition-figure's `recording.rs` writes them; this file reads them. One JSON file holds one demo or several:
 *
 * ```text
 * { "v": 2,
 *   "catalog": [[id, title], …],         all demos in the order of the list, also those that this file does not hold
 *   "tables": [keys, kinds, classes, paths, words, labels],       each one text, its entries joined by "~", without duplicates
 *   "columns": [[int, …], …],            at, mask, key, key's numbers, counts; x, y, w, h, rx;
 *                                        parent, kind, class, d, anchor, spans, role, label, enter, from, exit
 *   "demos": [{ "info": DemoInfo, "outline": Outline without "steps",
 *               "steps": [[sentence, changes?], …],
 *               "scenes": [[width in px, height in tenths of a px, how many nodes], …] }, …] }
 * ```
 *
 * **Nodes.** All nodes of all frames of a scene follow each other in paint order; those of the scenes and demos too. Each is read so:
 * its key; then a value of `at`, the frame in which it appears; then its states, each with a value of `mask`. A value of `at` follows each
 * state: how many frames later the next one begins, 0 after the last. A mask of -1 takes the node out of the picture.
 * - A key is a *pattern* with # in place of numbers. 0 = the next unused key, 1 = the pattern that came after the pattern before the last time,
 *   n = key n - 2. Each # is the number in the same place of the latest key that had that place (0 at first), plus the next of the key's numbers.
 * - Bits 0 to 4 of a mask are the numbers, 5 to 15 the texts, in the order of the columns. A field whose bit is clear is as *expected*; for the
 *   others the column says: a number's difference from what is expected; a text as 0 = the next unused of its table, 1 = "" (absent), 2 = the
 *   expected text with other numbers, n = text n - 3 of its table.
 * - parent, spans, label and from have signs for numbers: { } [ ] for the first four of the key, # for others, which stand in `counts`: with a
 *   code of 2 (see above) as the difference from the expected text's number in the same place.
 * - *Expected texts* are those of the *twin* (the node with this key in the demo's first scene; of several the one with the same rank; its
 *   state of the same rank), else those of the state before, else those of the first state of the latest node with the same pattern, else those
 *   of the first state of the node before, else "".
 * - *Expected numbers* are those of the state before, plus what the twin's changed by at the same time; for a first state as for texts.
 * - A sign in a text that means itself is in the private use area, at its code point + U+E000. Absent numbers are 0. Spans are joined by "|", each
 *   its text, or its text, "^" and its class.
 *
 * **Steps.** sentence: spans as one text. changes: what else differs from the step before, as in StepView (title: of its scene); a question
 * (`picks`) is of one step only. The first steps of a page go without all but title and picks: they wait for the model.
 *
 * Measured: about a quarter of the bytes, after brotli, of the same nodes as JSON objects.
 */
import type { FrameSource } from "./frames.js";
import { plain as words, type DemoInfo, type Inspection, type Outline, type SceneNode, type Span, type StepView } from "./views.js";

type RecordedStep = Omit<StepView, "scene"> & { title: string };
type Changes = Partial<Pick<RecordedStep, "title" | "command" | "numbers" | "files" | "picks">> & { panel?: Inspection | null };

/** The file as it stands on disk. */
export interface RecordingFile {
  v: 2;
  catalog: [id: string, title: string][];
  tables: string[];
  columns: number[][];
  demos: {
    info: DemoInfo;
    outline: Omit<Outline, "steps">;
    steps: [sentence: string, changes?: Changes][];
    scenes: [width: number, height: number, nodes: number][];
  }[];
}

/** The demos of a file, and the list of all demos. */
export interface Recordings {
  catalog: { id: string; title: string }[];
  demos: Map<string, FrameSource>;
}

export const NUMBERS = ["x", "y", "w", "h", "rx"] as const;
export const TEXTS = ["parent", "kind", "class", "d", "anchor", "spans", "role", "label", "enter", "from", "exit"] as const;
/** The table of each text; keys are in the first as well. */
export const TABLES = [0, 1, 2, 3, 1, 4, 1, 5, 1, 0, 1];

/** One state of a node as it is told: numbers, texts with signs, and the numbers that # stands for in each text. */
interface Told {
  numbers: number[];
  texts: string[];
  counts: number[][];
}

export const NOTHING: Told = { numbers: NUMBERS.map(() => 0), texts: TEXTS.map(() => ""), counts: TEXTS.map(() => []) };

const plain = (text: string): string => text.replace(/[\ue020-\ue07e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xe000));

const spansOf = (text: string): Span[] =>
  text
    ? text.split("|").map((span) => {
        const [words = "", kind] = span.split("^").map(plain);
        return kind ? { text: words, class: kind } : { text: words };
      })
    : [];

/** Reads a recording. Throws an Error that says what is wrong with it; a damaged file never yields a half-right demo. */
export function decodeRecording(file: RecordingFile): Recordings {
  if (file?.v !== 2) throw new Error(`recording: version ${file?.v}, this page reads version 2`);
  const nodes = nodeReader(file);
  const demos = new Map<string, FrameSource>();
  for (const demo of file.demos) {
    const twins: Lives = new Map();
    const scenes = demo.scenes.map(([width, height, count]) => {
      const lives = nodes(count, demo.steps.length, twins);
      return { width, height, frames: demo.steps.map((_, frame) => lives.flatMap((life) => life[frame] ?? [])) };
    });
    const steps = stepsOf(demo);
    const told = steps.map(({ sentence, command, phase }) => ({ sentence: words(sentence), command, phase }));
    demos.set(demo.info.id, new RecordedDemo(demo.info, { ...demo.outline, steps: told }, steps, scenes));
  }
  return { catalog: file.catalog.map(([id, title]) => ({ id, title })), demos };
}

/** The states of nodes by key; a key's second node in a scene has a "+" after it, and so on. */
type Lives = Map<string, (Told | undefined)[]>;

/** Returns a function that reads the nodes of one scene after the other: for each what it is in each frame. */
function nodeReader(file: RecordingFile): (count: number, frames: number, twins: Lives) => (SceneNode | undefined)[][] {
  const tables = file.tables.map((table) => table.split("~"));
  const unused = tables.map(() => 0);
  const used = file.columns.map(() => 0);
  const take = (column: number): number => {
    const value = file.columns[column]?.[used[column]!++];
    if (value === undefined) throw new Error(`recording: column ${column} ends too early`);
    return value;
  };
  const [AT, MASK, KEY, OF_KEY, COUNTS, FIRST_NUMBER, FIRST_TEXT] = [0, 1, 2, 3, 4, 5, 10];
  const entry = (table: number, code: number, first: number): string => {
    const text = tables[table]?.[code ? code - first : unused[table]!++];
    if (text === undefined) throw new Error(`recording: table ${table} has no text ${code}`);
    return text;
  };
  const follows = new Map<string, string>();
  const byPattern = new Map<string, Told>();
  const latest: number[] = [];
  let pattern = "";
  let before = NOTHING;

  const readKey = (): number[] => {
    const code = take(KEY);
    const next = code === 1 ? (follows.get(pattern) ?? "") : entry(0, code, 2);
    follows.set(pattern, next);
    pattern = next;
    return (next.match(/#/g) ?? []).map((_, place) => (latest[place] = (latest[place] ?? 0) + take(OF_KEY)));
  };

  const readState = (mask: number, numbers: number[], expected: Told): Told => {
    const told: Told = { numbers: [], texts: [], counts: [] };
    numbers.forEach((number, field) => told.numbers.push(number + (mask & (1 << field) ? take(FIRST_NUMBER + field) : 0)));
    TABLES.forEach((table, field) => {
      let [text, counts] = [expected.texts[field]!, expected.counts[field]!];
      if (mask & (32 << field)) {
        const code = take(FIRST_TEXT + field);
        const base = code === 2 ? counts : [];
        if (code !== 2) text = code === 1 ? "" : entry(table, code, 3);
        counts = (text.match(/#/g) ?? []).map((_, place) => (base[place] ?? 0) + take(COUNTS));
      }
      told.texts.push(text);
      told.counts.push(counts);
    });
    return told;
  };

  return (count, frames, twins) => {
    const own: Lives = new Map();
    const lives = Array.from({ length: count }, () => {
      const ofKey = readKey();
      let numbered = 0;
      const key = plain(pattern.replace(/#/g, () => String(ofKey[numbered++])));
      let name = key;
      while (own.has(name)) name += "+";
      const twin = twins.get(name) ?? [];
      const states: (Told | undefined)[] = [];
      own.set(name, states);
      const alike = byPattern.get(pattern) ?? before;
      const life: (SceneNode | undefined)[] = [];
      let last: Told | undefined;
      let shown: SceneNode | undefined;
      for (let frame = take(AT), wait = 1; wait; frame += wait) {
        const mask = take(MASK);
        if (mask < 0) {
          states.push((shown = undefined));
        } else {
          const [now, then] = [twin[states.length], twin[states.length - 1]];
          const expected = now ?? last ?? alike;
          const numbers = last
            ? last.numbers.map((number, field) => number + (now && then ? now.numbers[field]! - then.numbers[field]! : 0))
            : expected.numbers;
          last = readState(mask, numbers, expected);
          if (!states.length) byPattern.set(pattern, (before = last));
          states.push(last);
          shown = nodeOf(key, ofKey, last);
        }
        wait = take(AT);
        const end = wait ? frame + wait : frames;
        if (frame < 0 || frame >= frames || end > frames) throw new Error(`recording: ${key} changes after step ${frames}`);
        life.length = frame;
        for (let at = frame; at < end; at++) life[at] = shown;
      }
      return life;
    });
    if (!twins.size) own.forEach((states, name) => twins.set(name, states));
    return lives;
  };
}

function nodeOf(key: string, ofKey: number[], { numbers, texts, counts }: Told): SceneNode {
  const node: Record<string, unknown> = { key, class: "" };
  NUMBERS.forEach((name, field) => (node[name] = numbers[field]));
  TEXTS.forEach((name, field) => {
    let at = 0;
    const text = texts[field]!.replace(/[#{}[\]]/g, (sign) => String(sign === "#" ? counts[field]![at++] : ofKey["{}[]".indexOf(sign)]));
    if (text) node[name] = name === "spans" ? spansOf(text) : plain(text);
  });
  return node as unknown as SceneNode;
}

function stepsOf({ steps, outline }: RecordingFile["demos"][number]): RecordedStep[] {
  let before: Omit<RecordedStep, "index" | "phase" | "sentence"> = { title: "", command: "", numbers: [], files: [] };
  return steps.map(([sentence, changes], index) => {
    const { picks: _, ...kept } = before;
    const { panel = kept.panel, ...rest } = changes ?? {};
    before = { ...kept, ...rest };
    if (panel) before.panel = panel;
    else delete before.panel;
    const phase = outline.phases.findIndex(({ first, last }) => first <= index && index <= last);
    return { ...before, index, phase: Math.max(0, phase), sentence: spansOf(sentence) };
  });
}

/** Which recorded width a scene takes: the widest that is not wider, since a picture made smaller has text under 12 px. */
export const rank = (width: number): number => (width < 704 ? 0 : width < 1160 ? 1 : 2);

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
    const distance = (scene: { width: number }) => Math.abs(rank(scene.width) - rank(width));
    const scene = this.scenes.reduce((best, next) => (distance(next) < distance(best) ? next : best));
    return { ...step, scene: { width: scene.width * 10, height: scene.height, title, nodes: scene.frames[index]! } };
  }

  inspect(): undefined {}

  download(): undefined {}

  close(): void {}
}
