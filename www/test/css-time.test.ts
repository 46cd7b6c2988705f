import assert from "node:assert/strict";
import { test } from "node:test";
import { cssTimeMs } from "../src/css-time.ts";

test("a CSS time is read with its unit, in every way to write it", () => {
  for (const [text, ms] of [
    ["320ms", 320],
    [".32s", 320],
    ["0.32s", 320],
    ["  .5S ", 500],
    ["3.2e2ms", 320],
    ["-1s", -1000],
    ["0s", 0],
    ["0", 0],
    ["320", 320],
  ] as const) {
    assert.equal(cssTimeMs(text), ms, text);
  }
});

test("what is no CSS time has no length", () => {
  for (const text of ["", " ", "s", "1.s", "3 s", "320px", "calc(1s * 2)", "1s 2s", "NaN"]) {
    assert.equal(cssTimeMs(text), undefined, text);
  }
});
