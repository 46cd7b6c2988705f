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

test("a damaged recording is refused with what is wrong", () => {
  const cut = file();
  cut.strings.pop();
  assert.throws(() => decodeRecording(cut), /names a string that is not there/);
  const short = file();
  short.nums[0]!.length = 3;
  assert.throws(() => decodeRecording(short), /a column ends before row/);
  assert.throws(() => decodeRecording({ ...file(), v: 2 as 1 }), /version 2/);
  const frames = file();
  frames.demos[0]!.scenes[0]!.frames.pop();
  assert.throws(() => decodeRecording(frames), /4 steps and 3 frames at 704 px/);
});
