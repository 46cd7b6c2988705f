/** What the model shows the page: plain data, in the types that are generated from partition-web's views. Nothing of it is computed in the page. */
import type { Span } from "../bindings/partition-web.js";

export type * from "../bindings/partition-web.js";

/** Values of inputs by name. */
export type Inputs = Record<string, string>;

/** The words of a sentence without its classes. */
export const plain = (spans: readonly Span[]): string => spans.map((span) => span.text).join("");
