/**
 * What a reader does besides stepping: keys, choosing in the picture, the inspector, sheets, files, the link. Arrives with the late parts; the
 * player's buttons, the timeline and the demo list work before it.
 */
import type { Actions, Sheet } from "./controls.js";
import type { FrameSource } from "./frames.js";
import { intentOf, type Intent, type Where } from "./keys.js";
import type { Player } from "./player.js";
import type { SceneView } from "./scene.js";
import type { FileRow, Inspection, Span, StepView } from "./views.js";

/** What the desk sees of the element. */
export interface Host {
  readonly root: ShadowRoot;
  readonly player: Player;
  readonly picture: SceneView;
  readonly actions: Actions;
  readonly shown: StepView | undefined;
  readonly catalog: { id: string }[];
  readonly link: string;
  /** False where the host page turned single keys off. */
  readonly singles: boolean;
  /** Resolves when the live model has taken over, or cannot. */
  live(): Promise<unknown>;
  ask<T>(question: (source: FrameSource) => T): T | undefined;
  /** Goes on, and says `answer` before the next sentence. */
  answer(answer: Span[]): void;
  tell(problem: string): void;
  draw(): void;
}

/** What the desk adds to the state of the controls. */
export interface DeskState {
  sheet: Sheet;
  textOpen: boolean;
  copied: boolean;
  /** Index of the step whose sentence is previewed over the timeline, or -1. */
  preview: number;
  /** What the reader chose to inspect, instead of what the step shows. */
  picked: Inspection | undefined;
}

export class Desk implements DeskState {
  sheet: Sheet = "";
  textOpen = false;
  copied = false;
  preview = -1;
  picked: Inspection | undefined;
  #opener: HTMLElement | null = null;
  /** Keys whose press was ours: their release is ours as well. */
  #held = new Set<string>();

  constructor(private readonly host: Host) {
    for (const kind of ["keydown", "keyup", "keypress"] as const) {
      host.root.addEventListener(kind, (event) => this.#key(event as KeyboardEvent));
    }
    host.root.addEventListener("focusin", ({ target }) => this.#rove(target as HTMLElement));
  }

  /** A click or Enter in the picture: an answer to the step's question, else something to inspect. */
  async choose(target: Element): Promise<void> {
    const { host } = this;
    const key = target.closest("[role=button]")?.getAttribute("data-key");
    if (!key) return;
    host.picture.rove(key);
    const pick = host.shown?.picks?.find((choice) => choice.key === key);
    if (pick) {
      host.answer(pick.answer);
      host.root.getElementById("next")?.focus({ preventScroll: true });
      return;
    }
    const { index } = host.player;
    await host.live();
    if (index !== host.player.index) return;
    this.picked = host.ask((source) => source.inspect(key));
    host.draw();
    if (this.picked) host.root.querySelector<HTMLElement>(".insp .shut")?.focus();
  }

  unpick(): void {
    this.picked = undefined;
    this.host.draw();
    this.host.picture.rove()?.focus();
  }

  /** Opens or closes what opens on request; the focus goes in, and back to where it came from. */
  toggle(sheet: Sheet): void {
    const { host } = this;
    // Files are the model's: the first frames go without.
    if (sheet === "files" && !host.shown?.files.length) void host.live().then(() => this.#open(sheet));
    else this.#open(sheet);
  }

  #open(sheet: Sheet): void {
    const { root } = this.host;
    const focus = root.activeElement as HTMLElement | null;
    const inside = focus?.closest(".sheet");
    if (sheet === "text") this.textOpen = !this.textOpen;
    if (!this.sheet) this.#opener = focus;
    this.sheet = sheet === "text" || sheet === this.sheet ? "" : sheet;
    this.host.draw();
    if (this.sheet) root.querySelector<HTMLElement>(".sheet :is(button, input, select):not(:disabled)")?.focus();
    else if (inside) this.#opener?.focus();
  }

  peek(index: number): void {
    if (index === this.preview) return;
    this.preview = index;
    this.host.draw();
  }

  save({ name, state }: FileRow): void {
    const [, base = "0", kind = ""] = /^0*(\d+)\.(\w+)/.exec(name) ?? [];
    const file = state === "not created" ? undefined : this.host.ask((source) => source.download(`file/${base}/${kind}`));
    if (!file) return;
    const url = URL.createObjectURL(file);
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  async copy(): Promise<void> {
    const url = new URL(this.host.link, location.href).href;
    try {
      await navigator.clipboard.writeText(url);
      this.copied = true;
      setTimeout(() => {
        this.copied = false;
        this.host.draw();
      }, 2000);
    } catch {
      this.host.tell(`this page may not copy; the link is ${url}`);
    }
    this.host.draw();
  }

  #key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.type !== "keydown") {
      if (this.#held.has(event.key)) event.stopPropagation();
      if (event.type === "keyup") this.#held.delete(event.key);
      return;
    }
    const intent = intentOf(event, whereOf(target), this.host.singles);
    if (!intent || (intent !== "native" && !this.#obey(intent, target))) return;
    event.stopPropagation();
    this.#held.add(event.key);
    if (intent !== "native") event.preventDefault();
  }

  /** Carries out a key's intent; false when there was nothing to do, so that the page may have the key. */
  #obey(intent: Exclude<Intent, "native">, target: HTMLElement): boolean {
    const { actions, catalog, player } = this.host;
    switch (intent) {
      case "next":
      case "back":
      case "toggle":
        actions[intent]();
        return true;
      case "phase-on":
      case "phase-back":
        player.seekPhase(intent === "phase-on" ? 1 : -1);
        return true;
      case "keys":
        this.toggle("keys");
        return true;
      case "close":
        return this.#close();
      case "open":
        void this.choose(target);
        return true;
      case "left":
      case "right":
      case "up":
      case "down":
      case "first":
      case "last":
        return whereOf(target) === "scene" ? this.#moveInScene(intent) : moveInList(intent, target);
      default: {
        const demo = catalog[Number(intent.slice(5)) - 1];
        if (demo) actions.demo(demo.id);
        return !!demo;
      }
    }
  }

  #close(): boolean {
    if (this.sheet) this.toggle(this.sheet);
    else if (this.preview >= 0) this.peek(-1);
    else if (this.picked) this.unpick();
    else return false;
    return true;
  }

  #moveInScene(direction: Direction): boolean {
    const { picture } = this.host;
    const keys = picture.buttons().map(({ key }) => key);
    const next =
      direction === "first" ? keys[0] : direction === "last" ? keys.at(-1) : neighbour(picture, keys, direction);
    if (next) picture.rove(next)?.focus({ preventScroll: true });
    return true;
  }

  /** The button that has the focus is its list's one tab stop. */
  #rove(target: HTMLElement): void {
    const list = target.closest("[data-list]");
    if (list) for (const item of list.querySelectorAll("button")) item.tabIndex = item === target ? 0 : -1;
    const key = target.closest("[role=button][data-key]")?.getAttribute("data-key");
    if (key) this.host.picture.rove(key);
  }
}

type Direction = "left" | "right" | "up" | "down" | "first" | "last";

function whereOf(target: Element): Where {
  if (target.matches("input[type=range]")) return "scrubber";
  if (target.matches("input, select, textarea")) return "field";
  if (target.closest("[data-where=scene]")) return "scene";
  return target.closest("[data-list]") ? "list" : "other";
}

function moveInList(direction: Direction, target: HTMLElement): boolean {
  const items = [...(target.closest("[data-list]")?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [])];
  const by = { left: -1, up: -1, right: 1, down: 1, first: -items.length, last: items.length }[direction];
  const to = Math.min(items.length - 1, Math.max(0, items.indexOf(target) + by));
  items[to]?.focus();
  return true;
}

/** The nearest button in a direction, by the centres of what is drawn; going straight counts more than being near. */
function neighbour(picture: SceneView, keys: string[], direction: "left" | "right" | "up" | "down"): string | undefined {
  const centre = (key: string): [number, number] => {
    const box = picture.element(key)!.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const along = direction === "left" || direction === "right" ? 0 : 1;
  const sign = direction === "left" || direction === "up" ? -1 : 1;
  const from = centre(picture.current);
  let best: string | undefined;
  let least = Infinity;
  for (const key of keys) {
    const to = centre(key);
    const ahead = sign * (to[along] - from[along]);
    const cost = ahead + 4 * Math.abs(to[1 - along]! - from[1 - along]!);
    if (ahead > 1 && cost < least) [best, least] = [key, cost];
  }
  return best;
}
