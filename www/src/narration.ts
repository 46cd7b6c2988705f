/**
 * The sentence of the step, in one visible live region. It is seen at once and spoken once: the region is off while the reader steps on or
 * plays, and the sentence is written anew 500 ms after the last key, or when a phase ends, for screen readers drop or merge faster updates.
 */
import type { Span } from "./views.js";

const QUIET_MS = 500;

export class Narration {
  readonly element: HTMLParagraphElement;
  #spans: readonly Span[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(document = globalThis.document) {
    this.element = document.createElement("p");
    for (const [name, value] of [
      ["role", "status"],
      ["aria-atomic", "true"],
      ["aria-live", "off"],
      ["class", "say"],
      ["part", "narration"],
    ] as const) {
      this.element.setAttribute(name, value);
    }
  }

  /** Shows a sentence; it is spoken later, unless `silent`. */
  show(spans: readonly Span[], silent: boolean): void {
    clearTimeout(this.#timer);
    this.#spans = spans;
    this.element.setAttribute("aria-live", "off");
    this.#write();
    this.#timer = silent ? undefined : setTimeout(() => this.speak(), QUIET_MS);
  }

  /** Has the sentence spoken now. */
  speak(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.element.setAttribute("aria-live", "polite");
    this.#write();
  }

  /** No timer of ours outlives the element's stay in the document. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  #write(): void {
    const { ownerDocument: document } = this.element;
    this.element.replaceChildren(
      ...this.#spans.map(({ text, class: kind }) => {
        if (!kind) return document.createTextNode(text);
        const operand = document.createElement("span");
        operand.className = `op ${kind}`;
        operand.textContent = text;
        return operand;
      }),
    );
  }
}
