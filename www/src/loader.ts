/**
 * Where an element's demo comes from: a recording, which is there at once, and the model when recordings do not suffice, which takes over unseen.
 * Where the model cannot be had, recordings stay, and the reason is known.
 */
import type { BridgeError, Engine } from "./bridge.js";
import type { FrameSource } from "./frames.js";
import type * as Late from "./late.js";
import { FIRST_DEMO, type Link } from "./link.js";
import { RecordedDemo } from "./recording.js";
import { complete, recordingOf } from "./recordings.js";
import { fills } from "./widths.js";

/** When the model is fetched: when recordings do not suffice; also when nothing else is to do, after a step of the reader; after the first frame. */
export type Live = "need" | "idle" | "eager";

/** What the loader asks of its element, and reports to it. */
export interface LoaderHost {
  /** The text of a scenario of the host page's own, to be shown instead of a demo. */
  readonly scenario: string | undefined;
  /** Where the wasm is, if not beside the script. */
  readonly wasmSource: string | undefined;
  readonly live: Live;
  /** Px that the picture has. */
  readonly sceneWidth: number;
  /** Number of the step on screen, from 1. */
  readonly step: number;
  late(): Promise<typeof Late>;
  /** Resolves when nothing moves. */
  rest(): Promise<void>;
  /** A source is there for what a link asks for; `problems` is what of it could not be had. */
  opened(link: Link, push: boolean, problems: string[]): void;
  /** Another source shows the same step from now on, or the same source more of it. */
  replaced(): void;
  /** Nothing could be opened, or a source did not answer; `reported` where `refused` has given the reason already. */
  failed(message: string, reported: boolean): void;
  /** There is no model. */
  refused(error: BridgeError): void;
}

export class DemoLoader {
  /** What shows the demo; undefined until one has been opened. */
  source: FrameSource | undefined;
  /** The list of demos. */
  catalog: { id: string; title: string }[] = [];
  #refusal: BridgeError | undefined;
  /** Number of the latest opening: what an earlier one waited for comes too late. */
  #opening = 0;

  constructor(private readonly host: LoaderHost) {}

  /** Why there is no model; empty while there may be one. */
  get refusal(): string {
    return this.#refusal?.hint ?? "";
  }

  /** Opens a link from whichever source has it first. What cannot be had is added to `problems`; the nearest that can be had is shown. */
  async open(link: Link, push: boolean, problems: string[] = []): Promise<void> {
    const opening = ++this.#opening;
    try {
      const source = await this.#find(link, problems);
      if (opening !== this.#opening) return source.close();
      this.source?.close();
      this.source = source;
      this.host.opened(link, push, problems);
      void this.#supplement();
    } catch (error) {
      if (opening === this.#opening) this.#fail(error);
    }
  }

  /** Asks the source; if the model breaks, the recording goes on in its place. */
  ask<T>(question: (source: FrameSource) => T): T | undefined {
    const { source } = this;
    if (!source) return undefined;
    try {
      return question(source);
    } catch (error) {
      if (!isRefusal(error)) {
        this.#fail(error);
        return undefined;
      }
      this.source = undefined;
      this.#refuse(error);
      const link: Link = { demo: source.info.id, step: this.host.step, inputs: {} };
      queueMicrotask(() => void this.open(link, false));
      return undefined;
    }
  }

  /** A recording does not suffice. The model takes over, unseen: same demo, same step. Resolves when it has, or cannot be had. */
  async needed(): Promise<void> {
    const opening = this.#opening;
    if (!this.source || this.source.live || this.#refusal) return;
    try {
      const engine = await this.#model();
      await this.host.rest();
      if (opening !== this.#opening || this.source.live) return;
      this.source = engine.open(this.source.info.id, this.source.inputs, []);
      this.host.replaced();
    } catch (error) {
      if (!isRefusal(error)) this.#fail(error);
    }
  }

  /** After a step of the reader, to a picture so many px wide. */
  stepped(picture: number): void {
    if (!this.source || this.source.live) return;
    const need = () => void this.needed();
    if (this.host.live === "idle") (globalThis.requestIdleCallback ?? setTimeout)(need);
    else if (!fills(picture, this.host.sceneWidth)) need();
  }

  /** The picture has another width: another recording may fit it. */
  async resized(): Promise<void> {
    const { source } = this;
    if (!(source instanceof RecordedDemo)) return;
    const other = await recordingOf(source.info.id, this.host.sceneWidth).catch(() => source);
    if (other === source || this.source !== source) return;
    this.source = other;
    this.host.replaced();
    void this.#supplement();
  }

  async #find(link: Link, problems: string[]): Promise<FrameSource> {
    const { scenario, sceneWidth } = this.host;
    if (scenario) return (await this.#model()).openText(scenario, link.inputs, problems);
    if (arrived && !this.#refusal) {
      this.catalog = arrived.demos;
      this.#correct(link, problems);
      return arrived.open(link.demo, link.inputs, problems);
    }
    const asked = () => Object.keys(link.inputs).length > 0;
    const model = asked() ? this.#model() : undefined;
    // What comes of it is looked at further down.
    model?.catch(() => undefined);
    const recording = (demo: string) => recordingOf(demo, sceneWidth).catch(() => undefined);
    // A name without a recording may be a slip: any recording knows all demos.
    const recorded = (await recording(link.demo)) ?? (await recording(FIRST_DEMO));
    if (recorded) this.catalog = recorded.catalog;
    this.#correct(link, problems);
    const demo = recorded?.info.id === link.demo ? recorded : undefined;
    if (demo && !asked()) return demo;
    try {
      return (await (model ?? this.#model())).open(link.demo, link.inputs, problems);
    } catch (error) {
      if (!demo || !isRefusal(error)) throw error;
      problems.push("other inputs than the recorded ones need WebAssembly");
      return demo;
    }
  }

  #correct(link: Link, problems: string[]): void {
    if (!this.catalog.length || this.catalog.some(({ id }) => id === link.demo)) return;
    problems.push(`there is no demo “${link.demo}”`);
    Object.assign(link, { demo: FIRST_DEMO, step: 1, inputs: {} });
  }

  /** Brings what the first frame does without. */
  async #supplement(): Promise<void> {
    await new Promise((idle) => setTimeout(idle, 0));
    this.host.late().catch((error) => this.#fail(error));
    if (this.host.live === "eager") void this.needed();
    const { source } = this;
    if (!(source instanceof RecordedDemo)) return;
    await complete(source).catch(() => undefined);
    if (source === this.source) this.host.replaced();
  }

  async #model(): Promise<Engine> {
    if (this.#refusal) throw this.#refusal;
    try {
      const { loadEngine } = await this.host.late();
      arrived = await loadEngine(this.host.wasmSource);
    } catch (error) {
      throw this.#refuse(error);
    }
    this.catalog = arrived.demos;
    return arrived;
  }

  #fail(error: unknown): void {
    this.host.failed((error as { message?: string }).message ?? String(error), isRefusal(error));
  }

  #refuse(error: unknown): BridgeError {
    const first = !this.#refusal;
    this.#refusal ??= isRefusal(error) ? error : ({ code: "fetch", hint: String(error) } as BridgeError);
    if (first) this.host.refused(this.#refusal);
    return this.#refusal;
  }
}

/** The model that the elements of a page share, once it is there. */
let arrived: Engine | undefined;

/** Known by its shape: the class itself arrives late. */
const isRefusal = (error: unknown): error is BridgeError => !!error && typeof error === "object" && "hint" in error;
