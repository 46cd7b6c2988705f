import assert from "node:assert/strict";
import { test } from "node:test";
import { intentOf, type Where } from "../src/keys.ts";

const key = (name: string, more = {}) => ({ key: name, ctrlKey: false, altKey: false, metaKey: false, ...more });

test("J, K, L, digits and ? work anywhere inside, but not in fields", () => {
  for (const where of ["scene", "scrubber", "list", "other"] as Where[]) {
    assert.equal(intentOf(key("j"), where), "back");
    assert.equal(intentOf(key("K"), where), "toggle");
    assert.equal(intentOf(key("l"), where), "next");
    for (const digit of ["1", "3", "7", "9"]) assert.equal(intentOf(key(digit), where), `demo-${digit}`);
    assert.equal(intentOf(key("?"), where), "keys");
  }
  for (const name of ["j", "k", "l", "3", "?", "ArrowUp"]) assert.equal(intentOf(key(name), "field"), "native");
});

test("what is unbound on purpose stays with the page", () => {
  for (const where of ["scene", "scrubber", "list", "other"] as Where[]) {
    for (const name of [",", ".", "n", "p", "s", "f", "/", "0", "Tab"]) assert.equal(intentOf(key(name), where), undefined);
    for (const modifier of ["ctrlKey", "altKey", "metaKey"]) {
      for (const name of ["j", "ArrowLeft", "Home", "Escape"]) assert.equal(intentOf(key(name, { [modifier]: true }), where), undefined);
    }
  }
  assert.equal(intentOf(key("Tab"), "field"), undefined);
});

test("keys=off removes the single keys and no other", () => {
  for (const name of ["j", "k", "l", "1", "?"]) assert.equal(intentOf(key(name), "scene", false), undefined);
  assert.equal(intentOf(key("ArrowLeft"), "scene", false), "left");
  assert.equal(intentOf(key("PageUp"), "scrubber", false), "phase-on");
});

test("arrows by place: the picture and lists move, the timeline is native, elsewhere the page scrolls", () => {
  assert.equal(intentOf(key("ArrowDown"), "scene"), "down");
  assert.equal(intentOf(key("Enter"), "scene"), "open");
  assert.equal(intentOf(key("Home"), "list"), "first");
  assert.equal(intentOf(key("ArrowLeft"), "scrubber"), "native");
  assert.equal(intentOf(key("PageDown"), "scrubber"), "phase-back");
  assert.equal(intentOf(key("ArrowDown"), "other"), undefined);
});
