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

/** Values with a unit (`60s`) are the model's to judge; the page only keeps plain numbers inside their range. */
function nearest(value: string, { choices, kind, min, max, value: normal }: InputInfo): string {
  if (kind === "choice" || choices) return !choices || choices.includes(value) ? value : normal;
  if (kind === "number" && !/^-?\d+$/.test(value)) return normal;
  if (!/^-?\d{1,15}$/.test(value)) return /^-?\d+[a-zA-Z]*$/.test(value) ? value : normal;
  return String(Math.min(max ?? Infinity, Math.max(min ?? -Infinity, Number(value))));
}
