/** Keys and the focus: what a key means where the focus is (keys.ts) is carried out; each list and the picture have one tab stop. */
import type { Host, Interaction } from "./interaction.js";
import { intentOf, type Intent, type Where } from "./keys.js";
import type { SceneView } from "./scene.js";

export class Keyboard {
  /** Keys whose press was ours: their release is ours as well. */
  #held = new Set<string>();

  constructor(
    private readonly host: Host,
    private readonly interaction: Interaction,
  ) {
    for (const kind of ["keydown", "keyup", "keypress"] as const) {
      host.root.addEventListener(kind, (event) => this.#key(event as KeyboardEvent));
    }
    host.root.addEventListener("focusin", ({ target }) => this.#rove(target as HTMLElement));
  }

  #key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.type !== "keydown") {
      if (this.#held.has(event.key)) event.stopPropagation();
      if (event.type === "keyup") this.#held.delete(event.key);
      return;
    }
    const intent = intentOf(event, whereOf(target), this.host.singleKeys);
    if (!intent || (intent !== "native" && !this.#obey(intent, target))) return;
    event.stopPropagation();
    this.#held.add(event.key);
    if (intent !== "native") event.preventDefault();
  }

  /** Carries out a key's intent; false when there was nothing to do, so that the page may have the key. */
  #obey(intent: Exclude<Intent, "native">, target: HTMLElement): boolean {
    const { actions, loader, player } = this.host;
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
        this.interaction.toggle("keys");
        return true;
      case "close":
        return this.interaction.close();
      case "open":
        void this.interaction.choose(target);
        return true;
      case "left":
      case "right":
      case "up":
      case "down":
      case "first":
      case "last":
        return whereOf(target) === "scene" ? this.#moveInScene(intent) : moveInList(intent, target);
      default: {
        const demo = loader.catalog[Number(intent.slice(5)) - 1];
        if (demo) actions.demo(demo.id);
        return !!demo;
      }
    }
  }

  #moveInScene(direction: Direction): boolean {
    const { picture } = this.host.display;
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
    if (key) this.host.display.picture.rove(key);
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
