/**
 * The motion between two scenes: WAAPI on transform and opacity only, so that the browser can run it off the main thread; no frame loop of ours.
 * The document already shows the later scene; animations start from where things were and end at rest, so ending early is cancelling.
 */
import type { Change } from "./scene.js";
import type { SceneNode } from "./views.js";

const px = (tenths = 0): number => tenths / 10;
const SVG = "http://www.w3.org/2000/svg";
const EASE = "cubic-bezier(.2, 0, 0, 1)";
/** Durations at speed 1, in ms; the tween of a step is the token --pod-step-ms. */
const HOP = 240;
const WALK_RECORD = 180;
const WALK_MOST = 900;
const GROW = 400;
const HATCH = 200;
const FADE_OUT = 400;

export class Motion {
  #running: Animation[] = [];
  #runners: Element[] = [];

  /** `ended` is called when nothing moves any more, so that what was leaving may be removed. */
  constructor(private readonly ended: () => void) {}

  /** Settles when what moves now has come to rest. */
  async rest(): Promise<void> {
    await Promise.allSettled(this.#running.map(({ finished }) => finished));
  }

  /** Starts the motion of a change; returns its length in ms. */
  run(change: Change, stepMs: number, speed: number): number {
    this.finish();
    let longest = 0;
    const play = (element: Element, frames: Keyframe[], duration: number, easing: string, delay = 0): void => {
      const timing = { duration: duration / speed, delay: delay / speed, easing, fill: "backwards" as const };
      this.#running.push(element.animate(frames, timing));
      longest = Math.max(longest, (duration + delay) / speed);
    };
    for (const { from, to, element } of change.moved) {
      play(element, [{ transform: between(from, to), ...origin(to) }, { transform: rest(to), ...origin(to) }], stepMs, EASE);
    }
    // Pointers follow each other in paint order: index row, byte, record.
    let drawn = 0;
    for (const { node, element } of change.entered) {
      switch (node.enter) {
        case "fade":
          play(element, [{ opacity: 0 }, { opacity: 1 }], stepMs, EASE);
          break;
        case "hatch":
          play(element, [{ opacity: 0 }, { opacity: 1 }], HATCH, "linear");
          break;
        case "grow":
          play(element, grow(node, change.find(node.from ?? "")), GROW, EASE);
          break;
        case "hop":
        case "walk": {
          const walks = node.enter === "walk";
          const duration = walks ? Math.min(WALK_MOST, WALK_RECORD * records(node)) : HOP;
          const easing = walks ? "linear" : "ease-in-out";
          play(element, [{ opacity: 0 }, { opacity: 1 }], duration, easing, drawn);
          const runner = this.#runner(element);
          if (runner) play(runner.element, runner.frames, duration, easing, drawn);
          drawn += duration;
        }
      }
    }
    for (const element of change.leaving) play(element, [{ opacity: 1 }, { opacity: 0 }], FADE_OUT, "ease-in");
    const batch = this.#running;
    if (batch.length) {
      void Promise.all(batch.map((animation) => animation.finished)).then(
        () => this.#running === batch && this.finish(),
        () => undefined,
      );
    } else {
      this.ended();
    }
    return longest;
  }

  /** Ends all motion now; false when nothing moved. */
  finish(): boolean {
    const moved = this.#running.length > 0;
    for (const animation of this.#running) animation.cancel();
    for (const runner of this.#runners) runner.remove();
    this.#running = [];
    this.#runners = [];
    if (moved) this.ended();
    return moved;
  }

  /** A dot that runs along a path that is being drawn. */
  #runner(path: Element): { element: Element; frames: Keyframe[] } | undefined {
    if (!(path instanceof SVGPathElement)) return undefined;
    const length = path.getTotalLength();
    const base = path.transform.baseVal.consolidate()?.matrix;
    const element = document.createElementNS(SVG, "circle");
    element.setAttribute("r", "4");
    element.setAttribute("class", "runner");
    element.setAttribute("aria-hidden", "true");
    path.after(element);
    this.#runners.push(element);
    const frames = Array.from({ length: 13 }, (_, i) => {
      const point = path.getPointAtLength((length * i) / 12);
      return { transform: `translate(${point.x + (base?.e ?? 0)}px,${point.y + (base?.f ?? 0)}px)`, opacity: i < 12 ? 1 : 0 };
    });
    return { element, frames };
  }
}

/** A path keeps its place as a transform, and an animation replaces that; all else stands by its attributes. */
const rest = (node: SceneNode): string => (node.kind === "path" ? `translate(${px(node.x)}px,${px(node.y)}px)` : "none");

/** Rectangles and lines are scaled from their start. */
const isScaled = ({ kind }: SceneNode): boolean => kind === "rect" || kind === "line";

const origin = (node: SceneNode): Keyframe => (isScaled(node) ? { transformOrigin: `${px(node.x)}px ${px(node.y)}px` } : {});

/** A side that ends without length, as one of an upright line does, keeps its scale. */
const ratio = (from = 0, to = 0): number => (to ? from / to : 1);

function between(from: SceneNode, to: SceneNode): string {
  if (to.kind === "path") return rest(from);
  const move = `translate(${px(from.x - to.x)}px,${px(from.y - to.y)}px)`;
  return isScaled(to) ? `${move} scale(${ratio(from.w, to.w)},${ratio(from.h, to.h)})` : move;
}

/** From the right edge of the node it grows from; a shape by its width, a text or group by moving out of there. */
function grow(node: SceneNode, from: SceneNode | undefined): Keyframe[] {
  const edge = from ? px(from.x + (from.w ?? 0)) : px(node.x);
  if (node.kind === "rect") {
    const transformOrigin = `${edge}px ${px(node.y)}px`;
    return [{ transform: "scaleX(0)", transformOrigin }, { transform: "none", transformOrigin }];
  }
  const away = node.kind === "group" && !node.x ? 0 : edge - px(node.x);
  const start = node.kind === "path" ? `translate(${edge}px,${px(node.y)}px)` : `translateX(${away}px)`;
  return [{ transform: start, opacity: 0 }, { transform: rest(node), opacity: 1 }];
}

/** A walk's path has one straight piece a record. */
const records = (node: SceneNode): number => Math.max(1, node.d?.match(/[hHlL]/g)?.length ?? 1);
