/** The encoder of recordings as the format's comment describes it, for tests; the one that ships is partition-figure's. */
import type { RecordingFile } from "../src/recording.ts";
import type { DemoInfo, FileRow, Inspection, Outline, SceneNode, Span, StepView } from "../src/views.ts";

export interface Played {
  info: DemoInfo;
  outline: Outline;
  /** Steps by width in px. */
  widths: Map<number, StepView[]>;
}

const NUMBERS = ["x", "y", "w", "h", "rx"] as const;
const STRINGS = ["parent", "kind", "class", "d", "anchor", "spans", "role", "label", "enter", "from", "exit"] as const;
const STATES: FileRow["state"][] = ["live", "deleted", "not created"];

const spans = (all: readonly Span[] = []): string => all.map((span) => span.text + (span.class ? `\t${span.class}` : "")).join("\n");

export function encodeRecording(catalog: [string, string][], demos: Played[]): RecordingFile {
  const file: RecordingFile = {
    v: 1,
    catalog,
    strings: [],
    mask: [],
    key: [],
    nums: NUMBERS.map(() => []),
    strs: STRINGS.map(() => []),
    demos: [],
  };
  const known = new Map<string, number>();
  const text = (value: string): number => {
    if (!value) return 1;
    const at = known.get(value);
    if (at !== undefined) return at + 2;
    known.set(value, file.strings.length);
    file.strings.push(value);
    return 0;
  };
  type Row = { numbers: number[]; strings: string[] };
  const byKey = new Map<string, Row>();
  let before: Row = { numbers: [0, 0, 0, 0, 0], strings: STRINGS.map(() => "") };
  const write = (node: SceneNode, standsFor: string | undefined): void => {
    const row: Row = {
      numbers: NUMBERS.map((name) => node[name] ?? 0),
      strings: STRINGS.map((name) => (name === "spans" ? spans(node.spans) : (node[name] ?? ""))),
    };
    const reference = byKey.get(node.key) ?? before;
    file.key.push(node.key === standsFor ? 1 : text(node.key));
    let mask = 0;
    row.numbers.forEach((value, field) => {
      if (value === reference.numbers[field]) return;
      mask |= 1 << field;
      file.nums[field]!.push(value - before.numbers[field]!);
    });
    row.strings.forEach((value, field) => {
      if (value === reference.strings[field]) return;
      mask |= 32 << field;
      file.strs[field]!.push(text(value));
    });
    file.mask.push(mask);
    byKey.set(node.key, row);
    before = row;
  };
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const frame = (from: SceneNode[], to: SceneNode[]): number[] => {
    const splices: number[] = [];
    let at = 0;
    let done = 0;
    let skip = 0;
    const places = new Map(to.map((node, index) => [node.key, index]));
    while (at < from.length || done < to.length) {
      if (at < from.length && done < to.length && same(from[at], to[done])) {
        at++;
        done++;
        skip++;
        continue;
      }
      const [startAt, startDone] = [at, done];
      while (at < from.length && (places.get(from[at]!.key) ?? -1) < done + 1 && !(done < to.length && same(from[at], to[done]))) {
        if (done < to.length && from[at]!.key === to[done]!.key) done++;
        at++;
      }
      if (at === startAt) {
        const stay = new Set(from.slice(at).map(({ key }) => key));
        while (done < to.length && !stay.has(to[done]!.key)) done++;
        if (done === startDone) at++;
      }
      splices.push(skip, at - startAt, done - startDone);
      for (let i = startDone; i < done; i++) write(to[i]!, i - startDone < at - startAt ? from[startAt + i - startDone]!.key : undefined);
      skip = 0;
    }
    return splices;
  };
  for (const { info, outline, widths } of demos) {
    const { steps: _, ...rest } = outline;
    const steps = [...widths.values()][0]!;
    file.demos.push({
      info,
      outline: rest,
      steps: steps.map((step, i) => {
        const last = steps[i - 1];
        return [
          spans(step.sentence),
          step.command === last?.command ? 0 : step.command,
          step.scene.title === last?.scene.title ? 0 : step.scene.title,
          same(step.numbers, last?.numbers)
            ? 0
            : step.numbers.map(({ label, value, was }) => (was === undefined ? [label, value] : [label, value, was])),
          same(step.panel, last?.panel) ? 0 : step.panel ? panel(step.panel) : 1,
          same(step.files, last?.files)
            ? 0
            : step.files.map(({ name, size, state }) => [name, size, STATES.indexOf(state) as 0 | 1 | 2]),
          step.picks ? step.picks.map(({ key, right, answer }) => [key, right ? 1 : 0, spans(answer)]) : 0,
        ];
      }),
      scenes: [...widths].map(([width, views]) => ({
        width,
        height: views[0]!.scene.height,
        frames: views.map(({ scene }, i) => frame(views[i - 1]?.scene.nodes ?? [], scene.nodes)),
      })),
    });
  }
  return file;
}

const panel = ({ key, title, subtitle, size, sections, map }: Inspection): never =>
  [
    key,
    title,
    subtitle,
    size ?? "",
    sections.map(({ title: heading, rows }) => [
      heading ?? "",
      rows.map(({ at, hex, name, value, answer }) =>
        answer ? [at ?? "", hex ?? "", name, value, answer] : [at ?? "", hex ?? "", name, value],
      ),
    ]),
    map ? map.map((part) => [part.label, part.length, part.class]) : 0,
  ] as never;
