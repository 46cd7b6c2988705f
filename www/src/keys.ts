/**
 * Which key does what, by where the focus is. Only while focus is inside the element. Unbound on purpose: `, . n p s f /` and everything with
 * Ctrl, Alt or Meta, which belong to the browser, to assistive technology and to the host page.
 */

/** The part of the element that has the focus. `field` is an input or a select; `list` a row or column of buttons with one tab stop. */
export type Where = "field" | "scene" | "scrubber" | "list" | "other";

/** `native`: the browser does it; the host page must not react to it as well. */
export type Intent =
  | "native"
  | "back"
  | "toggle"
  | "next"
  | "keys"
  | "close"
  | "phase-back"
  | "phase-on"
  | "left"
  | "right"
  | "up"
  | "down"
  | "first"
  | "last"
  | "open"
  | `demo-${number}`;

export interface Key {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

const ARROWS: Record<string, Intent> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const ENDS: Record<string, Intent> = { Home: "first", End: "last" };
const SINGLE_KEYS: Record<string, Intent> = { j: "back", k: "toggle", l: "next", "?": "keys" };

/** What a key means there; undefined leaves it to the page. `singleKeys` is false where the host turned keys without a modifier off. */
export function intentOf({ key, ctrlKey, altKey, metaKey }: Key, where: Where, singleKeys = true): Intent | undefined {
  if (ctrlKey || altKey || metaKey) return undefined;
  if (key === "Escape") return "close";
  if (where === "field") return key === "Tab" || /^F\d/.test(key) ? undefined : "native";
  if (where === "scrubber") {
    if (key === "PageUp") return "phase-on";
    if (key === "PageDown") return "phase-back";
    if (key in ARROWS || key in ENDS) return "native";
  } else if (key === "Enter" || key === " ") {
    return where === "scene" ? "open" : "native";
  } else if (where === "scene" || where === "list") {
    const intent = ARROWS[key] ?? ENDS[key];
    if (intent) return intent;
  }
  if (!singleKeys) return undefined;
  if (/^[1-9]$/.test(key)) return `demo-${Number(key)}`;
  return SINGLE_KEYS[key.toLowerCase()];
}
