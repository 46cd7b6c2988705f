/** The element's attributes, and what they ask for. */
import { FIRST_DEMO, type Link } from "./link.js";
import type { Live } from "./loader.js";
import { themeAround, type Theme } from "./theme.js";
import type { Inputs } from "./views.js";
import type { Controls } from "./widths.js";

const INPUTS = ["offset", "time", "records", "segment-bytes", "retention-ms", "retention-bytes", "reset"];
const LOOKS = ["controls", "theme", "keys", "lang", "live"];

export const OBSERVED = ["demo", "step", "from", "to", "loop", "speed", ...INPUTS, ...LOOKS];

/** True for an attribute that changes how a demo looks, not what is shown of it. */
export const isLook = (name: string): boolean => LOOKS.includes(name);

/** The link that the attributes stand for. */
export function linkOf(element: Element): Link {
  const given = INPUTS.filter((name) => element.hasAttribute(name)).map((name) => [name, element.getAttribute(name)!]);
  return {
    demo: element.getAttribute("demo") || FIRST_DEMO,
    step: element.getAttribute("step") || 1,
    inputs: Object.fromEntries(given) as Inputs,
  };
}

export function controlsOf(element: Element): Controls {
  const given = element.getAttribute("controls");
  return given === "mini" || given === "none" ? given : "full";
}

export function liveOf(element: Element): Live {
  const given = element.getAttribute("live");
  return given === "idle" || given === "eager" ? given : "need";
}

export function themeOf(element: Element): Theme {
  const given = element.getAttribute("theme");
  return given === "light" || given === "dark" ? given : themeAround(element);
}
