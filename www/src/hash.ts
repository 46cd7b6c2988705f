/** The link in the address bar, for elements with hash-sync: `#v1/…`, or `#pod-<id>=v1/…` where several on a page have it. */
import { isLink } from "./link.js";

const QUIET_MS = 250;

export class HashSync {
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #changed = (): void => {
    const link = this.read();
    // An empty hash is where the reader began; any other is an anchor of the page.
    if (link || location.hash.length < 2) this.apply(link);
  };

  constructor(
    private readonly element: HTMLElement,
    private readonly apply: (link: string | undefined) => void,
  ) {}

  connect(): void {
    addEventListener("hashchange", this.#changed);
  }

  disconnect(): void {
    removeEventListener("hashchange", this.#changed);
    clearTimeout(this.#timer);
  }

  read(): string | undefined {
    const prefix = `#${this.#prefix}`;
    const { hash } = location;
    const link = hash.startsWith(prefix) ? `#${hash.slice(prefix.length)}` : "";
    return isLink(link) ? link : undefined;
  }

  /** A step replaces the entry of the history, when the reader rests; a demo pushes one, so that Back leads to the demo before. */
  write(link: string, push: boolean): void {
    clearTimeout(this.#timer);
    const url = `#${this.#prefix}${link.slice(1)}`;
    if (push) history.pushState(history.state, "", url);
    else this.#timer = setTimeout(() => history.replaceState(history.state, "", url), QUIET_MS);
  }

  get #prefix(): string {
    const { id } = this.element;
    return id && document.querySelectorAll("partition-on-disk[hash-sync]").length > 1 ? `pod-${id}=` : "";
  }
}
