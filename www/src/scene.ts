/** Scene → SVG, by key: a node is created once, when its key first appears; afterwards only attributes that differ are set. */
import type { Scene, SceneNode, Span } from "./views.js";

const SVG = "http://www.w3.org/2000/svg";
const TAGS = { group: "g", rect: "rect", text: "text", path: "path", line: "line", circle: "circle" } as const;

/** What changed between two scenes, for whoever animates it. */
export interface Change {
  entered: { node: SceneNode; element: SVGElement }[];
  /** With a copy of how it was, where it has other words or other looks as well. */
  moved: { from: SceneNode; to: SceneNode; element: SVGElement; before?: SVGElement | undefined }[];
  /** What has other words or other looks, with a copy of how it was. */
  turned: { to: SceneNode; element: SVGElement; before: SVGElement }[];
  /** Still in the document, whole, until `removeLeaving`, because they leave with a motion; so do the copies above. */
  leaving: { node: SceneNode; element: SVGElement }[];
  /** A node by its key, as it was before the change, and as it is. */
  was(key: string): SceneNode | undefined;
  is(key: string): SceneNode | undefined;
  element(key: string): SVGElement | undefined;
  /** A copy of an element, under it, which leaves with the motion. */
  copy(element: SVGElement): SVGElement;
  leaves(element: Element): boolean;
}

type Entry = { node: SceneNode; element: SVGElement; attributes: Record<string, string>; text: string };

export class SceneView {
  readonly svg: SVGSVGElement;
  #entries = new Map<string, Entry>();
  #leaving = new Set<Element>();
  #stop = "";

  constructor(private readonly document: Document = globalThis.document) {
    this.svg = this.#create("svg") as SVGSVGElement;
    this.svg.setAttribute("role", "group");
  }

  /** Makes the picture that of `scene`; what is `late` in its turn is kept as it was, for the motion there. */
  apply(scene: Scene, late = (_: SceneNode): boolean => false): Change {
    this.removeLeaving();
    set(this.svg, { viewBox: `0 0 ${px(scene.width)} ${px(scene.height)}`, "aria-label": scene.title });
    this.svg.style.height = `${px(scene.height)}px`;
    const before = this.#entries;
    const change: Change = {
      entered: [],
      moved: [],
      turned: [],
      leaving: [],
      was: (key) => was.get(key),
      is: (key) => this.#entries.get(key)?.node,
      element: (key) => this.element(key),
      copy: (element) => this.#copy(element),
      leaves: (element) => this.#leaving.has(element),
    };
    const was = new Map([...before].map(([key, { node }]) => [key, node]));
    this.#entries = new Map();
    for (const node of scene.nodes) {
      let entry = before.get(node.key);
      if (entry && entry.node.kind !== node.kind) {
        entry.element.remove();
        entry = undefined;
      }
      if (!entry) {
        entry = { node, element: this.#create(TAGS[node.kind]), attributes: {}, text: "" };
        change.entered.push({ node, element: entry.element });
      } else if (entry.node !== node) {
        const from = entry.node;
        const { element } = entry;
        const before = late(node) && turns(from, node) ? this.#copy(element) : undefined;
        if (before) change.turned.push({ to: node, element, before });
        if (moves(from, node)) change.moved.push({ from, to: node, element, before });
      }
      if (entry.node !== node || !entry.attributes["data-key"]) paint(entry, node, this.document);
      entry.node = node;
      this.#entries.set(node.key, entry);
    }
    const stands = (key = ""): boolean => {
      const [from, to] = [was.get(key), change.is(key)];
      return !!from && !!to && from.x === to.x && from.y === to.y;
    };
    // What lies in a group that leaves goes with it.
    const gone = new Set<string>();
    for (const [key, { node, element }] of before) {
      if (this.#entries.has(key)) continue;
      const inside = gone.has(node.parent ?? "");
      const stays = node.exit || (LINGERS.test(node.enter ?? "") && late(node) && stands(node.parent));
      if (!inside && !stays) {
        element.remove();
        continue;
      }
      gone.add(key);
      for (const name of ["data-key", "role", "tabindex", "aria-label"]) element.removeAttribute(name);
      if (inside) continue;
      this.#leaving.add(element);
      change.leaving.push({ node, element });
    }
    this.#order(scene.nodes);
    this.rove();
    return change;
  }

  /** Removes what has finished leaving. */
  removeLeaving(): void {
    for (const element of this.#leaving) element.remove();
    this.#leaving.clear();
  }

  #copy(element: SVGElement): SVGElement {
    const copy = element.cloneNode(true) as SVGElement;
    copy.removeAttribute("data-key");
    this.#leaving.add(copy);
    element.before(copy);
    return copy;
  }

  element(key: string): SVGElement | undefined {
    return this.#entries.get(key)?.element;
  }

  /** Keys that can be focused, in paint order. */
  buttons(): SceneNode[] {
    return [...this.#entries.values()].map(({ node }) => node).filter(({ role }) => role === "button");
  }

  /** The one tab stop of the picture moves to `key`. */
  rove(key?: string): SVGElement | undefined {
    const keys = this.buttons().map((node) => node.key);
    if (key) this.#stop = key;
    if (!keys.includes(this.#stop)) this.#stop = keys[0] ?? "";
    for (const name of keys) set(this.#entries.get(name)!.element, { tabindex: name === this.#stop ? "0" : "-1" });
    return this.#entries.get(this.#stop)?.element;
  }

  /** Key of the tab stop. */
  get current(): string {
    return this.#stop;
  }

  /** Puts the elements into paint order without moving those already right: moving an element would cost it the focus. */
  #order(nodes: SceneNode[]): void {
    const last = new Map<Element, Element>();
    for (const { key, parent } of nodes) {
      const { element } = this.#entries.get(key)!;
      const home = (parent && this.#entries.get(parent)?.element) || this.svg;
      let next = last.has(home) ? last.get(home)!.nextElementSibling : home.firstElementChild;
      while (next && this.#leaving.has(next)) next = next.nextElementSibling;
      if (next !== element) home.insertBefore(element, next);
      last.set(home, element);
    }
  }

  #create(tag: string): SVGElement {
    return this.document.createElementNS(SVG, tag) as SVGElement;
  }
}

/** Tenths of a px as px. */
export const px = (tenths = 0): number => tenths / 10;

/** More than an outline gets thicker. */
const far = (a = 0, b = 0): boolean => Math.abs(a - b) > 10;

const moves = (a: SceneNode, b: SceneNode): boolean =>
  b.kind !== "group" && (far(a.x, b.x) || far(a.y, b.y) || (/rect|line/.test(b.kind) && (far(a.w, b.w) || far(a.h, b.h))));

/** Files and counters that end with a step are there until it has come to them. */
const LINGERS = /^(name|tick)$/;

const turns = (a: SceneNode, b: SceneNode): boolean =>
  a.class !== b.class || a.d !== b.d || JSON.stringify(a.spans) !== JSON.stringify(b.spans);

function paint(entry: Entry, node: SceneNode, document: Document): void {
  const { element, attributes } = entry;
  const next = attributesOf(node);
  for (const name of Object.keys(attributes)) if (!(name in next)) element.removeAttribute(name);
  for (const [name, value] of Object.entries(next)) if (attributes[name] !== value) element.setAttribute(name, value);
  entry.attributes = next;
  if (node.kind !== "text") return;
  const spans = node.spans ?? [];
  const text = JSON.stringify(spans);
  if (text !== entry.text) element.replaceChildren(...spans.map((span) => spanOf(span, document)));
  entry.text = text;
}

function spanOf({ text, class: kind }: Span, document: Document): Node {
  if (!kind) return document.createTextNode(text);
  const span = document.createElementNS(SVG, "tspan");
  span.setAttribute("class", kind);
  span.textContent = text;
  return span;
}

function attributesOf(node: SceneNode): Record<string, string> {
  const { kind, x, y, w = 0, h = 0 } = node;
  const all: Record<string, string | number | undefined> = { "data-key": node.key, class: node.class || undefined };
  if (kind === "rect") Object.assign(all, { x: px(x), y: px(y), width: px(w), height: px(h), rx: node.rx && px(node.rx) });
  if (kind === "text") Object.assign(all, { x: px(x), y: px(y), "text-anchor": node.anchor });
  if (kind === "line") Object.assign(all, { x1: px(x), y1: px(y), x2: px(x + w), y2: px(y + h) });
  if (kind === "circle") Object.assign(all, { cx: px(x), cy: px(y), r: px(w) });
  if (kind === "path") Object.assign(all, { d: node.d, transform: `translate(${px(x)} ${px(y)})` });
  if (node.role || node.label) Object.assign(all, { role: node.role ?? "img", "aria-label": node.label });
  else if (kind !== "group") all["aria-hidden"] = "true";
  const set = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
}

function set(element: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}
