import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, encode, isLink, stepIndex, stepName, type Link } from "../src/link.ts";
import { fixture } from "./fixture.ts";

/** Small and reproducible: mulberry32. A failing seed is printed by the assertion. */
function random(seed: number): (below: number) => number {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const VALUES = ["12", "40000", "-1", "by-duration=20s", "a b&c=d?e#f/g", "é%", "60s", "none", ""];
const KEYS = ["offset", "time", "records", "segment-bytes", "retention-ms", "reset"];

function anyLink(below: (n: number) => number): Link {
  const inputs = Object.fromEntries(
    KEYS.filter(() => below(4) === 0).map((key): [string, string] => [key, VALUES[below(VALUES.length)]!]),
  );
  const step = below(2) ? 1 + below(30) : ["@scan", "@roll", "@check-2"][below(3)]!;
  return { demo: ["find-offset", "append-and-roll", "x9"][below(3)]!, step, inputs };
}

test("decode(encode(x)) = x", () => {
  for (let seed = 0; seed < 3000; seed++) {
    const link = anyLink(random(seed));
    assert.deepEqual(decode(encode(link)), { link, problems: [] }, `seed ${seed}`);
  }
});

test("encode(decode(s)) is canonical: the same however often, keys sorted", () => {
  const pieces = ["#", "v1", "v2", "/", "find-offset", "@scan", "6", "006", "?", "offset=12", "&", "=", "%", "reset=none", "x", "é", "0", "-3"];
  for (let seed = 0; seed < 3000; seed++) {
    const below = random(seed);
    const text = `#v1/${Array.from({ length: below(9) }, () => pieces[below(pieces.length)]).join("")}`;
    const { link, problems } = decode(text);
    if (!link) {
      assert.ok(problems.length, text);
      continue;
    }
    const canonical = encode(link);
    assert.deepEqual(decode(canonical), { link, problems: [] }, text);
    assert.equal(encode(decode(canonical).link!), canonical);
  }
  assert.equal(encode(decode("v1/find-offset/007?time=31&offset=12").link!), "#v1/find-offset/7?offset=12&time=31");
  assert.equal(encode(decode("#v1/find-offset").link!), "#v1/find-offset/1");
});

test("a bad link says what was wrong and keeps what was right", () => {
  assert.match(decode("#v9/find-offset/1").problems[0]!, /v1, not “v9”/);
  assert.match(decode("#v1/Find Offset/1").problems[0]!, /no name of a demo/);
  assert.match(decode(`#v1/find-offset/1?offset=${"9".repeat(200)}`).problems[0]!, /more than 200/);
  const { link, problems } = decode("#v1/find-offset/soon/x?offset&time=31&a=%zz");
  assert.deepEqual(link, { demo: "find-offset", step: 1, inputs: { time: "31" } });
  assert.equal(problems.length, 4);
  assert.deepEqual(decode("#v1/find-offset/123456789012345"), {
    link: { demo: "find-offset", step: 123456789012345, inputs: {} },
    problems: [],
  });
  assert.ok(!isLink("#retention") && !isLink("#v1") && isLink("#v2/x"));
});

test("a step is a number from 1 or the id of a phase; the nearest one is taken, with a note", () => {
  const { outline } = fixture;
  assert.deepEqual(stepIndex("@roll", outline), { index: 2 });
  assert.deepEqual(stepIndex("roll", outline, true), { index: 3 });
  assert.deepEqual(stepIndex(4, outline), { index: 3 });
  assert.match(stepIndex(40, outline).problem!, /has 4 steps, not 40/);
  assert.match(stepIndex("@scan", outline).problem!, /no step “@scan”/);
  assert.deepEqual([0, 1, 2, 3].map((index) => stepName(index, outline)), [1, 2, "@roll", 4]);
});
