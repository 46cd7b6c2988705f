import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeRecording } from "../src/recording.ts";
import type { SceneNode } from "../src/views.ts";
import { encodeRecording } from "./encode.ts";
import { fixture } from "./fixture.ts";

const file = () => encodeRecording([["find-offset", "Find an offset"]], [fixture]);

/** Absent numbers count as 0, absent strings as "". */
const whole = (node: SceneNode) => ({ w: 0, h: 0, rx: 0, ...node });

test("a recording gives back every step of every width", () => {
  const demo = decodeRecording(JSON.parse(JSON.stringify(file()))).demos.get("find-offset")!;
  assert.deepEqual(demo.info, fixture.info);
  assert.deepEqual(demo.outline, fixture.outline);
  for (const [width, steps] of fixture.widths) {
    for (const [index, step] of steps.entries()) {
      const got = demo.step(index, width);
      assert.deepEqual(got.scene.nodes, step.scene.nodes.map(whole), `step ${index} at ${width}`);
      assert.deepEqual({ ...got, scene: 0, panel: 0 }, { ...step, scene: 0, panel: 0 });
      assert.equal(got.scene.title, step.scene.title);
      assert.equal(got.scene.height, step.scene.height);
      assert.deepEqual(got.panel, step.panel);
    }
  }
});

test("nodes that stay as they are stay the same objects, so that drawing can skip them", () => {
  const demo = decodeRecording(file()).demos.get("find-offset")!;
  const [before, after] = [demo.step(0, 704).scene.nodes, demo.step(1, 704).scene.nodes];
  assert.equal(before[0], after[0]);
});

test("the nearest width answers for a width that was not recorded", () => {
  const demo = decodeRecording(file()).demos.get("find-offset")!;
  assert.equal(demo.step(0, 360).scene.width, 3280);
  assert.equal(demo.step(0, 900).scene.width, 7040);
});

test("texts may have every sign in them that means something in a recording", () => {
  const odd = "~ | ^ # { } [ ] 007 12345678901234567890 3";
  const node = (key: string, text: string): SceneNode => ({
    key,
    kind: "text",
    class: "s13",
    x: 1,
    y: 2,
    spans: [{ text }, { text: odd, class: "bold" }],
    label: text,
  });
  const view = { ...fixture.widths.get(704)![0]! };
  const scenes = [[node("odd/3", odd), node("odd/#7", "7 of 007"), node("01", "1")], [node("01", "2")], [node("01", "3"), node("odd/3", "3, 4")]];
  const widths = new Map([
    [704, scenes.map((nodes, index) => ({ ...view, index, scene: { ...view.scene, nodes } }))],
    [328, scenes.map((nodes, index) => ({ ...view, index, scene: { ...view.scene, nodes } }))],
  ]);
  const demo = decodeRecording(encodeRecording([], [{ ...fixture, widths }])).demos.get("find-offset")!;
  scenes.forEach((nodes, index) => {
    assert.deepEqual(demo.step(index, 704).scene.nodes, nodes.map(whole));
    assert.deepEqual(demo.step(index, 328).scene.nodes, nodes.map(whole));
  });
});

test("a damaged recording is refused with what is wrong", () => {
  const cut = file();
  cut.tables[0] = cut.tables[0]!.split("~").slice(0, 3).join("~");
  assert.throws(() => decodeRecording(cut), /table 0 has no text/);
  const short = file();
  short.columns[5]!.length = 3;
  assert.throws(() => decodeRecording(short), /column 5 ends too early/);
  assert.throws(() => decodeRecording({ ...file(), v: 1 as 2 }), /version 1/);
  const steps = file();
  steps.demos[0]!.steps.length = 1;
  assert.throws(() => decodeRecording(steps), /changes after step 1/);
});
