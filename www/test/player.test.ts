import assert from "node:assert/strict";
import { test } from "node:test";
import { Player, dwellMs } from "../src/player.ts";

const PHASES = [
  { id: "a", title: "a", first: 0, last: 2 },
  { id: "b", title: "b", first: 3, last: 5 },
];

/** A player on a stage without pictures, with a clock that moves by hand. */
function setUp({ motionMs = 300, words = 10 } = {}) {
  let now = 0;
  let moving = 0;
  const due = new Map<number, { at: number; run: () => void }>();
  let id = 0;
  const log: string[] = [];
  const player: Player = new Player(
    {
      show: (index, from) => {
        log.push(`${from}>${index}`);
        moving = index === from ? 0 : now + motionMs;
        return index === from ? 0 : motionMs;
      },
      finish: () => {
        const moved = moving > now;
        moving = 0;
        return moved;
      },
      words: () => words,
      changed: (playing, phaseEnd) => log.push(playing ? "play" : phaseEnd ? "phase end" : "pause"),
    },
    {
      set: (run, ms) => (due.set(++id, { at: now + ms, run }), id),
      clear: (which) => void due.delete(which as number),
    },
  );
  const wait = (ms: number) => {
    const end = now + ms;
    for (;;) {
      const next = [...due].sort((a, b) => a[1].at - b[1].at)[0];
      if (!next || next[1].at > end) break;
      due.delete(next[0]);
      now = next[1].at;
      next[1].run();
    }
    now = end;
  };
  player.load(6, PHASES, 0);
  log.length = 0;
  return { player, log, wait, timers: () => due.size };
}

test("the dwell is 0.2 s a word, at least 1.6 s, at most 4 s", () => {
  assert.deepEqual([0, 8, 12, 20, 90].map(dwellMs), [1600, 1600, 2400, 4000, 4000]);
});

test("playing goes on step by step and stops at the end of the phase", () => {
  const { player, log, wait, timers } = setUp();
  player.play();
  wait(60_000);
  assert.deepEqual(log, ["play", "0>1", "1>2", "phase end"]);
  assert.equal(timers(), 0, "at rest no timer runs");
  player.play();
  wait(60_000);
  assert.equal(player.index, 5);
  player.play();
  assert.equal(player.index, 0, "from the end it starts again");
});

test("a step stays for its motion and its dwell, divided by the speed", () => {
  const { player, wait } = setUp({ motionMs: 300, words: 10 });
  player.speed = 2;
  player.play();
  wait(300 + 999);
  assert.equal(player.index, 1);
  wait(2);
  assert.equal(player.index, 2);
});

test("next during a motion ends it and goes on: six presses are six steps", () => {
  const { player, log } = setUp();
  player.load(9, PHASES, 0);
  log.length = 0;
  for (let press = 0; press < 6; press++) player.next();
  assert.equal(player.index, 6);
  assert.deepEqual(log, ["0>1", "1>2", "2>3", "3>4", "4>5", "5>6"]);
});

test("stepping pauses, and the ends hold", () => {
  const { player, log } = setUp();
  player.play();
  player.back();
  player.back();
  assert.equal(player.playing, false);
  assert.equal(player.index, 0);
  player.seek(99);
  assert.equal(player.index, 5);
  assert.ok(log.includes("pause"));
});

test("seeking by phase goes to starts, from inside a phase to its own first", () => {
  const { player } = setUp();
  player.seek(4);
  player.seekPhase(-1);
  assert.equal(player.index, 3);
  player.seekPhase(-1);
  assert.equal(player.index, 0);
  player.seekPhase(1);
  player.seekPhase(1);
  assert.equal(player.index, 5);
});

test("a range bounds the steps, and a loop runs inside it", () => {
  const { player, wait } = setUp();
  player.loop = true;
  player.load(6, PHASES, 0, 2, 4);
  assert.equal(player.index, 2);
  player.play();
  const seen = new Set<number>();
  for (let i = 0; i < 100; i++) {
    seen.add(player.index);
    wait(500);
  }
  assert.deepEqual([...seen].sort(), [2, 3, 4]);
});
