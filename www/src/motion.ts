/**
 * The motion between two scenes. It tells a step in its order: the kinds of motion in KINDS follow each other, each as long as it says there;
 * kinds of which a step has nothing take no time. What has its turn later is as it was until then.
 *
 * WAAPI on transform and opacity, so that the browser can run it off the main thread; only a pointer is drawn, along its own path. No frame loop
 * of ours. The document already shows the later scene; animations start from where things were and end at rest, so ending early is cancelling.
 */
import type { Change } from "./scene.js";
import type { SceneNode } from "./views.js";

const SMOOTH = "cubic-bezier(.2, 0, 0, 1)";
const WALK_RECORD = 180;
const WALK_MOST = 900;
/** Of the kinds of `SceneNode.enter` and a few more: ms at speed 1, easing. Kinds in the same row go together. */
const KINDS: Record<string, [ms: number, easing: string]>[] = [
  { age: [240, "linear"] },
  { leave: [400, "ease-in"] },
  // The default, for what only changes its place; its time is the token --pod-step-ms.
  { move: [320, SMOOTH] },
  { meet: [200, SMOOTH] },
  // A walk takes 180 ms for each record that it passes.
  { hop: [240, "ease-in-out"], walk: [WALK_MOST, "linear"], head: [80, "linear"] },
  { fade: [160, "linear"] },
  { say: [80, "linear"] },
  { hatch: [200, "linear"], close: [160, "linear"] },
  { name: [160, "linear"] },
  { flag: [240, SMOOTH] },
  { grow: [400, SMOOTH] },
  { travel: [320, SMOOTH] },
  { blink: [160, "linear"] },
  { land: [240, "ease-in-out"] },
  { tick: [160, "linear"] },
];
interface Part {
  row: number;
  element: Element;
  frames: Keyframe[];
  ms: number;
  easing: string;
  fill: "backwards" | "both";
}

export class Motion {
  #running: Animation[] = [];
  /** Whether a node changes in its turn only. */
  readonly late = isLate;

  /** `ended` is called when nothing moves any more, so that what was leaving may be removed. */
  constructor(private readonly ended: () => void) {}

  /** Settles when what moves now has come to rest. */
  async rest(): Promise<void> {
    await Promise.allSettled(this.#running.map(({ finished }) => finished));
  }

  /** Starts the motion of a change; returns its length in ms. Back (not `forward`) there is no story: all goes to its place at once. */
  run(change: Change, forward: boolean, stepMs: number, speed: number): number {
    this.finish();
    const parts = forward ? story(change, stepMs) : wayBack(change, stepMs);
    let delay = 0;
    for (const row of [...new Set(parts.map((part) => part.row))].sort((a, b) => a - b)) {
      const now = parts.filter((part) => part.row === row);
      for (const { element, frames, ms, easing, fill } of now) {
        this.#running.push(element.animate(frames, { duration: ms / speed, delay: delay / speed, easing, fill }));
      }
      delay += Math.max(...now.map(({ ms }) => ms));
    }
    const batch = this.#running;
    if (batch.length) {
      void Promise.all(batch.map((animation) => animation.finished)).then(
        () => this.#running === batch && this.finish(),
        () => undefined,
      );
    } else {
      this.ended();
    }
    return delay / speed;
  }

  /** Ends all motion now. */
  finish(): void {
    if (!this.#running.length) return;
    for (const animation of this.#running) animation.cancel();
    this.#running = [];
    this.ended();
  }
}

function wayBack({ moved, leaving }: Change, ms: number): Part[] {
  const part = (element: Element, frames: Keyframe[]): Part => ({ row: 0, element, frames, ms, easing: SMOOTH, fill: "both" });
  return [
    ...moved.map(({ from, to, element }) => part(element, [place(from, to), place(to, to)])),
    ...leaving.map(({ element }) => part(element, OUT)),
  ];
}

function story(change: Change, stepMs: number): Part[] {
  const parts: Part[] = [];
  const play = (kind: string, element: Element, frames: Keyframe[], later = 0, length?: number): void => {
    const row = KINDS.findIndex((kinds) => kind in kinds);
    const [ms, easing] = KINDS[row]![kind]!;
    // What is on its way out must not come back while others move on.
    const fill = change.leaves(element) ? "both" : "backwards";
    parts.push({ row: row + later, element, frames, ms: length ?? (kind === "move" ? stepMs : ms), easing, fill });
  };

  /** The rest of the log that a node lies in, as it was before. */
  const restOf = ({ key, parent }: SceneNode): SceneNode | undefined => {
    const tail = `${parent}/tail`;
    return key === tail ? undefined : change.was(tail);
  };
  /** From where an append comes, if this is one: from the dashes in which the record stood, or the end of the rest that it shortens. */
  const origin = (node: SceneNode): SceneNode | undefined => {
    const rest = restOf(node);
    const now = rest && change.is(rest.key);
    if (!rest || (rest.x === now?.x && rest.w === now.w)) return undefined;
    return (rest.key.startsWith("log/") && change.was("would-be")) || rest;
  };
  /** Whether a node only goes along with the group that it lies in. */
  const carried = ({ parent = "" }: SceneNode): boolean => {
    const [was, is] = [change.was(parent), change.is(parent)];
    return !!was && !!is && (was.x !== is.x || was.y !== is.y);
  };
  const arrives = (kind: string, element: Element, node: SceneNode, dx: number, dy: number): void => {
    const transformOrigin = `${px(right(node))}px ${px(middle(node))}px`;
    const start = `translate(${px(dx)}px,${px(dy)}px) scale(.6)`;
    play(kind, element, [
      { transform: start, transformOrigin, opacity: 0 },
      { opacity: 1, offset: 0.3 },
      { transform: "none", transformOrigin, opacity: 1 },
    ]);
  };
  const travels = (element: Element, node: SceneNode, from: SceneNode): void =>
    arrives("travel", element, node, right(from) - right(node), middle(from) - middle(node));

  for (const { from, to, element, before } of change.moved) {
    let [kind, later]: [string, number] = [isLate(to) ? to.enter! : "move", 0];
    if (carried(to)) kind = "move";
    // What begins elsewhere goes with the flag at the log start.
    else if (kind === "tick" && to.kind === "rect" && from.x !== to.x) kind = "flag";
    else if (kind === "travel") {
      const start = origin(to);
      if (start) {
        travels(element, to, start);
        continue;
      }
      if (restOf(to)) [kind, later] = ["head", LAST];
    }
    play(kind, element, [place(from, to), place(to, to)], later);
    if (before) play(kind, before, [place(from, from), place(to, from)], later);
  }
  for (const { to, element, before } of change.turned) {
    let [kind, later]: [string, number] = [to.enter!, 0];
    if (kind === "grow") kind = "fade";
    else if (/(record|tag) deleted/.test(to.class)) kind = "hatch";
    else if (kind === "travel") {
      // Closed with its segment, or what a pointer leads to.
      if (/tail/.test(to.class)) kind = "close";
      else if (!origin(to)) [kind, later] = ["head", LAST];
    }
    play(kind, element, IN, later);
    play(kind, before, OUT, later);
  }
  for (const { node, element } of change.leaving) play(node.exit ? "leave" : "name", element, OUT);

  // Pointers follow each other in paint order, each with its head: index row, byte, record.
  let drawn = 0;
  let line: { node: SceneNode; element: SVGPathElement; ms: number | undefined } | undefined;
  for (const { node, element } of change.entered) {
    const { enter, from = "" } = node;
    const start = enter === "travel" ? origin(node) : undefined;
    // What is in something new comes with it, and the first age that is told has not grown.
    if (!enter || enter === "age" || (/^(grow|hatch|name|flag|tick)$/.test(enter) && node.parent && !change.was(node.parent))) continue;
    if (enter === "grow") {
      play(enter, element, grow(node, change.is(from)));
    } else if (start) {
      travels(element, node, start);
    } else if (enter === "travel") {
      if (restOf(node)) play("head", element, IN, LAST);
    } else if (enter === "meet") {
      play(enter, element, [{ transform: "translateX(48px)", opacity: 0 }, { transform: "none", opacity: 1 }]);
    } else if (enter === "land") {
      const outline = node.key.replace(/^entry\/(\d+).*/, "log/$1/touched");
      const record = change.was(outline) && change.is(outline);
      if (!record) {
        play("fade", element, IN);
        continue;
      }
      arrives(enter, element, node, record.x + (record.w ?? 0) / 2 - right(node), middle(record) - middle(node));
      const blinks = change.element(outline)!;
      if (!parts.some((part) => part.element === blinks && part.frames === BLINK)) play("blink", blinks, BLINK);
    } else if (element instanceof SVGPathElement && (enter === "hop" || enter === "walk")) {
      const strokeDasharray = `${element.getTotalLength()}px`;
      line = { node, element, ms: enter === "walk" ? Math.min(WALK_MOST, WALK_RECORD * records(node)) : undefined };
      play(enter, element, [{ strokeDasharray, strokeDashoffset: strokeDasharray }, { strokeDasharray, strokeDashoffset: 0 }], (drawn += 0.01), line.ms);
    } else if (enter === "head" && line?.ms) {
      // It goes along with the line, once that has climbed to where it walks.
      const way = px(node.x - line.node.x);
      const start = `translate(${px(line.node.x)}px,${px(node.y)}px)`;
      const frames = [
        { transform: start, opacity: 0 },
        { transform: start, opacity: 1, offset: Math.max(0, 1 - way / line.element.getTotalLength()) },
        { transform: rest(node), opacity: 1 },
      ];
      play("walk", element, frames, drawn, line.ms);
    } else if (enter === "head") {
      play(enter, element, IN, (drawn += 0.01));
    } else {
      play(enter, element, IN, enter === "hop" ? drawn : 0);
      if (enter === "say" && node.spans!.length > 1) {
        // Its numbers come first: a copy in which the last word has its place, and is not seen.
        const numbers = change.copy(element);
        const word = numbers.ownerDocument.createElementNS(numbers.namespaceURI, "tspan");
        word.setAttribute("visibility", "hidden");
        word.append(numbers.lastChild!);
        numbers.append(word);
        play("fade", numbers, IN);
      }
    }
  }
  return parts;
}

const IN = [{ opacity: 0 }, { opacity: 1 }];
const OUT = [{ opacity: 1 }, { opacity: 0 }];
/** After the pointers of a step. */
const LAST = 0.9;
const BLINK = [{ opacity: 1 }, { opacity: 0 }, { opacity: 1 }];

/** What changes its place or its looks when its kind has its turn; all else does at once. */
const isLate = ({ enter }: SceneNode): boolean => /^(age|hatch|name|flag|grow|travel|tick|say)$/.test(enter ?? "");

const px = (tenths = 0): number => tenths / 10;
const right = ({ x, w = 0 }: SceneNode): number => x + w;
const middle = ({ y, h = 0 }: SceneNode): number => y + h / 2;

/** A path keeps its place as a transform, and an animation replaces that; all else stands by its attributes. */
const rest = (node: SceneNode): string => (node.kind === "path" ? `translate(${px(node.x)}px,${px(node.y)}px)` : "none");

/** Rectangles and lines are scaled from their start. */
const isScaled = ({ kind }: SceneNode): boolean => kind === "rect" || kind === "line";

/** A side that ends without length, as one of an upright line does, keeps its scale. */
const ratio = (from = 0, to = 0): number => (to ? from / to : 1);

/** How what is drawn at `to` looks as if it were at `from`. */
function place(from: SceneNode, to: SceneNode): Keyframe {
  if (to.kind === "path") return { transform: rest(from) };
  const transformOrigin = isScaled(to) ? `${px(to.x)}px ${px(to.y)}px` : "0 0";
  if (from === to) return { transform: "none", transformOrigin };
  const move = `translate(${px(from.x - to.x)}px,${px(from.y - to.y)}px)`;
  return { transform: isScaled(to) ? `${move} scale(${ratio(from.w, to.w)},${ratio(from.h, to.h)})` : move, transformOrigin };
}

/** From the right edge of the node it grows from; a shape by its width, a text or group by moving out of there. */
function grow(node: SceneNode, from: SceneNode | undefined): Keyframe[] {
  if (!from) return IN;
  const edge = px(right(from));
  if (node.kind === "rect") {
    const transformOrigin = `${edge}px ${px(node.y)}px`;
    return [{ transform: "scaleX(0)", transformOrigin }, { transform: "none", transformOrigin }];
  }
  return [{ transform: `translateX(${edge - px(node.x)}px)`, opacity: 0 }, { transform: rest(node), opacity: 1 }];
}

/** A walk's path has one straight piece a record. */
const records = (node: SceneNode): number => Math.max(1, node.d?.match(/[hHlL]/g)?.length ?? 1);
