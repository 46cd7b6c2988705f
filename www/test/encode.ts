/** The encoder of recordings as the format's comment describes it, for tests; the one that ships is partition-figure's. */
import { NOTHING, NUMBERS, TABLES, TEXTS, type RecordingFile } from "../src/recording.ts";
import type { DemoInfo, Outline, SceneNode, Span, StepView } from "../src/views.ts";

export interface Played {
  info: DemoInfo;
  outline: Outline;
  /** Steps by width in px. */
  widths: Map<number, StepView[]>;
}

type Told = typeof NOTHING;
type Life = { key: string; events: [frame: number, node: SceneNode | undefined][] };

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const itself = (text: string): string => text.replace(/[~|^#{}[\]]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xe000));

const spans = (all: readonly Span[] = []): string =>
  all.map((span) => itself(span.text) + (span.class ? `^${itself(span.class)}` : "")).join("|");

/** Numbers that are written as numbers are: without zeros before them, and not too long to count with. */
const NUMBER = /(?<!\d)(?:0|[1-9]\d{0,14})(?!\d)/g;

function tell(node: SceneNode, ofKey: number[]): Told {
  const told: Told = { numbers: NUMBERS.map((name) => node[name] ?? 0), texts: [], counts: [] };
  TEXTS.forEach((name, field) => {
    const text = name === "spans" ? spans(node.spans) : itself(node[name] ?? "");
    const counts: number[] = [];
    const open = ["parent", "spans", "label", "from"].includes(name);
    told.texts[field] = !open
      ? text
      : text.replace(NUMBER, (digits) => {
          const place = ofKey.slice(0, 4).indexOf(Number(digits));
          if (place >= 0) return "{}[]"[place]!;
          counts.push(Number(digits));
          return "#";
        });
    told.counts[field] = counts;
  });
  return told;
}

/** Nodes in an order that is the paint order of every frame. */
function livesOf(frames: SceneNode[][]): Life[] {
  const lives: Life[] = [];
  frames.forEach((nodes, frame) => {
    let next = 0;
    const present = new Set<Life>();
    for (const node of nodes) {
      let place = lives.findIndex((life, at) => at >= next && life.key === node.key);
      if (place < 0) lives.splice((place = next), 0, { key: node.key, events: [] });
      const life = lives[place]!;
      if (!same(life.events.at(-1)?.[1], node)) life.events.push([frame, node]);
      present.add(life);
      next = place + 1;
    }
    for (const life of lives) if (!present.has(life) && life.events.at(-1)![1]) life.events.push([frame, undefined]);
  });
  return lives;
}

export function encodeRecording(catalog: [string, string][], demos: Played[]): RecordingFile {
  const tables: string[][] = [[], [], [], [], [], []];
  const columns: number[][] = Array.from({ length: 5 + NUMBERS.length + TEXTS.length }, () => []);
  const [at, mask, key, keyNumbers, counted] = columns as [number[], number[], number[], number[], number[]];
  const code = (table: number, text: string, first: number): number => {
    const place = tables[table]!.indexOf(text);
    if (place < 0) tables[table]!.push(text);
    return place < 0 ? 0 : place + first;
  };
  const follows = new Map<string, string>();
  const byPattern = new Map<string, Told>();
  const latest: number[] = [];
  let pattern = "";
  let before = NOTHING;

  const write = (told: Told, numbers: number[], expected: Told): void => {
    let bits = 0;
    told.numbers.forEach((number, field) => {
      if (number === numbers[field]) return;
      bits |= 1 << field;
      columns[5 + field]!.push(number - numbers[field]!);
    });
    told.texts.forEach((text, field) => {
      const alike = text === expected.texts[field];
      if (alike && same(told.counts[field], expected.counts[field])) return;
      bits |= 32 << field;
      columns[10 + field]!.push(alike ? 2 : text ? code(TABLES[field]!, text, 3) : 1);
      told.counts[field]!.forEach((number, place) => counted.push(number - (alike ? expected.counts[field]![place]! : 0)));
    });
    mask.push(bits);
  };

  const scene = (lives: Life[], twins: Map<string, (Told | undefined)[]>): Map<string, (Told | undefined)[]> => {
    const own = new Map<string, (Told | undefined)[]>();
    for (const life of lives) {
      const ofKey: number[] = [];
      const next = itself(life.key).replace(NUMBER, (digits) => (ofKey.push(Number(digits)), "#"));
      key.push(follows.get(pattern) === next ? 1 : code(0, next, 2));
      follows.set(pattern, next);
      pattern = next;
      ofKey.forEach((number, place) => {
        keyNumbers.push(number - (latest[place] ?? 0));
        latest[place] = number;
      });
      let name = life.key;
      while (own.has(name)) name += "+";
      const twin = twins.get(name) ?? [];
      const alike = byPattern.get(pattern) ?? before;
      let last: Told | undefined;
      let first: Told | undefined;
      const states = life.events.map(([frame, node], index) => {
        at.push(frame - (life.events[index - 1]?.[0] ?? 0));
        if (!node) return void mask.push(-1);
        const told = tell(node, ofKey);
        const [now, then] = [twin[index], twin[index - 1]];
        const expected = now ?? last ?? alike;
        const moved = (field: number) => (now && then ? now.numbers[field]! - then.numbers[field]! : 0);
        write(told, last ? last.numbers.map((number, field) => number + moved(field)) : expected.numbers, expected);
        first ??= told;
        return (last = told);
      });
      at.push(0);
      own.set(name, states);
      byPattern.set(pattern, (before = first!));
    }
    return own;
  };

  const recorded = demos.map(({ info, outline, widths }): RecordingFile["demos"][number] => {
    const { steps: _, ...rest } = outline;
    let twins = new Map<string, (Told | undefined)[]>();
    const scenes = [...widths].map(([width, views]): [number, number, number] => {
      const lives = livesOf(views.map((view) => view.scene.nodes));
      const own = scene(lives, twins);
      if (!twins.size) twins = own;
      return [width, views[0]!.scene.height, lives.length];
    });
    return { info, outline: rest, steps: stepsOf([...widths.values()][0]!), scenes };
  });
  return { v: 2, catalog, tables: tables.map((table) => table.join("~")), columns, demos: recorded };
}

const stepsOf = (steps: StepView[]): RecordingFile["demos"][number]["steps"] =>
  steps.map(({ sentence, scene, command, numbers, panel = null, files, picks }, i) => {
    const now = { title: scene.title, command, numbers, panel, files };
    const last = steps[i - 1];
    const before: Record<string, unknown> = last ? { ...last, title: last.scene.title, panel: last.panel ?? null } : {};
    const changed = Object.entries(now).filter(([name, value]) => !same(value, before[name]));
    return [spans(sentence), { ...Object.fromEntries(changed), ...(picks && { picks }) }];
  });
