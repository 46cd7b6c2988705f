import assert from "node:assert/strict";
import { test } from "node:test";
import { SceneView } from "../src/scene.ts";
import type { Scene, SceneNode } from "../src/views.ts";
import { fixture } from "./fixture.ts";

/** As much of a document as a picture needs, counting what is created and set. */
class FakeElement {
  attributes = new Map<string, string>();
  children: (FakeElement | string)[] = [];
  parent: FakeElement | undefined;
  style: Record<string, string> = {};
  constructor(
    readonly tag: string,
    readonly counts: { created: number; set: number; moved: number },
  ) {}
  setAttribute(name: string, value: string) {
    this.counts.set++;
    this.attributes.set(name, value);
  }
  getAttribute(name: string) {
    return this.attributes.get(name) ?? null;
  }
  removeAttribute(name: string) {
    this.attributes.delete(name);
  }
  append(...nodes: FakeElement[]) {
    for (const node of nodes) this.insertBefore(node, null);
  }
  insertBefore(node: FakeElement, before: FakeElement | null) {
    this.counts.moved++;
    node.remove();
    const at = before ? this.children.indexOf(before) : this.children.length;
    this.children.splice(at, 0, node);
    node.parent = this;
  }
  replaceChildren(...nodes: (FakeElement | string)[]) {
    this.children = nodes;
  }
  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((child) => child !== this);
    this.parent = undefined;
  }
  get firstElementChild(): FakeElement | null {
    return (this.children[0] as FakeElement) ?? null;
  }
  get nextElementSibling(): FakeElement | null {
    const all = this.parent!.children;
    return (all[all.indexOf(this) + 1] as FakeElement) ?? null;
  }
  set textContent(text: string) {
    this.children = [text];
  }
}

function setUp() {
  const counts = { created: 0, set: 0, moved: 0 };
  const document = {
    createElementNS: (_: string, tag: string) => (counts.created++, new FakeElement(tag, counts)),
    createTextNode: (text: string) => text,
  };
  const view = new SceneView(document as unknown as Document);
  const svg = view.svg as unknown as FakeElement;
  const keys = (element = svg): string[] =>
    element.children.flatMap((child) =>
      typeof child === "string" ? [] : [child.attributes.get("data-key"), ...keys(child)].filter((key) => key !== undefined),
    );
  return { view, svg, counts, keys };
}

const scenes = fixture.steps.map(({ scene }) => scene);
const keysOf = (scene: Scene) => scene.nodes.map(({ key }) => key);

test("the document holds the scene's nodes in paint order, whichever way one steps", () => {
  const { view, keys } = setUp();
  for (const index of [0, 1, 2, 3, 2, 0, 3, 1]) {
    view.apply(scenes[index]!);
    assert.deepEqual(keys(), keysOf(scenes[index]!));
  }
});

test("a node is created once a key, and one that stays is neither set nor moved", () => {
  const { view, counts } = setUp();
  view.apply(scenes[0]!);
  Object.assign(counts, { created: 0, set: 0, moved: 0 });
  view.apply(scenes[0]!);
  assert.deepEqual(counts, { created: 0, set: 0, moved: 0 });
  view.apply({ ...scenes[0]!, nodes: scenes[0]!.nodes.map((node) => (node.key === "record/0" ? { ...node, x: 5 } : { ...node })) });
  assert.deepEqual(counts, { created: 0, set: 1, moved: 0 }, "one attribute of one node");
});

test("the change says what entered, what moved and what is leaving", () => {
  const { view, keys } = setUp();
  view.apply(scenes[2]!);
  const change = view.apply(scenes[3]!);
  assert.deepEqual(change.entered, []);
  assert.deepEqual(change.moved.map(({ to }) => to.key), ["record/1", "record/2"]);
  const after = view.apply({ ...scenes[3]!, nodes: scenes[3]!.nodes.filter(({ key }) => key !== "record/1") });
  assert.equal(after.leaving.length, 1);
  assert.ok(!keys().includes("record/1"), "what leaves has no key any more");
  view.removeLeaving();
  assert.equal(change.is("record/2")?.x, 1000);
});

test("what leaves with a motion is whole until it has left", () => {
  const { view, svg, keys } = setUp();
  const nodes: SceneNode[] = [
    { key: "card", kind: "group", class: "", x: 0, y: 0, exit: "fade", role: "group", label: "a segment" },
    { key: "card/name", parent: "card", kind: "text", class: "", x: 0, y: 0, spans: [{ text: "0" }] },
    { key: "card/file", parent: "card", kind: "group", class: "", x: 0, y: 0, role: "button", label: "a file" },
    { key: "card/file/tag", parent: "card/file", kind: "rect", class: "", x: 0, y: 0, w: 5, h: 5 },
    { key: "other", kind: "rect", class: "", x: 9, y: 0, w: 5, h: 5 },
  ];
  view.apply({ width: 10, height: 10, title: "t", nodes });
  const change = view.apply({ width: 10, height: 10, title: "t", nodes: nodes.slice(4) });
  const card = svg.children[0] as FakeElement;
  assert.deepEqual(change.leaving.map(({ node }) => node.key), ["card"]);
  const file = card.children[1] as FakeElement;
  assert.deepEqual([card.tag, card.children.length, file.children.length], ["g", 2, 1]);
  assert.deepEqual(keys(), ["other"]);
  assert.equal(file.attributes.get("role") ?? file.attributes.get("tabindex"), undefined, "it can be neither reached nor chosen");
  view.removeLeaving();
  assert.equal(svg.children.length, 1);
});

test("geometry is px, a text's spans keep their classes, leaves without a name are hidden from assistive technology", () => {
  const { view, svg } = setUp();
  const nodes: SceneNode[] = [
    { key: "a", kind: "line", class: "limit", x: 15, y: 20, w: -10, h: 300 },
    { key: "b", kind: "text", class: "", x: 1, y: 2, anchor: "end", spans: [{ text: "x " }, { text: "9", class: "bold" }] },
    { key: "c", kind: "path", class: "pointer", x: 100, y: 205, d: "M0 0h4" },
    { key: "d", kind: "group", class: "", x: 0, y: 0, role: "button", label: "a file" },
  ];
  view.apply({ width: 7040, height: 4361, title: "t", nodes });
  const [a, b, c, d] = svg.children as FakeElement[];
  assert.equal(svg.attributes.get("viewBox"), "0 0 704 436.1");
  assert.deepEqual(["x1", "y1", "x2", "y2"].map((name) => a!.attributes.get(name)), ["1.5", "2", "0.5", "32"]);
  assert.equal(a!.attributes.get("aria-hidden"), "true");
  assert.equal(b!.attributes.get("text-anchor"), "end");
  assert.equal((b!.children[1] as FakeElement).attributes.get("class"), "bold");
  assert.equal(c!.attributes.get("transform"), "translate(10 20.5)");
  assert.deepEqual(["role", "aria-label", "aria-hidden", "tabindex"].map((name) => d!.attributes.get(name)), ["button", "a file", undefined, "0"]);
});

test("one button of the picture is the tab stop", () => {
  const { view } = setUp();
  view.apply(scenes[2]!);
  view.rove("file/2/index");
  assert.equal(view.current, "file/2/index");
  view.apply(scenes[0]!);
  assert.equal(view.current, "file/0/log", "when it is gone, the first one");
});
