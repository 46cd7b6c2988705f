/**
 * `<partition-on-disk>`: a demo of how Kafka stores one partition, to embed like a picture.
 *
 * Attributes: demo, step; inputs offset, time, records, segment-bytes, retention-ms, retention-bytes, reset; from, to, loop; controls (full,
 * mini, none); theme (auto, light, dark); keys (on, off); speed; loading (visible, eager, click); wasm-src; hash-sync; live (need,
 * idle, eager: see loader.ts).
 * Intents go one way: control or key → player or loader → step → picture, sentence, controls. Of Lit only the templates are used: the state
 * lives in the player and the loader, and reactive properties would keep a second copy of it.
 *
 * Host policies: adopted style sheets, CSSOM and createElementNS only, no HTML strings. Wasm needs script-src 'wasm-unsafe-eval', and where
 * trusted-types lists names, `lit-html` must be among them.
 */
import { html, nothing, render } from "lit/html.js";
import { controlsOf, isLook, linkOf, liveOf, OBSERVED, themeOf } from "./attributes.js";
import { drawn, inputField, tryList, UNTOUCHED, type Actions } from "./controls.js";
import { HashSync } from "./hash.js";
import type { Host, Interaction } from "./interaction.js";
import type * as Late from "./late.js";
import { frame } from "./layout.js";
import { decode, encode, stepIndex, stepName, withoutDefaults, type Link } from "./link.js";
import { DemoLoader, type LoaderHost } from "./loader.js";
import { Player, SPEEDS } from "./player.js";
import { StepDisplay } from "./step-display.js";
import { styles } from "./styles.js";
import { watchSurroundings } from "./surroundings.js";
import { plain, type Inputs } from "./views.js";
import { sceneWidth } from "./widths.js";

// Without a window (a site generator importing the module) there is nothing to extend, and nothing is registered.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

export class PartitionOnDisk extends Base {
  static readonly observedAttributes = OBSERVED;

  /** Resolves when the first frame is on screen. */
  readonly ready: Promise<void>;
  #settle!: () => void;

  /** What was wrong with a link, an attribute or an input; stands until the reader goes on. */
  #problems: string[] = [];
  #late: typeof Late | undefined;
  #interaction: Interaction | undefined;
  #width = 0;
  /** A demo has been asked for. */
  #begun = false;
  /** Playing was interrupted by leaving the view. */
  #resume = false;
  #reopening = false;
  #forget: () => void = () => {};

  readonly #root: ShadowRoot;
  readonly #display = new StepDisplay();
  readonly #loader = new DemoLoader(this.#loaderHost());
  readonly #player = new Player({
    show: (index, from) => this.#show(index, from),
    finish: () => this.#display.finish(),
    words: (index) => this.#loader.source?.outline.steps[index]?.sentence.split(/\s+/).length ?? 0,
    changed: (playing, phaseEnd) => {
      if (phaseEnd) this.#display.narration.speak();
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
    copy: () => void this.#interaction?.copy(),
    sheet: (sheet) => this.#interaction?.toggle(sheet),
    file: (file) => void this.#interaction?.save(file),
    preview: (index) => this.#interaction?.showPreview(index),
  };

  constructor() {
    super();
    this.ready = new Promise((settle) => (this.#settle = settle));
    this.#root = this.attachShadow({ mode: "open" });
    this.#root.adoptedStyleSheets = [styles()];
    this.#display.picture.svg.addEventListener("click", ({ target }) => {
      void this.#lateParts().then(() => this.#interaction?.choose(target as Element));
    });
  }

  connectedCallback(): void {
    const { width } = this.getBoundingClientRect();
    // Back in the document, perhaps in another place, it is drawn for the room that it has there.
    if (this.#display.shown && width !== this.#width) this.#resize(width);
    else this.#width = width;
    this.#draw();
    this.#forget = watchSurroundings(this, {
      resized: (width) => this.#resize(width),
      viewed: (visible) => this.#view(visible),
      printing: () => {
        if (this.#interaction && !this.#interaction.textOpen) this.#interaction.toggle("text");
      },
      themed: () => this.#draw(),
    });
    if (this.hasAttribute("hash-sync")) this.#hash.connect();
    if (this.getAttribute("loading") === "eager" || this.#loader.source) this.#begin();
  }

  disconnectedCallback(): void {
    this.pause();
    this.#display.finish();
    this.#display.narration.rest();
    this.#hash.disconnect();
    this.#forget();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || !this.isConnected) return;
    if (name === "live" && after === "eager") void this.#loader.needed();
    if (isLook(name) || !this.#begun) return this.#draw();
    // Frameworks set attributes one after the other: one opening for all of them.
    if (this.#reopening) return;
    this.#reopening = true;
    queueMicrotask(() => {
      this.#reopening = false;
      this.reset();
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
    const { source } = this.#loader;
    if (!source) return;
    const { index, problem } = stepIndex(step, source.outline);
    this.#player.seek(index);
    this.#problems = problem ? [problem] : [];
    this.#draw();
  }

  /** Back to what the attributes say. */
  reset(): void {
    void this.#open(linkOf(this), false);
  }

  /** The link string of what is shown; setting it opens it. */
  get state(): string {
    const { source } = this.#loader;
    if (!source) return encode(linkOf(this));
    const inputs = withoutDefaults(source.inputs, source.info);
    return encode({ demo: source.info.id, step: stepName(this.#player.index, source.outline), inputs });
  }

  set state(link: string) {
    this.#follow(link);
  }

  /** Opens a link; without one, what the attributes say. */
  #follow(link: string | undefined): void {
    if (!link) return this.reset();
    const { link: target, problems } = decode(link);
    void this.#open(target ?? linkOf(this), false, problems);
  }

  /** First contact with the reader. */
  #begin(): void {
    if (!this.#begun) this.#follow(this.hasAttribute("hash-sync") ? this.#hash.read() : undefined);
  }

  #open(link: Link, push: boolean, problems?: string[]): Promise<void> {
    this.#begun = true;
    return this.#loader.open(link, push, problems);
  }

  /** Other inputs: the trace starts again at the same phase, if it still exists. */
  #change(inputs: Inputs): void {
    const { source } = this.#loader;
    if (!source) return;
    const phase = source.outline.phases[this.#player.phaseAt(this.#player.index)];
    const link = { demo: source.info.id, step: phase ? `@${phase.id}` : 1, inputs };
    void this.#open(link, false).then(() => this.#write(false));
  }

  #loaderHost(): LoaderHost {
    const self = this;
    return {
      get scenario() {
        return self.querySelector(":scope > pre[slot=scenario]")?.textContent || undefined;
      },
      get wasmSource() {
        return self.getAttribute("wasm-src") || undefined;
      },
      get live() {
        return liveOf(self);
      },
      get sceneWidth() {
        return self.#sceneWidth;
      },
      get step() {
        return self.#player.index + 1;
      },
      late: () => this.#lateParts(),
      rest: async () => this.#display.motion?.rest(),
      opened: (link, push, problems) => this.#opened(link, push, problems),
      replaced: () => this.#redraw(),
      failed: (message, reported) => {
        this.#problems = [message];
        if (!reported) this.#emit("pod-error", { code: "fetch", hint: message });
        this.#draw();
      },
      refused: ({ code, hint }) => {
        this.#emit("pod-error", { code, hint });
        this.#draw();
      },
    };
  }

  /** Shows what has been loaded from the step on that the link names, within the attributes' bounds. */
  #opened({ step }: Link, push: boolean, problems: string[]): void {
    const { outline, info } = this.#loader.source!;
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
    if (push) this.#emit("pod-demo", { demo: info.id });
    // A link that was corrected is corrected in the address bar as well.
    if (push || problems.length) this.#write(push);
  }

  async #lateParts(): Promise<typeof Late> {
    if (!this.#late) {
      const late = await import("./late.js");
      if (this.#late) return late;
      late.receive({ html, nothing, drawn, inputField, tryList });
      this.#late = late;
      this.#display.motion = new late.Motion(() => this.#display.picture.removeLeaving());
      const host = this.#interactionHost();
      this.#interaction = new late.Interaction(host);
      new late.Keyboard(host, this.#interaction);
      this.#root.adoptedStyleSheets = [styles(), late.lateStyles()];
      this.#draw();
    }
    return this.#late;
  }

  #interactionHost(): Host {
    const self = this;
    return {
      root: this.#root,
      loader: this.#loader,
      player: this.#player,
      display: this.#display,
      actions: this.#actions,
      get link() {
        return self.state;
      },
      get singleKeys() {
        return self.getAttribute("keys") !== "off";
      },
      note: (problem) => (this.#problems = [problem]),
      draw: () => this.#draw(),
    };
  }

  /** The player shows a step. Returns the length of the motion in ms. */
  #show(index: number, from: number): number {
    const { source } = this.#loader;
    const view = this.#loader.ask((live) => live.step(index, this.#sceneWidth));
    if (!source || !view) return 0;
    if (this.#interaction) this.#interaction.picked = undefined;
    const by = index - from;
    const ms = this.#display.show(view, by, !by || this.#player.playing, this.#player.speed);
    if (by) this.#problems = [];
    this.#draw();
    if (by) {
      this.#write(false);
      this.#loader.stepped(view.scene.width / 10);
    }
    const { info, outline } = source;
    const id = outline.phases[view.phase]?.id;
    const text = plain(view.sentence);
    this.#emit("pod-step", { demo: info.id, id, index: index + 1, total: outline.length, text, state: this.state });
    return ms;
  }

  /** The same step once more: another width, or another source. */
  #redraw(): void {
    const view = this.#display.shown && this.#loader.ask((source) => source.step(this.#player.index, this.#sceneWidth));
    if (view) this.#display.replace(view);
    this.#draw();
  }

  #write(push: boolean): void {
    if (this.hasAttribute("hash-sync")) this.#hash.write(this.state, push);
  }

  #resize(width: number): void {
    if (Math.round(width) === Math.round(this.#width) || !width) return;
    this.#width = width;
    this.#redraw();
    void this.#loader.resized();
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

  get #sceneWidth(): number {
    return sceneWidth(this.#width, controlsOf(this));
  }

  #notes(): string[] {
    const { refusal } = this.#loader;
    const reason = refusal && `Only the recorded demos play: ${refusal}.`;
    return [...this.#problems.map((problem) => `${problem}.`), ...(reason ? [reason] : [])];
  }

  #draw(): void {
    const { catalog, refusal, source } = this.#loader;
    const { narration, picture, shown } = this.#display;
    const { index, playing, range, speed } = this.#player;
    const notes = this.#notes();
    if (!source || !shown) {
      const click = this.getAttribute("loading") === "click" && !this.#begun;
      render(
        html`<slot></slot>${click
            ? html`<button class="btn pri load" @click=${() => this.#begin()}>Play this demo</button>`
            : nothing}${notes.map((note) => html`<p class="note">${note}</p>`)}`,
        this.#root,
      );
      return;
    }
    const interaction = this.#interaction ?? UNTOUCHED;
    render(
      frame(
        {
          catalog,
          info: source.info,
          outline: source.outline,
          inputs: source.inputs,
          inputsOn: !refusal,
          settled: source.complete,
          index,
          range,
          playing,
          speed,
          ...interaction,
          files: shown.files,
          width: this.#width,
          controls: controlsOf(this),
          theme: themeOf(this),
          scene: picture.svg,
          narration: narration.element,
          panel: interaction.picked ?? shown.panel,
          closeInspector: () => this.#interaction?.closeInspector(),
          numbers: shown.numbers,
          late: this.#late,
          tip: this.#late?.tip,
          notes,
        },
        this.#actions,
      ),
      this.#root,
    );
  }

  #emit(type: string, detail: object = {}): void {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }
}

/** Registers the element once, however often the script is loaded; without a window it does nothing. */
export function define(): void {
  if (globalThis.customElements && !customElements.get("partition-on-disk")) {
    customElements.define("partition-on-disk", PartitionOnDisk);
  }
}
