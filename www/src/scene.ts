/** Scene → SVG, by key: a node is created once, when its key first appears; afterwards only attributes that differ are set. */
import type { Scene, SceneNode, Span } from "./views.js";

const SVG = "http://www.w3.org/2000/svg";
const TAGS = { group: "g", rect: "rect", text: "text", path: "path", line: "line", circle: "circle" } as const;

/** What changed between two scenes, for whoever animates it. */
export interface Change {
  entered: { node: SceneNode; element: SVGElement }[];
  moved: { from: SceneNode; to: SceneNode; element: SVGElement }[];
  /** Still in the document until `removeLeaving`, because they leave with a motion. */
  leaving: SVGElement[];
  /** The geometry of a node by key, before or after the change. */
  find(key: string): SceneNode | undefined;
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

  /** Makes the picture that of `scene`. */
  apply(scene: Scene): Change {
    this.removeLeaving();
    set(this.svg, { viewBox: `0 0 ${px(scene.width)} ${px(scene.height)}`, "aria-label": scene.title });
    this.svg.style.height = `${px(scene.height)}px`;
    const before = this.#entries;
    const change: Change = {
      entered: [],
      moved: [],
      leaving: [],
      find: (key) => this.#entries.get(key)?.node ?? before.get(key)?.node,
    };
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
      } else if (entry.node !== node && moves(entry.node, node)) {
        change.moved.push({ from: entry.node, to: node, element: entry.element });
      }
      if (entry.node !== node || !entry.attributes["data-key"]) paint(entry, node, this.document);
      entry.node = node;
      this.#entries.set(node.key, entry);
    }
    for (const [key, { node, element }] of before) {
      if (this.#entries.has(key)) continue;
      if (node.exit) {
        this.#leaving.add(element);
        change.leaving.push(element);
        element.removeAttribute("data-key");
      } else {
        element.remove();
      }
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

const moves = (a: SceneNode, b: SceneNode): boolean =>
  b.kind !== "group" && (a.x !== b.x || a.y !== b.y || (/rect|line/.test(b.kind) && (a.w !== b.w || a.h !== b.h)));

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
