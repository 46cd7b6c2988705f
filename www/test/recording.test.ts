import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeRecording, type DetailsFile, type RecordingFile } from "../src/recording.ts";
import type { SceneNode, StepView } from "../src/views.ts";
// xtask's encoder made it, of steps made by hand: odd texts, and nodes that enter, change, change places, leave and come back.
import golden from "./recording.json";

const { recording, details, steps } = golden as unknown as { recording: RecordingFile; details: DetailsFile; steps: StepView[] };
const copy = (): RecordingFile => structuredClone(recording);

/** Absent numbers count as 0. */
const whole = (node: SceneNode) => ({ w: 0, h: 0, rx: 0, ...node });

test("a recording gives back every step", () => {
  const demo = decodeRecording(copy());
  assert.deepEqual(demo.info, recording.info);
  assert.deepEqual(demo.catalog, [{ id: "odd", title: "Odd texts" }]);
  assert.equal(demo.outline.length, steps.length);
  assert.equal(demo.outline.steps[2]!.sentence, steps[2]!.sentence.map(({ text }) => text).join(""));
  assert.equal(demo.width, 704);
  for (const complete of [false, true]) {
    if (complete) demo.add(structuredClone(details));
    assert.equal(demo.complete, complete);
    for (const step of steps) {
      const { panel: _, ...first } = { ...step, numbers: [], files: [] };
      const scene = { ...step.scene, nodes: step.scene.nodes.map(whole) };
      assert.deepEqual(demo.step(step.index), { ...(complete ? step : first), scene }, `step ${step.index}`);
    }
  }
});

test("nodes that stay as they are stay the same objects, so that drawing can skip them", () => {
  const demo = decodeRecording(copy());
  assert.equal(demo.step(0).scene.nodes[0], demo.step(1).scene.nodes[0]);
});

test("a damaged recording is refused with what is wrong", () => {
  const cut = copy();
  cut.tables[0] = cut.tables[0]!.split("~").slice(0, 2).join("~");
  assert.throws(() => decodeRecording(cut), /table 0 has no text/);
  const short = copy();
  short.columns[5]!.length = 2;
  assert.throws(() => decodeRecording(short), /column 5 ends too early/);
  assert.throws(() => decodeRecording({ ...copy(), v: 1 as 3 }), /version 1/);
  const passed = copy();
  passed.columns[0]![0] = 9;
  assert.throws(() => decodeRecording(passed), /more events than nodes/);
  assert.throws(() => decodeRecording(copy()).add({ v: 3, steps: [] }), /other steps/);
});
