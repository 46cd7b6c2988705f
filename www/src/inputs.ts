/** Inputs from links and attributes, held against what a demo knows. */
import type { DemoInfo, InputInfo, Inputs } from "./views.js";

/** The nearest valid inputs, those with the default value left out; and what was wrong with those given. */
export function validInputs(inputs: Inputs, info: DemoInfo): { inputs: Inputs; problems: string[] } {
  const problems: string[] = [];
  const valid: Inputs = {};
  for (const [name, given] of Object.entries(inputs)) {
    const input = info.inputs.find((known) => known.name === name);
    if (!input) {
      problems.push(`“${info.title}” has no input “${name}”`);
      continue;
    }
    const value = nearest(given.trim(), input);
    if (value !== given.trim()) problems.push(`${input.label}: “${given}” is not possible, ${value} is shown`);
    if (value !== input.value) valid[name] = value;
  }
  return { inputs: valid, problems };
}

/** A number is kept inside its range, which counts in the input's own unit; what is written in another unit is the model's to judge. */
function nearest(value: string, { choices, kind, min, max, unit = "", value: normal }: InputInfo): string {
  if (kind === "choice" || choices) return !choices || choices.includes(value) ? value : normal;
  const [, number, suffix] = /^(-?\d+)([a-zA-Z]*)$/.exec(value) ?? [];
  if (!number || (kind === "number" && suffix)) return normal;
  if (suffix !== unit || number.length > 16) return value;
  const inside = Math.min(max ?? Infinity, Math.max(min ?? -Infinity, Number(number)));
  return inside < 0 ? String(inside) : inside + unit;
}
