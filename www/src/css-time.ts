/**
 * A CSS time in ms: `320ms`, `.32s` (as minifiers write it), `0s`; a bare number counts as ms. Undefined for anything else.
 * A custom property holds the text of its style sheet, whatever that looks like after minifying.
 */
export function cssTimeMs(text: string): number | undefined {
  const [, number, unit = "ms"] = /^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)(ms|s)?\s*$/i.exec(text) ?? [];
  if (number === undefined) return undefined;
  return unit.toLowerCase() === "s" ? Number(number) * 1000 : Number(number);
}
