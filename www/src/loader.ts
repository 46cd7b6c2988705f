/**
 * Where an element's demo comes from: a recording, which is there at once, and then the model, which takes over unseen. Where the model cannot be
 * had, recordings stay, and the reason is known.
 */
import type { BridgeError, Engine } from "./bridge.js";
import type { FrameSource } from "./frames.js";
import type * as Late from "./late.js";
import type { Link } from "./link.js";
import { everything, FIRST_DEMO, startOf } from "./recordings.js";

/** What the loader asks of its element, and reports to it. */
export interface LoaderHost {
  /** The text of a scenario of the host page's own, to be shown instead of a demo. */
  readonly scenario: string | undefined;
  /** Where the wasm is, if not beside the script. */
  readonly wasmSource: string | undefined;
  /** Px that the picture has. */
  readonly sceneWidth: number;
  /** Number of the step on screen, from 1. */
  readonly step: number;
  late(): Promise<typeof Late>;
  /** A source is there for what a link asks for; `problems` is what of it could not be had. */
  opened(link: Link, push: boolean, problems: string[]): void;
  /** Another source shows the same step from now on. */
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
  /** Why there is no model; empty while there may be one. */
  refusal = "";
  #engine: Engine | undefined;
  /** Number of the latest opening: what an earlier one waited for comes too late. */
  #opening = 0;

  constructor(private readonly host: LoaderHost) {}

  /** Opens a link from whichever source has it first. What cannot be had is added to `problems`; the nearest that can be had is shown. */
  async open(link: Link, push: boolean, problems: string[] = []): Promise<void> {
    const opening = ++this.#opening;
    try {
      const source = await this.#find(link, problems);
      if (opening !== this.#opening) return source.close();
      this.source?.close();
      this.source = source;
      this.host.opened(link, push, problems);
      if (!source.live && !this.refusal) void this.#takeOver(opening);
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
      this.#engine = undefined;
      this.#refuse(error);
      const link: Link = { demo: source.info.id, step: this.host.step, inputs: {} };
      queueMicrotask(() => void this.open(link, false));
      return undefined;
    }
  }

  /** Resolves when the model is there, or cannot be had. */
  async settled(): Promise<void> {
    if (!this.source?.live && !this.refusal) await this.#model().catch(() => undefined);
  }

  async #find(link: Link, problems: string[]): Promise<FrameSource> {
    const { scenario } = this.host;
    if (scenario) return (await this.#model()).openText(scenario, link.inputs, problems);
    // Once the page has a model, only the first demo is worth a recording: its file is small.
    const modelled = !this.refusal && (this.#engine || (link.demo !== FIRST_DEMO && (await shared?.catch(() => undefined))));
    const recording = modelled ? undefined : this.refusal ? everything() : startOf(link.demo, this.host.sceneWidth);
    const recorded = await recording?.catch(() => undefined);
    if (recorded) this.catalog = recorded.catalog;
    else if (modelled) this.catalog = modelled.demos;
    const known = this.catalog.some(({ id }) => id === link.demo) || !this.catalog.length;
    if (!known) {
      problems.push(`there is no demo “${link.demo}”`);
      Object.assign(link, { demo: FIRST_DEMO, step: 1, inputs: {} });
    }
    const demo = recorded?.demos.get(link.demo);
    if (demo && !Object.keys(link.inputs).length) return demo;
    try {
      return (await this.#model()).open(link.demo, link.inputs, problems);
    } catch (error) {
      const instead = isRefusal(error) && (await everything()).demos.get(link.demo);
      if (!instead) throw error;
      if (Object.keys(link.inputs).length) problems.push("other inputs than the recorded ones need WebAssembly");
      return instead;
    }
  }

  async #model(): Promise<Engine> {
    try {
      const { loadEngine } = await this.host.late();
      const { wasmSource } = this.host;
      const engine = loadEngine(wasmSource);
      if (!wasmSource) shared = engine;
      this.#engine = await engine;
    } catch (error) {
      this.#refuse(error);
      throw error;
    }
    this.catalog = this.#engine.demos;
    return this.#engine;
  }

  /** The model takes over from the recording, unseen: same demo, same step. */
  async #takeOver(opening: number): Promise<void> {
    await new Promise((idle) => setTimeout(idle, 0));
    try {
      const engine = await this.#model();
      if (opening !== this.#opening || !this.source || this.source.live) return;
      this.source = engine.open(this.source.info.id, this.source.inputs, []);
      this.host.replaced();
    } catch (error) {
      if (!isRefusal(error)) this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.host.failed((error as { message?: string }).message ?? String(error), isRefusal(error));
  }

  #refuse(error: unknown): void {
    const refusal = isRefusal(error) ? error : ({ code: "fetch", hint: String(error) } as BridgeError);
    this.refusal = refusal.hint;
    this.host.refused(refusal);
    void this.#complete();
  }

  /** Without a model the recording has to hold all that a step can show. */
  async #complete(): Promise<void> {
    const opening = this.#opening;
    const whole = await everything().catch(() => undefined);
    const demo = whole?.demos.get(this.source?.info.id ?? "");
    if (!demo || opening !== this.#opening || this.source?.live) return;
    this.source = demo;
    this.host.replaced();
  }
}

/** The model that the elements of a page share, once one of them has asked for it. */
let shared: Promise<Engine> | undefined;

/** Known by its shape: the class itself arrives late. */
const isRefusal = (error: unknown): error is BridgeError => !!error && typeof error === "object" && "hint" in error;
