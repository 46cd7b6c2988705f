/** A small demo made by hand: two segments, four steps, every way to appear, to move and to leave. */
import type { DemoInfo, Outline, SceneNode, StepView } from "../src/views.ts";

const segment = (base: number, x: number): SceneNode[] => [
  { key: `segment/${base}`, kind: "group", class: "segment", x: 0, y: 0, role: "group", label: `segment ${base}` },
  ...[".log", ".index", ".timeindex"].flatMap((kind, row): SceneNode[] => [
    {
      key: `file/${base}/${kind.slice(1)}`,
      parent: `segment/${base}`,
      kind: "group",
      class: "file",
      x: 0,
      y: 0,
      role: "button",
      label: `segment ${base}, ${kind}`,
    },
    {
      key: `file/${base}/${kind.slice(1)}/box`,
      parent: `file/${base}/${kind.slice(1)}`,
      kind: "rect",
      class: "file-box",
      x,
      y: 400 + 200 * row,
      w: 1500,
      h: 160,
    },
    {
      key: `file/${base}/${kind.slice(1)}/name`,
      parent: `file/${base}/${kind.slice(1)}`,
      kind: "text",
      class: "mono",
      x: x + 40,
      y: 520 + 200 * row,
      spans: [{ text: kind }],
    },
  ]),
];

const record = (offset: number, x: number, touched = false): SceneNode => ({
  key: `record/${offset}`,
  kind: "rect",
  class: touched ? "record touched" : "record",
  x,
  y: 1200,
  w: 400,
  h: 300,
});

const hop: SceneNode = {
  key: "hop/1",
  kind: "path",
  class: "pointer",
  x: 100,
  y: 900,
  d: "M0 0h20v30",
};

const scenes: SceneNode[][] = [
  [...segment(0, 0), record(0, 0), record(1, 400)],
  [...segment(0, 0), record(0, 0), record(1, 400, true), { ...hop, enter: "hop" }],
  [...segment(0, 0), ...segment(2, 2000), record(0, 0), record(1, 400), { ...record(2, 2000), enter: "grow", from: "record/1" }],
  [...segment(2, 2000), { ...record(1, 0), exit: "fade" }, record(2, 1000)],
];

const SENTENCES = ["Two records are in segment 0.", "Record 1 starts at byte 40.", "Segment 2 begins.", "Segment 0 is gone."];

const steps = scenes.map((nodes, index): StepView => ({
    index,
    scene: { width: 7040, height: 2000, title: index < 2 ? "one segment" : "two segments", nodes },
    sentence:
      index === 1 ? [{ text: "Record 1 starts at byte " }, { text: "40", class: "index" }, { text: "." }] : [{ text: SENTENCES[index]! }],
    phase: index < 2 ? 0 : 1,
    numbers: [
      { label: "Log start offset", value: index === 3 ? "2" : "0", ...(index === 3 ? { was: "0" } : {}) },
      { label: "Log size", value: "120 B" },
    ],
    files: [{ name: "00000000000000000000.log", size: 80, state: index === 3 ? ("deleted" as const) : ("live" as const) }],
    ...(index === 0
      ? { picks: [{ key: "segment/0", right: true, answer: [{ text: "Right, " }, { text: "0", class: "log" }] }] }
      : {}),
    ...(index === 1
      ? {
          panel: {
            key: "record/1",
            title: "Record 1",
            subtitle: "Bytes 40 to 79",
            size: "40 B",
            sections: [{ title: "", rows: [{ at: "40", hex: "00 01", name: "offset", value: "1", answer: "" }] }],
            map: [{ label: "value", length: 6, class: "value" }],
          },
        }
      : {}),
  }));

const outline: Outline = {
  demo: "find-offset",
  title: "Find an offset",
  length: 4,
  phases: [
    { id: "fill", title: "fill", first: 0, last: 1 },
    { id: "roll", title: "roll", first: 2, last: 3 },
  ],
  steps: steps.map(({ phase }, index) => ({ sentence: SENTENCES[index]!, phase })),
};

export const fixture: { info: DemoInfo; outline: Outline; steps: StepView[] } = {
  info: {
    id: "find-offset",
    title: "Find an offset",
    inputs: [
      { name: "offset", label: "Offset to find", kind: "number", value: "9", min: 0, max: 30 },
      { name: "retention-ms", label: "retention.ms", kind: "duration", value: "60000", unit: "ms" },
      { name: "reset", label: "Reset policy", kind: "choice", value: "earliest", choices: ["earliest", "latest", "none"] },
    ],
    tries: [{ label: "has an entry of its own", inputs: { offset: "8" } }],
  },
  outline,
  steps,
};
