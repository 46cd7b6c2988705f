/**
 * The state of an element as text: `#v1/<demo>/<step>[?k=v&k=v]`, e.g. `#v1/find-offset/@scan?offset=12`.
 * Readable, at most 200 characters, keys sorted, defaults left out; a step is a number from 1 or `@id` of a phase.
 * decode(encode(x)) = x, and encode(decode(s)) is the canonical form of s. What cannot be read is reported, never dropped in silence.
 */
import type { DemoInfo, Inputs, Outline } from "./views.js";

export interface Link {
  demo: string;
  /** From 1, or `@id`. */
  step: number | string;
  inputs: Inputs;
}

/** What could be read, and what could not: sentences for the reader, each without its full stop. */
export interface Decoded {
  link?: Link;
  problems: string[];
}

/** The demo that a page opens on. */
export const FIRST_DEMO = "find-offset";

const LONGEST = 200;
const ID = /^[a-z][a-z0-9-]*$/;

/** True for text that means to be a state; other hashes are anchors of the page. */
export const isLink = (text: string): boolean => /^#?v\d+\//.test(text);

export function encode({ demo, step, inputs }: Link): string {
  const query = Object.keys(inputs)
    .sort()
    .map((key) => `${key}=${encodeURIComponent(inputs[key]!).replace(/%(3A|2C)/g, decodeURIComponent)}`)
    .join("&");
  return `#v1/${demo}/${step}${query && "?"}${query}`;
}

export function decode(text: string): Decoded {
  const problems: string[] = [];
  const body = text.replace(/^#/, "");
  if (body.length > LONGEST) return { problems: [`the link has more than ${LONGEST} characters`] };
  const [path = "", query = ""] = split(body, "?");
  const [version, demo = "", at = "1", ...rest] = path.split("/");
  if (version !== "v1") return { problems: [`this page reads links of version v1, not “${version}”`] };
  if (!ID.test(demo)) return { problems: [`“${demo}” is no name of a demo`] };
  if (rest.length) problems.push(`“/${rest.join("/")}” after the step was left out`);
  let step: number | string = 1;
  if (/^0*[1-9]\d{0,14}$/.test(at)) step = Number(at);
  else if (at[0] === "@" && ID.test(at.slice(1))) step = at;
  else if (at) problems.push(`“${at}” is no step, so this is step 1`);
  const inputs: Inputs = {};
  for (const pair of query ? query.split("&") : []) {
    const [key, value] = split(pair, "=");
    try {
      if (!ID.test(key) || value === undefined) throw 0;
      const given = decodeURIComponent(value);
      if (Object.hasOwn(inputs, key)) problems.push(`“${key}” is given more than once, and the last value counts`);
      inputs[key] = given;
    } catch {
      problems.push(`“${pair}” is no input with a value`);
    }
  }
  return { link: { demo, step, inputs }, problems };
}

/** The inputs whose values differ from the defaults. */
export function withoutDefaults(inputs: Inputs, info: DemoInfo): Inputs {
  const known = info.inputs.filter(({ name, value }) => inputs[name] !== undefined && inputs[name] !== value);
  return Object.fromEntries(known.map(({ name }) => [name, inputs[name]!]));
}

/** Index of a step from a link or an attribute, at or near what was meant. `end` takes a phase's last step instead of its first. */
export function stepIndex(step: number | string, outline: Outline, end = false): { index: number; problem?: string } {
  const id = String(step).replace(/^@/, "");
  const phase = outline.phases.find((known) => known.id === id);
  if (phase) return { index: end ? phase.last : phase.first };
  const number = Number(step);
  if (!Number.isInteger(number)) {
    return { index: 0, problem: `“${outline.title}” has no step “${step}”, so this is step 1` };
  }
  const index = Math.min(outline.length, Math.max(1, number)) - 1;
  if (index === number - 1) return { index };
  return { index, problem: `“${outline.title}” has ${outline.length} steps, not ${number}` };
}

/** How a link names a step: by the id of the phase it begins, which survives added steps, else by number. */
export function stepName(index: number, outline: Outline): number | string {
  const phase = index > 0 && outline.phases.find(({ first }) => first === index);
  return phase ? `@${phase.id}` : index + 1;
}

function split(text: string, by: string): [string, string?] {
  const at = text.indexOf(by);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
