/**
 * `<partition-on-disk>`: a demo of how Kafka stores one partition, to embed like a picture.
 *
 * Attributes: demo, step; inputs offset, time, records, segment-bytes, retention-ms, retention-bytes, reset; from, to, loop; controls (full,
 * mini, none); theme (auto, light, dark); keys (on, off); speed; loading (visible, eager, click); wasm-src; hash-sync.
 * Intents go one way: control or key → player or source → step → scene, sentence, controls. Of Lit only the templates are used: the state
 * lives in the player and the source, and reactive properties would keep a second copy of it.
 *
 * Host policies: adopted style sheets, CSSOM and createElementNS only, no HTML strings. Wasm needs script-src 'wasm-unsafe-eval', and where
 * trusted-types lists names, `lit-html` must be among them.
 */
import { html, nothing, render } from "lit/html.js";
import type { BridgeError, Engine } from "./bridge.js";
import { drawn, inputField, tryList, type Actions } from "./controls.js";
import { cssTimeMs } from "./css-time.js";
import type { FrameSource } from "./frames.js";
import { HashSync } from "./hash.js";
import type { Desk, DeskState, Host } from "./desk.js";
import { frame, sceneWidth, type Controls } from "./layout.js";
import type * as Late from "./late.js";
import { decode, encode, stepIndex, stepName, withoutDefaults, type Link } from "./link.js";
import type { Motion } from "./motion.js";
import { Narration } from "./narration.js";
import { Player, SPEEDS } from "./player.js";
import { everything, FIRST_DEMO, startOf } from "./recordings.js";
import { SceneView } from "./scene.js";
import { styles } from "./styles.js";
import { themeAround, watchTheme } from "./theme.js";
import type { Inputs, Span, StepView } from "./views.js";

const INPUTS = ["offset", "time", "records", "segment-bytes", "retention-ms", "retention-bytes", "reset"];
const STATE = ["demo", "step", "from", "to", "loop", "speed", ...INPUTS];
const LOOKS = ["controls", "theme", "keys", "lang"];

// Without a window (a site generator importing the module) there is nothing to extend, and nothing is registered.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

export class PartitionOnDisk extends Base {
  static readonly observedAttributes = [...STATE, ...LOOKS];

  /** Resolves when the first frame is on screen. */
  readonly ready: Promise<void>;
  #settle!: () => void;

  #source: FrameSource | undefined;
  #engine: Engine | undefined;
  #refused = "";
  #shown: StepView | undefined;
  #catalog: { id: string; title: string }[] = [];
  #problems: string[] = [];
  #answer: Span[] = [];
  #late: typeof Late | undefined;
  #desk: Desk | undefined;
  #width = 0;
  #seen = false;
  #resume = false;
  #ticket = 0;
  #reopening = false;
  #stops: (() => void)[] = [];

  readonly #root: ShadowRoot;
  readonly #picture = new SceneView();
  readonly #narration = new Narration();
  /** Arrives with the late parts; until then a step is shown at once. */
  #motion: Motion | undefined;
  readonly #player = new Player({
    show: (index, from) => this.#show(index, from),
    finish: () => this.#motion?.finish() ?? false,
    words: (index) => this.#source?.outline.steps[index]?.sentence.split(/\s+/).length ?? 0,
    changed: (playing, phaseEnd) => {
      if (phaseEnd) this.#narration.speak();
      this.#emit(playing ? "pod-play" : "pod-pause");
      this.#draw();
    },
  });
  readonly #hash = new HashSync(this, (link) => this.#follow(link));
  readonly #actions: Actions = {
    demo: (id) => void this.#open({ demo: id, step: 1, inputs: {} }, true),
    input: (inputs) => this.#change(inputs),
    back: () => this.#player.back(),
    next: () => this.#player.next(),
    toggle: () => (this.#player.playing ? this.pause() : this.play()),
    seek: (index) => this.#player.seek(index),
    speed: () => {
      this.#player.speed = SPEEDS[(SPEEDS.indexOf(this.#player.speed as 1) + 1) % SPEEDS.length]!;
      this.#draw();
    },
    copy: () => void this.#desk?.copy(),
    sheet: (sheet) => this.#desk?.toggle(sheet),
    file: (file) => this.#desk?.save(file),
    preview: (index) => this.#desk?.peek(index),
  };

  constructor() {
    super();
    this.ready = new Promise((settle) => (this.#settle = settle));
    this.#root = this.attachShadow({ mode: "open" });
    this.#root.adoptedStyleSheets = [styles()];
    this.#picture.svg.addEventListener("click", ({ target }) => {
      void this.#lateParts().then(() => this.#desk?.choose(target as Element));
    });
  }

  connectedCallback(): void {
    this.#width = this.getBoundingClientRect().width;
    this.#draw();
    const resized = new ResizeObserver(([entry]) => this.#resize(entry!.contentRect.width));
    resized.observe(this);
    const viewed = new IntersectionObserver(([entry]) => this.#view(entry!.isIntersecting), { rootMargin: "200px" });
    viewed.observe(this);
    const hidden = () => this.#view(!document.hidden);
    document.addEventListener("visibilitychange", hidden);
    const print = () => {
      if (this.#desk && !this.#desk.textOpen) this.#desk.toggle("text");
    };
    addEventListener("beforeprint", print);
    this.#stops = [
      () => resized.disconnect(),
      () => viewed.disconnect(),
      () => document.removeEventListener("visibilitychange", hidden),
      () => removeEventListener("beforeprint", print),
      watchTheme(() => this.#draw()),
    ];
    if (this.hasAttribute("hash-sync")) this.#hash.connect();
    if (this.getAttribute("loading") === "eager" || this.#source) this.#begin();
  }

  disconnectedCallback(): void {
    this.pause();
    this.#motion?.finish();
    this.#narration.rest();
    this.#hash.disconnect();
    for (const stop of this.#stops) stop();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || !this.isConnected) return;
    if (LOOKS.includes(name) || !this.#seen) return this.#draw();
    // Frameworks set attributes one after the other: one opening for all of them.
    if (this.#reopening) return;
    this.#reopening = true;
    queueMicrotask(() => {
      this.#reopening = false;
      void this.#open(this.#attributesLink(), false);
    });
  }

  /** Plays on to the end of the phase. */
  play(): void {
    this.#resume = false;
    this.#player.play();
  }

  pause(): void {
    this.#resume = false;
    this.#player.pause();
  }

  /** Moves by `by` steps. */
  step(by = 1): void {
    this.#player.seek(this.#player.index + by);
  }

  /** Goes to a step: its number from 1, or the id of a phase. */
  seek(step: number | string): void {
    if (!this.#source) return;
    const { index, problem } = stepIndex(step, this.#source.outline);
    this.#player.seek(index);
    this.#problems = problem ? [problem] : [];
    this.#draw();
  }

  /** Back to what the attributes say. */
  reset(): void {
    void this.#open(this.#attributesLink(), false);
  }

  /** The link string of what is shown; setting it opens it. */
  get state(): string {
    const source = this.#source;
    if (!source) return encode(this.#attributesLink());
    const inputs = withoutDefaults(source.inputs, source.info);
    return encode({ demo: source.info.id, step: stepName(this.#player.index, source.outline), inputs });
  }

  set state(link: string) {
    this.#follow(link);
  }

  #attributesLink(): Link {
    const given = INPUTS.filter((name) => this.hasAttribute(name)).map((name) => [name, this.getAttribute(name)!]);
    return {
      demo: this.getAttribute("demo") || FIRST_DEMO,
      step: this.getAttribute("step") || 1,
      inputs: Object.fromEntries(given) as Inputs,
    };
  }

  /** Opens a link; without one, what the attributes say. */
  #follow(link: string | undefined): void {
    if (!link) return this.reset();
    const { link: target, problems } = decode(link);
    void this.#open(target ?? this.#attributesLink(), false, problems);
  }

  /** First contact with the reader: the demo is loaded, the model right after. */
  #begin(): void {
    if (this.#seen) return;
    this.#seen = true;
    this.#follow(this.hasAttribute("hash-sync") ? this.#hash.read() : undefined);
  }

  /** Shows a demo from whichever source has it first. Problems are told, never silently mended. */
  async #open(link: Link, push: boolean, problems: string[] = []): Promise<void> {
    const ticket = ++this.#ticket;
    this.#seen = true;
    try {
      const source = await this.#find(link, problems);
      if (ticket !== this.#ticket) return source.close();
      this.#use(source, link.step, problems);
      if (push) this.#emit("pod-demo", { demo: source.info.id });
      // A link that was mended is mended in the address bar as well.
      if (push || problems.length) this.#write(push);
      if (!source.live && !this.#refused) void this.#goLive(ticket, link.inputs);
    } catch (error) {
      if (ticket !== this.#ticket) return;
      this.#fail(error);
    }
  }

  async #find(link: Link, problems: string[]): Promise<FrameSource> {
    const scenario = this.querySelector(":scope > pre[slot=scenario]")?.textContent;
    if (scenario) return (await this.#live()).openText(scenario, link.inputs, problems);
    const width = sceneWidth(this.#width, this.#controls);
    // Once the page has a model, only the first demo is worth a recording: its file is small.
    const modelled = !this.#refused && (this.#engine || (link.demo !== FIRST_DEMO && (await model?.catch(() => undefined))));
    const recording = modelled ? undefined : this.#refused ? everything() : startOf(link.demo, width);
    const recorded = await recording?.catch(() => undefined);
    if (recorded) this.#catalog = recorded.catalog;
    else if (modelled) this.#catalog = modelled.demos;
    const known = this.#catalog.some(({ id }) => id === link.demo) || !this.#catalog.length;
    if (!known) {
      problems.push(`there is no demo “${link.demo}”`);
      link.demo = FIRST_DEMO;
      link.step = 1;
      link.inputs = {};
    }
    const demo = recorded?.demos.get(link.demo);
    if (demo && !Object.keys(link.inputs).length) return demo;
    try {
      return (await this.#live()).open(link.demo, link.inputs, problems);
    } catch (error) {
      const instead = isRefusal(error) && (await everything()).demos.get(link.demo);
      if (!instead) throw error;
      if (Object.keys(link.inputs).length) problems.push("other inputs than the recorded ones need WebAssembly");
      return instead;
    }
  }

  async #lateParts(): Promise<typeof Late> {
    if (!this.#late) {
      const late = await import("./late.js");
      if (this.#late) return late;
      late.take({ html, nothing, drawn, inputField, tryList });
      this.#late = late;
      this.#motion = new late.Motion(() => this.#picture.sweep());
      this.#desk = new late.Desk(this.#host());
      this.#root.adoptedStyleSheets = [styles(), late.lateStyles()];
      this.#draw();
    }
    return this.#late;
  }

  /** What the desk sees of this element. */
  #host(): Host {
    const self = this;
    return {
      root: this.#root,
      player: this.#player,
      picture: this.#picture,
      actions: this.#actions,
      get shown() {
        return self.#shown;
      },
      get catalog() {
        return self.#catalog;
      },
      get link() {
        return self.state;
      },
      get singles() {
        return self.getAttribute("keys") !== "off";
      },
      live: async () => {
        if (!this.#source?.live && !this.#refused) await this.#live().catch(() => undefined);
      },
      ask: (question) => this.#ask(question),
      answer: (answer) => {
        this.#answer = answer;
        this.#motion?.finish();
        this.#player.next();
      },
      tell: (problem) => (this.#problems = [problem]),
      draw: () => this.#draw(),
    };
  }

  async #live(): Promise<Engine> {
    try {
      const { loadEngine } = await this.#lateParts();
      const source = this.getAttribute("wasm-src") || undefined;
      const engine = loadEngine(source);
      if (!source) model = engine;
      this.#engine = await engine;
    } catch (error) {
      this.#refuse(error);
      throw error;
    }
    this.#catalog = this.#engine.demos;
    return this.#engine;
  }

  /** The model takes over from the recording, unseen: same demo, same step. */
  async #goLive(ticket: number, inputs: Inputs): Promise<void> {
    await new Promise((idle) => setTimeout(idle, 0));
    try {
      const engine = await this.#live();
      if (ticket !== this.#ticket || !this.#source || this.#source.live) return;
      this.#source = engine.open(this.#source.info.id, inputs, this.#problems);
      this.#redraw();
    } catch (error) {
      if (!isRefusal(error)) this.#fail(error);
    }
  }

  #use(source: FrameSource, step: number | string, problems: string[]): void {
    this.#source?.close();
    this.#source = source;
    const { outline } = source;
    const at = stepIndex(step, outline);
    const from = this.getAttribute("from");
    const to = this.getAttribute("to");
    const ends = [from ? stepIndex(from, outline) : { index: 0 }, to ? stepIndex(to, outline, true) : { index: outline.length - 1 }];
    for (const { problem } of [at, ...ends] as { problem?: string }[]) if (problem) problems.push(problem);
    this.#problems = problems;
    this.#player.loop = this.hasAttribute("loop");
    this.#player.speed = SPEEDS.find((speed) => speed === Number(this.getAttribute("speed"))) ?? this.#player.speed;
    this.#player.load(outline.length, outline.phases, at.index, ends[0]!.index, ends[1]!.index);
    this.#settle();
    this.#emit("pod-ready");
  }

  /** Other inputs: the trace starts again at the same phase, if it still exists. */
  #change(inputs: Inputs): void {
    const source = this.#source;
    if (!source) return;
    const phase = source.outline.phases[this.#player.phaseAt(this.#player.index)];
    void this.#open({ demo: source.info.id, step: phase ? `@${phase.id}` : 1, inputs }, false).then(() => this.#write(false));
  }

  #refuse(error: unknown): void {
    const { code, hint } = isRefusal(error) ? error : { code: "fetch", hint: String(error) };
    this.#refused = hint;
    this.#emit("pod-error", { code, hint });
    this.#draw();
    void this.#complete();
  }

  /** Without a model the recording has to hold all that a step can show. */
  async #complete(): Promise<void> {
    const ticket = this.#ticket;
    const whole = await everything().catch(() => undefined);
    const source = this.#source;
    const demo = whole?.demos.get(source?.info.id ?? "");
    if (!demo || ticket !== this.#ticket || source?.live) return;
    this.#source = demo;
    this.#redraw();
  }

  #fail(error: unknown): void {
    const message = (error as { message?: string }).message ?? String(error);
    this.#problems = [message];
    if (!isRefusal(error)) this.#emit("pod-error", { code: "fetch", hint: message });
    this.#draw();
  }

  /** The player shows a step. Returns the length of the motion in ms. */
  #show(index: number, from: number): number {
    const source = this.#source;
    if (!source) return 0;
    const view = this.#ask((live) => live.step(index, sceneWidth(this.#width, this.#controls)));
    if (!view) return 0;
    this.#shown = view;
    if (this.#desk) this.#desk.picked = undefined;
    this.#motion?.finish();
    const change = this.#picture.apply(view.scene);
    const by = index - from;
    let ms = 0;
    if (this.#motion && Math.abs(by) === 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const stepMs = cssTimeMs(getComputedStyle(this).getPropertyValue("--pod-step-ms")) ?? 0;
      ms = this.#motion.run(by > 0 ? change : { ...change, entered: [] }, Math.max(0, stepMs), this.#player.speed);
    } else {
      this.#picture.sweep();
    }
    const answer = this.#answer.length ? [...this.#answer, { text: " " }] : [];
    this.#answer = [];
    this.#narration.show([...answer, ...view.sentence], !by || this.#player.playing);
    // What was wrong with a link stands until the reader goes on.
    if (by) this.#problems = [];
    this.#draw();
    if (by) this.#write(false);
    const phase = source.outline.phases[view.phase];
    const text = view.sentence.map((span) => span.text).join("");
    const { id: demo } = source.info;
    this.#emit("pod-step", { demo, id: phase?.id, index: index + 1, total: source.outline.length, text, state: this.state });
    return ms;
  }

  /** The same step once more: another width, or another source. */
  #redraw(): void {
    const source = this.#source;
    if (!source || !this.#shown) return;
    const view = this.#ask((live) => live.step(this.#player.index, sceneWidth(this.#width, this.#controls)));
    if (view && view.scene !== this.#shown.scene) {
      this.#motion?.finish();
      this.#picture.apply(view.scene);
      this.#picture.sweep();
      this.#shown = view;
    }
    this.#draw();
  }

  /** Asks the source; if the model breaks, the recording goes on in its place. */
  #ask<T>(question: (source: FrameSource) => T): T | undefined {
    try {
      return this.#source && question(this.#source);
    } catch (error) {
      if (!isRefusal(error)) {
        this.#fail(error);
        return undefined;
      }
      const demo = this.#source!.info.id;
      this.#source = undefined;
      this.#engine = undefined;
      this.#refuse(error);
      const step = this.#player.index + 1;
      queueMicrotask(() => void this.#open({ demo, step, inputs: {} }, false));
      return undefined;
    }
  }

  #write(push: boolean): void {
    if (this.hasAttribute("hash-sync")) this.#hash.write(this.state, push);
  }

  #resize(width: number): void {
    if (Math.round(width) === Math.round(this.#width) || !width) return;
    this.#width = width;
    this.#redraw();
    this.#draw();
  }

  /** Off screen or in a hidden tab nothing plays; back in view it goes on, unless the reader had paused. */
  #view(visible: boolean): void {
    if (visible) {
      if (this.getAttribute("loading") !== "click") this.#begin();
      if (this.#resume) this.play();
    } else if (this.#player.playing) {
      this.#player.pause();
      this.#resume = true;
    }
  }

  get #controls(): Controls {
    const given = this.getAttribute("controls") ?? "full";
    return given === "mini" || given === "none" ? given : "full";
  }

  #notes(): string[] {
    const refused = this.#refused;
    const reason = refused && `Only the recorded demos play: ${refused}.`;
    return [...this.#problems.map((problem) => `${problem}.`), ...(reason ? [reason] : [])];
  }

  #draw(): void {
    const [source, step, player] = [this.#source, this.#shown, this.#player];
    const { shadowRoot } = this;
    if (!shadowRoot) return;
    const notes = this.#notes();
    if (!source || !step) {
      const click = this.getAttribute("loading") === "click" && !this.#seen;
      render(
        html`<slot></slot>${click
            ? html`<button class="btn pri load" @click=${() => this.#begin()}>Play this demo</button>`
            : nothing}${notes.map((note) => html`<p class="note">${note}</p>`)}`,
        shadowRoot,
      );
      return;
    }
    const theme = this.getAttribute("theme");
    const desk: DeskState = this.#desk ?? NO_DESK;
    render(
      frame(
        {
          catalog: this.#catalog,
          info: source.info,
          outline: source.outline,
          inputs: source.inputs,
          inputsOn: !this.#refused,
          settled: source.live || !!this.#refused,
          index: player.index,
          range: player.range,
          playing: player.playing,
          speed: player.speed,
          ...desk,
          files: step.files,
          width: this.#width,
          controls: this.#controls,
          theme: theme === "light" || theme === "dark" ? theme : themeAround(this),
          scene: this.#picture.svg,
          narration: this.#narration.element,
          panelOf: desk.picked ?? step.panel,
          unpick: () => this.#desk?.unpick(),
          numbers: step.numbers,
          late: this.#late,
          tip: this.#late?.tip,
          notes,
        },
        this.#actions,
      ),
      shadowRoot,
    );
  }

  #emit(type: string, detail: object = {}): void {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }
}

/** The model that the elements of the page share, once one of them has asked for it. */
let model: Promise<Engine> | undefined;

const NO_DESK: DeskState = { sheet: "", textOpen: false, copied: false, preview: -1, picked: undefined };

/** Told by its shape: the class itself arrives late. */
const isRefusal = (error: unknown): error is BridgeError => !!error && typeof error === "object" && "hint" in error;

/** Registers the element once, however often the script is loaded; without a window it does nothing. */
export function define(): void {
  if (globalThis.customElements && !customElements.get("partition-on-disk")) {
    customElements.define("partition-on-disk", PartitionOnDisk);
  }
}
