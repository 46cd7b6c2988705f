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
import { BridgeError, loadEngine, type Engine } from "./bridge.js";
import type { Actions, Panel } from "./controls.js";
import type { FrameSource } from "./frames.js";
import { HashSync } from "./hash.js";
import { intentOf, type Intent, type Where } from "./keys.js";
import { frame, sceneWidth, type Controls } from "./layout.js";
import { decode, encode, stepIndex, stepName, validInputs, withoutDefaults, type Link } from "./link.js";
import { Motion } from "./motion.js";
import { Narration } from "./narration.js";
import { Player, SPEEDS } from "./player.js";
import { recordingOf } from "./recordings.js";
import { SceneView } from "./scene.js";
import { styles } from "./styles.js";
import { themeAround, watchTheme } from "./theme.js";
import type { FileRow, Inputs, Inspection, Span, StepView } from "./views.js";

const FIRST_DEMO = "find-offset";
const INPUTS = ["offset", "time", "records", "segment-bytes", "retention-ms", "retention-bytes", "reset"];
const STATE = ["demo", "step", "from", "to", "loop", "speed", ...INPUTS];
const LOOKS = ["controls", "theme", "keys", "lang"];

// Without a window (a site generator importing the module) there is nothing to extend, and nothing is registered.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

export class PartitionOnDisk extends Base {
  static readonly observedAttributes = [...STATE, ...LOOKS];

  /** Resolves when the first frame is on screen. */
  readonly ready: Promise<void>;
  private settle!: () => void;

  private source: FrameSource | undefined;
  private engine: Engine | undefined;
  private refused: BridgeError | undefined;
  private step_: StepView | undefined;
  private catalog: { id: string; title: string }[] = [];
  private problems: string[] = [];
  private picked: Inspection | undefined;
  private answer: Span[] = [];
  private panel: Panel = "";
  private opener: HTMLElement | undefined;
  private textOpen = false;
  private copied = false;
  private preview = -1;
  private width = 0;
  private seen = false;
  private resume = false;
  private ticket = 0;
  private reopening = false;
  private held = new Set<string>();
  private stops: (() => void)[] = [];

  private readonly root: ShadowRoot;
  private readonly picture = new SceneView();
  private readonly narration = new Narration();
  private readonly motion = new Motion(() => this.picture.sweep());
  private readonly player = new Player({
    show: (index, from) => this.show(index, from),
    finish: () => this.motion.finish(),
    words: (index) => this.source?.outline.steps[index]?.sentence.split(/\s+/).length ?? 0,
    changed: (playing, phaseEnd) => {
      if (phaseEnd) this.narration.speak();
      this.emit(playing ? "pod-play" : "pod-pause");
      this.draw();
    },
  });
  private readonly hash = new HashSync(this, (link) => this.follow(link));
  private readonly actions: Actions = {
    demo: (id) => void this.open({ demo: id, step: 1, inputs: {} }, true),
    input: (inputs) => this.change(inputs),
    back: () => this.player.back(),
    next: () => this.player.next(),
    toggle: () => (this.player.playing ? this.pause() : this.play()),
    seek: (index) => this.player.seek(index),
    speed: () => {
      this.player.speed = SPEEDS[(SPEEDS.indexOf(this.player.speed as 1) + 1) % SPEEDS.length]!;
      this.draw();
    },
    copy: () => void this.copy(),
    panel: (panel) => this.showPanel(panel),
    text: () => {
      this.textOpen = !this.textOpen;
      this.showPanel("");
    },
    file: (file) => this.save(file),
    preview: (index) => {
      if (index !== this.preview) {
        this.preview = index;
        this.draw();
      }
    },
  };

  constructor() {
    super();
    this.ready = new Promise((settle) => (this.settle = settle));
    this.root = this.attachShadow({ mode: "open" });
    this.root.adoptedStyleSheets = [styles()];
    for (const kind of ["keydown", "keyup", "keypress"] as const) {
      this.root.addEventListener(kind, (event) => this.key(event as KeyboardEvent));
    }
    this.root.addEventListener("focusin", ({ target }) => this.rove(target as HTMLElement));
    this.picture.svg.addEventListener("click", (event) => void this.choose(event.target as Element));
  }

  connectedCallback(): void {
    this.width = this.getBoundingClientRect().width;
    this.draw();
    const resized = new ResizeObserver(([entry]) => this.resize(entry!.contentRect.width));
    resized.observe(this);
    const viewed = new IntersectionObserver(([entry]) => this.view(entry!.isIntersecting), { rootMargin: "200px" });
    viewed.observe(this);
    const hidden = () => this.view(!document.hidden);
    document.addEventListener("visibilitychange", hidden);
    const print = () => {
      this.textOpen = true;
      this.draw();
    };
    addEventListener("beforeprint", print);
    this.stops = [
      () => resized.disconnect(),
      () => viewed.disconnect(),
      () => document.removeEventListener("visibilitychange", hidden),
      () => removeEventListener("beforeprint", print),
      watchTheme(() => this.draw()),
    ];
    if (this.hasAttribute("hash-sync")) this.hash.connect();
    if (this.getAttribute("loading") === "eager" || this.source) this.begin();
  }

  disconnectedCallback(): void {
    this.pause();
    this.motion.finish();
    this.narration.rest();
    this.hash.disconnect();
    for (const stop of this.stops) stop();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || !this.isConnected) return;
    if (LOOKS.includes(name) || !this.seen) return this.draw();
    // Frameworks set attributes one after the other: one opening for all of them.
    if (this.reopening) return;
    this.reopening = true;
    queueMicrotask(() => {
      this.reopening = false;
      void this.open(this.attributesLink(), false);
    });
  }

  /** Plays on to the end of the phase. */
  play(): void {
    this.resume = false;
    this.player.play();
  }

  pause(): void {
    this.resume = false;
    this.player.pause();
  }

  /** Moves by `by` steps. */
  step(by = 1): void {
    this.player.seek(this.player.index + by);
  }

  /** Goes to a step: its number from 1, or the id of a phase. */
  seek(step: number | string): void {
    if (!this.source) return;
    const { index, problem } = stepIndex(step, this.source.outline);
    this.problems = problem ? [problem] : [];
    this.player.seek(index);
  }

  /** Back to what the attributes say. */
  reset(): void {
    void this.open(this.attributesLink(), false);
  }

  /** The link string of what is shown; setting it opens it. */
  get state(): string {
    const { source } = this;
    if (!source) return encode(this.attributesLink());
    const inputs = withoutDefaults(source.inputs, source.info);
    return encode({ demo: source.info.id, step: stepName(this.player.index, source.outline), inputs });
  }

  set state(link: string) {
    this.follow(link);
  }

  private attributesLink(): Link {
    const given = INPUTS.filter((name) => this.hasAttribute(name)).map((name) => [name, this.getAttribute(name)!]);
    return {
      demo: this.getAttribute("demo") || FIRST_DEMO,
      step: this.getAttribute("step") || 1,
      inputs: Object.fromEntries(given) as Inputs,
    };
  }

  /** Opens a link; without one, what the attributes say. */
  private follow(link: string | undefined): void {
    if (!link) return this.reset();
    const { link: target, problems } = decode(link);
    void this.open(target ?? this.attributesLink(), false, problems);
  }

  /** First contact with the reader: the demo is loaded, the model right after. */
  private begin(): void {
    if (this.seen) return;
    this.seen = true;
    this.follow(this.hasAttribute("hash-sync") ? this.hash.read() : undefined);
  }

  /** Shows a demo from whichever source has it first. Problems are told, never silently mended. */
  private async open(link: Link, push: boolean, problems: string[] = []): Promise<void> {
    const ticket = ++this.ticket;
    this.seen = true;
    try {
      const source = await this.find(link, problems);
      if (ticket !== this.ticket) return source.close();
      this.use(source, link.step, problems);
      if (push) {
        this.emit("pod-demo", { demo: source.info.id });
        this.hash.connect === undefined || this.write(true);
      }
      if (!source.live && !this.refused) void this.goLive(ticket, link.inputs);
    } catch (error) {
      if (ticket !== this.ticket) return;
      this.fail(error);
    }
  }

  private async find(link: Link, problems: string[]): Promise<FrameSource> {
    const scenario = this.querySelector(":scope > pre[slot=scenario]")?.textContent;
    if (scenario) return (await this.live()).openText(scenario, link.inputs);
    let recorded = await recordingOf(link.demo).catch(() => undefined);
    if (!recorded && link.demo !== FIRST_DEMO) recorded = await recordingOf(FIRST_DEMO).catch(() => undefined);
    if (recorded) this.catalog = recorded.catalog;
    const known = this.catalog.some(({ id }) => id === link.demo) || !recorded;
    if (!known) {
      problems.push(`there is no demo “${link.demo}”`);
      link.demo = FIRST_DEMO;
      link.inputs = {};
    }
    const demo = recorded?.demos.get(link.demo);
    if (demo && !Object.keys(link.inputs).length && !this.engine) return demo;
    try {
      return this.openLive(await this.live(), link, problems);
    } catch (error) {
      if (!demo || !(error instanceof BridgeError)) throw error;
      problems.push("other inputs than the recorded ones need WebAssembly");
      return demo;
    }
  }

  private openLive(engine: Engine, link: Link, problems: string[]): FrameSource {
    const info = engine.demos.find(({ id }) => id === link.demo);
    if (!info) throw new Error(`there is no demo “${link.demo}”`);
    const valid = validInputs(link.inputs, info);
    problems.push(...valid.problems);
    return engine.open(link.demo, valid.inputs);
  }

  private async live(): Promise<Engine> {
    try {
      this.engine = await loadEngine(this.getAttribute("wasm-src") ?? undefined);
    } catch (error) {
      this.refuse(error);
      throw error;
    }
    this.catalog = this.engine.demos;
    return this.engine;
  }

  /** The model takes over from the recording, unseen: same demo, same step. */
  private async goLive(ticket: number, inputs: Inputs): Promise<void> {
    await new Promise((idle) => setTimeout(idle, 0));
    try {
      const engine = await this.live();
      if (ticket !== this.ticket || !this.source || this.source.live) return;
      this.source = engine.open(this.source.info.id, inputs);
      this.redraw();
    } catch (error) {
      if (!(error instanceof BridgeError)) this.fail(error);
    }
  }

  private use(source: FrameSource, step: number | string, problems: string[]): void {
    this.source?.close();
    this.source = source;
    const { outline } = source;
    const at = stepIndex(step, outline);
    const from = this.getAttribute("from");
    const to = this.getAttribute("to");
    const ends = [from ? stepIndex(from, outline) : { index: 0 }, to ? stepIndex(to, outline, true) : { index: outline.length - 1 }];
    for (const { problem } of [at, ...ends] as { problem?: string }[]) if (problem) problems.push(problem);
    this.problems = problems;
    this.player.loop = this.hasAttribute("loop");
    this.player.speed = SPEEDS.find((speed) => speed === Number(this.getAttribute("speed"))) ?? this.player.speed;
    this.player.load(outline.length, outline.phases, at.index, ends[0]!.index, ends[1]!.index);
    this.settle();
    this.emit("pod-ready");
  }

  /** Other inputs: the trace starts again at the same phase, if it still exists. */
  private change(inputs: Inputs): void {
    const { source } = this;
    if (!source) return;
    const phase = source.outline.phases[this.player.phaseAt(this.player.index)];
    void this.open({ demo: source.info.id, step: phase ? `@${phase.id}` : 1, inputs }, false).then(() => this.write(false));
  }

  private refuse(error: unknown): void {
    this.refused = error instanceof BridgeError ? error : new BridgeError("panic", String(error));
    this.emit("pod-error", { code: this.refused.code, hint: this.refused.hint });
    this.draw();
  }

  private fail(error: unknown): void {
    const message = (error as { message?: string }).message ?? String(error);
    this.problems = [message];
    if (!(error instanceof BridgeError)) this.emit("pod-error", { code: "fetch", hint: message });
    this.draw();
  }

  /** The player shows a step. Returns the length of the motion in ms. */
  private show(index: number, from: number): number {
    const { source } = this;
    if (!source) return 0;
    const view = this.ask((live) => live.step(index, sceneWidth(this.width, this.controls)));
    if (!view) return 0;
    this.step_ = view;
    this.picked = undefined;
    this.motion.finish();
    const change = this.picture.apply(view.scene);
    const by = index - from;
    let ms = 0;
    if (Math.abs(by) === 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const token = getComputedStyle(this).getPropertyValue("--pod-step-ms");
      ms = this.motion.run(by > 0 ? change : { ...change, entered: [] }, parseFloat(token) || 0, this.player.speed);
    } else {
      this.picture.sweep();
    }
    const answer = this.answer.length ? [...this.answer, { text: " " }] : [];
    this.answer = [];
    this.narration.show([...answer, ...view.sentence], this.player.playing);
    this.draw();
    if (by) {
      this.write(false);
      this.problems = [];
    }
    const phase = source.outline.phases[view.phase];
    const text = view.sentence.map((span) => span.text).join("");
    const { id: demo } = source.info;
    this.emit("pod-step", { demo, id: phase?.id, index: index + 1, total: source.outline.length, text, state: this.state });
    return ms;
  }

  /** The same step once more: another width, or another source. */
  private redraw(): void {
    const { source } = this;
    if (!source || !this.step_) return;
    const view = this.ask((live) => live.step(this.player.index, sceneWidth(this.width, this.controls)));
    if (view && view.scene !== this.step_.scene) {
      this.motion.finish();
      this.picture.apply(view.scene);
      this.picture.sweep();
      this.step_ = view;
    }
    this.draw();
  }

  /** Asks the source; if the model breaks, the recording goes on in its place. */
  private ask<T>(question: (source: FrameSource) => T): T | undefined {
    try {
      return this.source && question(this.source);
    } catch (error) {
      const demo = this.source!.info.id;
      this.source = undefined;
      this.engine = undefined;
      this.refuse(error);
      const step = this.player.index + 1;
      queueMicrotask(() => void this.open({ demo, step, inputs: {} }, false));
      return undefined;
    }
  }

  /** A click or Enter in the picture: an answer to the step's question, else something to inspect. */
  private async choose(target: Element): Promise<void> {
    const key = target.closest("[role=button]")?.getAttribute("data-key");
    if (!key) return;
    this.picture.rove(key);
    const pick = this.step_?.picks?.find((choice) => choice.key === key);
    if (pick) {
      this.answer = pick.answer;
      this.motion.finish();
      this.player.next();
      this.root.getElementById("next")?.focus({ preventScroll: true });
      return;
    }
    const index = this.player.index;
    if (!this.source?.live && !this.refused) await this.live().catch(() => undefined);
    if (index !== this.player.index) return;
    this.picked = this.ask((source) => source.inspect(key));
    this.draw();
    if (this.picked) this.root.querySelector<HTMLElement>(".insp .shut")?.focus();
  }

  private save({ name, state }: FileRow): void {
    const [, base = "0", kind = ""] = /^0*(\d+)\.(\w+)/.exec(name) ?? [];
    const file = state === "not created" ? undefined : this.ask((source) => source.download(`file/${base}/${kind}`));
    if (!file) return;
    const url = URL.createObjectURL(file);
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  private async copy(): Promise<void> {
    const url = new URL(this.state, location.href).href;
    try {
      await navigator.clipboard.writeText(url);
      this.copied = true;
      setTimeout(() => {
        this.copied = false;
        this.draw();
      }, 2000);
    } catch {
      this.problems = [`this page may not copy; the link is ${url}`];
    }
    this.draw();
  }

  private showPanel(panel: Panel): void {
    const inside = this.root.activeElement?.closest(".panel");
    if (!this.panel && panel) this.opener = this.root.activeElement as HTMLElement;
    this.panel = panel;
    this.draw();
    if (panel) this.root.querySelector<HTMLElement>(".panel :is(button, input, select):not(:disabled)")?.focus();
    else if (inside) this.opener?.focus();
  }

  private write(push: boolean): void {
    if (this.hasAttribute("hash-sync")) this.hash.write(this.state, push);
  }

  private resize(width: number): void {
    if (Math.round(width) === Math.round(this.width) || !width) return;
    this.width = width;
    this.redraw();
    this.draw();
  }

  /** Off screen or in a hidden tab nothing plays; back in view it goes on, unless the reader had paused. */
  private view(visible: boolean): void {
    if (visible) {
      if (this.getAttribute("loading") !== "click") this.begin();
      if (this.resume) this.play();
    } else if (this.player.playing) {
      this.player.pause();
      this.resume = true;
    }
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.type !== "keydown") {
      if (this.held.has(event.key)) event.stopPropagation();
      if (event.type === "keyup") this.held.delete(event.key);
      return;
    }
    const intent = intentOf(event, whereOf(target), this.getAttribute("keys") !== "off");
    if (!intent || (intent !== "native" && !this.obey(intent, target))) return;
    event.stopPropagation();
    this.held.add(event.key);
    if (intent !== "native") event.preventDefault();
  }

  /** Carries out a key's intent; false when there was nothing to do, so that the page may have the key. */
  private obey(intent: Intent, target: HTMLElement): boolean {
    const { player } = this;
    switch (intent) {
      case "next":
      case "back":
      case "toggle":
        this.actions[intent]();
        return true;
      case "phase-on":
      case "phase-back":
        player.seekPhase(intent === "phase-on" ? 1 : -1);
        return true;
      case "keys":
        this.showPanel(this.panel === "keys" ? "" : "keys");
        return true;
      case "close":
        return this.close();
      case "open":
        void this.choose(target);
        return true;
      case "native":
        return true;
      case "left":
      case "right":
      case "up":
      case "down":
      case "first":
      case "last":
        return whereOf(target) === "scene" ? this.moveInScene(intent) : moveInList(intent, target);
      default: {
        const demo = this.catalog[Number(intent.slice(5)) - 1];
        if (demo) this.actions.demo(demo.id);
        return !!demo;
      }
    }
  }

  private close(): boolean {
    const { panel, preview, picked } = this;
    if (panel) this.showPanel("");
    else if (preview >= 0) this.preview = -1;
    else if (picked) this.unpick();
    else return false;
    this.draw();
    return true;
  }

  private unpick(): void {
    this.picked = undefined;
    this.draw();
    this.picture.rove()?.focus();
  }

  private moveInScene(direction: "left" | "right" | "up" | "down" | "first" | "last"): boolean {
    const keys = this.picture.buttons().map(({ key }) => key);
    const { current } = this.picture;
    const next =
      direction === "first" ? keys[0] : direction === "last" ? keys.at(-1) : current && this.picture.neighbour(current, direction);
    if (next) this.picture.rove(next)?.focus({ preventScroll: true });
    return true;
  }

  /** The button that has the focus is its list's one tab stop. */
  private rove(target: HTMLElement): void {
    const list = target.closest("[data-list]");
    if (list) for (const item of list.querySelectorAll("button")) item.tabIndex = item === target ? 0 : -1;
    const key = target.closest("[role=button][data-key]")?.getAttribute("data-key");
    if (key) this.picture.rove(key);
  }

  private get controls(): Controls {
    const given = this.getAttribute("controls") ?? "full";
    return given === "mini" || given === "none" ? given : "full";
  }

  private notes(): string[] {
    const { refused } = this;
    const reason = refused && `Only the recorded demos play: ${refused.hint}.`;
    return [...this.problems.map((problem) => `${problem}.`), ...(reason ? [reason] : [])];
  }

  private draw(): void {
    const { source, step_: step, player } = this;
    const { shadowRoot } = this;
    if (!shadowRoot) return;
    const notes = this.notes();
    if (!source || !step) {
      const click = this.getAttribute("loading") === "click" && !this.seen;
      render(
        html`<slot></slot>${click
            ? html`<button class="btn pri load" @click=${() => this.begin()}>Play this demo</button>`
            : nothing}${notes.map((note) => html`<p class="note">${note}</p>`)}`,
        shadowRoot,
      );
      return;
    }
    const theme = this.getAttribute("theme");
    render(
      frame(
        {
          catalog: this.catalog,
          info: source.info,
          outline: source.outline,
          inputs: source.inputs,
          inputsOn: !this.refused,
          index: player.index,
          range: player.range,
          playing: player.playing,
          speed: player.speed,
          copied: this.copied,
          panel: this.panel,
          textOpen: this.textOpen,
          files: step.files,
          preview: this.preview,
          width: this.width,
          track: 0,
          controls: this.controls,
          theme: theme === "light" || theme === "dark" ? theme : themeAround(this),
          scene: this.picture.svg,
          narration: this.narration.element,
          panelOf: this.picked ?? step.panel,
          picked: !!this.picked,
          unpick: () => this.unpick(),
          numbers: step.numbers,
          notes,
        },
        this.actions,
      ),
      shadowRoot,
    );
  }

  private emit(type: string, detail: object = {}): void {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }
}

function whereOf(target: Element): Where {
  if (target.matches("input[type=range]")) return "scrubber";
  if (target.matches("input, select, textarea")) return "field";
  if (target.closest("[data-where=scene]")) return "scene";
  return target.closest("[data-list]") ? "list" : "other";
}

function moveInList(direction: "left" | "right" | "up" | "down" | "first" | "last", target: HTMLElement): boolean {
  const items = [...(target.closest("[data-list]")?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [])];
  const by = { left: -1, up: -1, right: 1, down: 1, first: -items.length, last: items.length }[direction];
  const to = Math.min(items.length - 1, Math.max(0, items.indexOf(target) + by));
  items[to]?.focus();
  return true;
}

/** Registers the element once, however often the script is loaded; without a window it does nothing. */
export function define(): void {
  if (globalThis.customElements && !customElements.get("partition-on-disk")) {
    customElements.define("partition-on-disk", PartitionOnDisk);
  }
}
