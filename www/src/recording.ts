/**
 * Recordings: demos played at build time with their default inputs, so that Next answers before any wasm has arrived, and needs none.
 * xtask's `page/recordings.rs` writes them; this file reads them. `<demo>.<width>.json` plays a demo at one width:
 *
 * ```text
 * { "v": 3,
 *   "catalog": [[id, title], …],         all demos in the order of the list
 *   "info": DemoInfo, "phases": [Phase, …],
 *   "width": …, "height": …,             of the scenes, in tenths of a px
 *   "steps": [[sentence, {title?, picks?}], …],
 *   "tables": [keys, kinds, classes, paths, words, labels],       each one text, its entries joined by "~", without duplicates
 *   "columns": [[int, …], …] }           passed, mask, key, key's numbers, counts; x, y, w, h, rx;
 *                                        parent, kind, class, d, anchor, spans, role, label, enter, from, exit
 * ```
 *
 * **Frames.** There is one a step; each says what is otherwise than in the one before, as events in paint order. An event takes a value of
 * `passed`, how many nodes of the frame before stay as they are ahead of it, and a value of `mask`: 0 = the rest stays; -1 = the next node of the
 * frame before leaves; above = the next node changes these fields; -2 or below = a node enters, whose fields -2 - mask are not as expected.
 * - A node that enters has a key: a *pattern* with # in place of numbers. 0 = the next unused key, 1 = the pattern that came after the pattern before
 *   the last time, n = key n - 2. Each # is the number in the same place of the latest key that had that place (0 at first), plus the next of the
 *   key's numbers.
 * - Bits 0 to 4 of a mask are the numbers, 5 to 15 the texts, in the order of the columns. A field whose bit is clear is as *expected*; for the
 *   others the column says: a number's difference from what is expected; a text as 0 = the next unused of its table, 1 = "" (absent), 2 = the
 *   expected text with other numbers, n = text n - 3 of its table.
 * - *Expected* is what the node was in the frame before; of one that enters what its key was last, else what the latest node with its pattern was
 *   when it entered, else what the latest node that entered was.
 * - parent, spans, label and from have signs for numbers: { } [ ] for the first four of the key, # for others, which stand in `counts`: with a
 *   code of 2 (see above) as the difference from the expected text's number in the same place.
 * - A sign in a text that means itself is in the private use area, at its code point + U+E000. Absent numbers are 0. Spans are joined by "|", each
 *   its text, or its text, "^" and its class.
 *
 * **Steps.** sentence: spans as one text. title: of the scene, if it is another than before. A question (`picks`) is of one step only.
 *
 * `<demo>.json` has, for all widths, what the steps show beside their pictures, each where it is otherwise than before:
 * `{ "v": 3, "steps": [{numbers?, files?, panel?}, …] }`. Nothing waits for it.
 *
 * Measured: about a quarter of the bytes, after brotli, of the same nodes as JSON objects.
 */
import type { FrameSource } from "./frames.js";
import {
  plain as words,
  type DemoInfo,
  type FileRow,
  type Panel,
  type NumberView,
  type Outline,
  type Phase,
  type Pick,
  type SceneNode,
  type Span,
  type StepView,
} from "./views.js";

/** A recording as it stands on disk. */
export interface RecordingFile {
  v: 3;
  catalog: [id: string, title: string][];
  info: DemoInfo;
  phases: Phase[];
  width: number;
  height: number;
  steps: [sentence: string, changes: { title?: string; picks?: Pick[] }][];
  tables: string[];
  columns: number[][];
}

/** What the steps show beside their pictures, as it stands on disk. */
export interface DetailsFile {
  v: 3;
  steps: { numbers?: NumberView[]; files?: FileRow[]; panel?: Panel | null }[];
}

const NUMBERS = ["x", "y", "w", "h", "rx"] as const;
const TEXTS = ["parent", "kind", "class", "d", "anchor", "spans", "role", "label", "enter", "from", "exit"] as const;
/** The table of each text; keys are in the first as well. */
const TABLES = [0, 1, 2, 3, 1, 4, 1, 5, 1, 0, 1];
const [PASSED, MASK, KEY, OF_KEY, COUNTS, FIRST_NUMBER, FIRST_TEXT] = [0, 1, 2, 3, 4, 5, 10];

/** The fields of a node: numbers, texts with signs, and the numbers that # stands for in each text. */
interface Fields {
  numbers: number[];
  texts: string[];
  counts: number[][];
}

/** A node of a frame, with what the next frame builds on. */
interface Shown {
  key: string;
  ofKey: number[];
  fields: Fields;
  node: SceneNode;
}

const NOTHING: Fields = { numbers: NUMBERS.map(() => 0), texts: TEXTS.map(() => ""), counts: TEXTS.map(() => []) };

const plain = (text: string): string => text.replace(/[\ue020-\ue07e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xe000));

const spansOf = (text: string): Span[] =>
  text
    ? text.split("|").map((span) => {
        const [words = "", kind] = span.split("^").map(plain);
        return kind ? { text: words, class: kind } : { text: words };
      })
    : [];

/** Reads a recording. Throws an Error that says what is wrong with it; a damaged file never yields a half-right demo. */
export function decodeRecording(file: RecordingFile): RecordedDemo {
  if (file?.v !== 3) throw new Error(`recording: version ${file?.v}, this page reads version 3`);
  return new RecordedDemo(file, framesOf(file));
}

/** The nodes of each frame; a node that stays as it is stays the same object. */
function framesOf(file: RecordingFile): SceneNode[][] {
  const tables = file.tables.map((table) => table.split("~"));
  const unused = tables.map(() => 0);
  const used = file.columns.map(() => 0);
  const take = (column: number): number => {
    const value = file.columns[column]?.[used[column]!++];
    if (value === undefined) throw new Error(`recording: column ${column} ends too early`);
    return value;
  };
  const entry = (table: number, code: number, first: number): string => {
    const text = tables[table]?.[code ? code - first : unused[table]!++];
    if (text === undefined) throw new Error(`recording: table ${table} has no text ${code}`);
    return text;
  };
  const follows = new Map<string, string>();
  const byPattern = new Map<string, Fields>();
  const byKey = new Map<string, Fields>();
  const latest: number[] = [];
  let pattern = "";
  let before = NOTHING;

  const readFields = (mask: number, expected: Fields): Fields => {
    const texts: string[] = [];
    const numbers = expected.numbers.map((number, field) => number + (mask & (1 << field) ? take(FIRST_NUMBER + field) : 0));
    const counts = TABLES.map((table, field) => {
      let [text, counts] = [expected.texts[field]!, expected.counts[field]!];
      if (mask & (32 << field)) {
        const code = take(FIRST_TEXT + field);
        const base = code === 2 ? counts : [];
        if (code !== 2) text = code === 1 ? "" : entry(table, code, 3);
        counts = (text.match(/#/g) ?? []).map((_, place) => (base[place] ?? 0) + take(COUNTS));
      }
      texts.push(text);
      return counts;
    });
    return { numbers, texts, counts };
  };

  const show = (key: string, ofKey: number[], fields: Fields): Shown => {
    byKey.set(key, fields);
    return { key, ofKey, fields, node: nodeOf(key, ofKey, fields) };
  };

  const enter = (mask: number): Shown => {
    const code = take(KEY);
    const next = code === 1 ? (follows.get(pattern) ?? "") : entry(0, code, 2);
    follows.set(pattern, next);
    pattern = next;
    const ofKey = (next.match(/#/g) ?? []).map((_, place) => (latest[place] = (latest[place] ?? 0) + take(OF_KEY)));
    let place = 0;
    const key = plain(pattern.replace(/#/g, () => String(ofKey[place++])));
    before = readFields(mask, byKey.get(key) ?? byPattern.get(pattern) ?? before);
    byPattern.set(pattern, before);
    return show(key, ofKey, before);
  };

  let shown: Shown[] = [];
  return file.steps.map(() => {
    const now: Shown[] = [];
    let at = 0;
    const next = (): Shown => {
      const node = shown[at++];
      if (!node) throw new Error("recording: a frame has more events than nodes");
      return node;
    };
    for (;;) {
      for (let passed = take(PASSED); passed > 0; passed--) now.push(next());
      const mask = take(MASK);
      if (!mask) break;
      if (mask < -1) now.push(enter(-2 - mask));
      else {
        const { key, ofKey, fields } = next();
        if (mask > 0) now.push(show(key, ofKey, readFields(mask, fields)));
      }
    }
    shown = [...now, ...shown.slice(at)];
    return shown.map(({ node }) => node);
  });
}

function nodeOf(key: string, ofKey: number[], { numbers, texts, counts }: Fields): SceneNode {
  const node: Record<string, unknown> = { key, class: "" };
  NUMBERS.forEach((name, field) => (node[name] = numbers[field]));
  TEXTS.forEach((name, field) => {
    let at = 0;
    const text = texts[field]!.replace(/[#{}[\]]/g, (sign) => String(sign === "#" ? counts[field]![at++] : ofKey["{}[]".indexOf(sign)]));
    if (text) node[name] = name === "spans" ? spansOf(text) : plain(text);
  });
  return node as unknown as SceneNode;
}

/** A demo at one width, the same whatever width is asked for. */
export class RecordedDemo implements FrameSource {
  readonly live = false;
  readonly inputs = {};
  readonly catalog: { id: string; title: string }[];
  readonly info: DemoInfo;
  readonly outline: Outline;
  /** Of its pictures, in px. */
  readonly width: number;
  readonly #steps: StepView[];
  complete = false;

  constructor({ catalog, info, phases, width, height, steps }: RecordingFile, frames: SceneNode[][]) {
    let title = "";
    this.catalog = catalog.map(([id, title]) => ({ id, title }));
    this.info = info;
    this.width = width / 10;
    this.#steps = steps.map(([sentence, changes], index) => {
      title = changes.title ?? title;
      return {
        index,
        scene: { width, height, title, nodes: frames[index]! },
        sentence: spansOf(sentence),
        phase: Math.max(0, phases.findIndex(({ first, last }) => first <= index && index <= last)),
        numbers: [],
        files: [],
        ...(changes.picks && { picks: changes.picks }),
      };
    });
    this.outline = {
      demo: info.id,
      title: info.title,
      length: steps.length,
      phases,
      steps: this.#steps.map(({ sentence, phase }) => ({ sentence: words(sentence), phase })),
    };
  }

  /** Takes in what the steps show beside their pictures. */
  add({ v, steps }: DetailsFile): void {
    if (v !== 3 || steps.length !== this.#steps.length) throw new Error("recording: the details are of other steps");
    let before: DetailsFile["steps"][number] = {};
    steps.forEach((step, index) => {
      before = { ...before, ...step };
      const { panel, ...rest } = before;
      Object.assign(this.#steps[index]!, rest, panel ? { panel } : {});
    });
    this.complete = true;
  }

  step(index: number): StepView {
    return this.#steps[index]!;
  }

  inspect(): undefined {}

  download(): undefined {}

  close(): void {}
}
