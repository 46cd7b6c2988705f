/**
 * What a reader does besides stepping: choosing in the picture, the inspector, sheets, files, the link. Arrives with the late parts; the player's
 * buttons, the timeline and the demo list work before it.
 */
import type { Actions, InteractionState, Sheet } from "./controls.js";
import type { DemoLoader } from "./loader.js";
import type { Player } from "./player.js";
import type { StepDisplay } from "./step-display.js";
import type { FileRow, Panel } from "./views.js";

/** The element, as the reader acts on it. */
export interface Host {
  readonly root: ShadowRoot;
  readonly loader: DemoLoader;
  readonly player: Player;
  readonly display: StepDisplay;
  readonly actions: Actions;
  /** Of what is shown. */
  readonly link: string;
  /** False where the host page turned keys without a modifier off. */
  readonly singleKeys: boolean;
  note(problem: string): void;
  draw(): void;
}

/** A pointer that stays so long does not only pass by. */
const REST_MS = 100;

export class Interaction implements InteractionState {
  sheet: Sheet = "";
  textOpen = false;
  copied = false;
  preview = -1;
  picked: Panel | undefined;
  /** Where the focus was when the sheet opened. */
  #opener: HTMLElement | null = null;

  constructor(private readonly host: Host) {
    this.#watchInputs();
  }

  /** A click or Enter in the picture: an answer to the step's question, else something to inspect. */
  async choose(target: Element): Promise<void> {
    const { host } = this;
    const key = target.closest("[role=button]")?.getAttribute("data-key");
    if (!key) return;
    const { display, loader, player } = host;
    display.picture.rove(key);
    const pick = display.shown?.picks?.find((choice) => choice.key === key);
    if (pick) {
      display.answer = pick.answer;
      display.finish();
      player.next();
      host.root.getElementById("next")?.focus({ preventScroll: true });
      return;
    }
    const { index } = player;
    await loader.needed();
    if (index !== player.index) return;
    this.picked = loader.ask((source) => source.inspect(key));
    host.draw();
    if (this.picked) host.root.querySelector<HTMLElement>(".insp .shut")?.focus();
  }

  closeInspector(): void {
    this.picked = undefined;
    this.host.draw();
    this.host.display.picture.rove()?.focus();
  }

  /** Opens or closes what opens on request; the focus goes in, and back to where it came from. */
  toggle(sheet: Sheet): void {
    const { host } = this;
    const { root } = host;
    const focus = root.activeElement as HTMLElement | null;
    const inside = focus?.closest(".sheet");
    if (sheet === "text") this.textOpen = !this.textOpen;
    if (!this.sheet) this.#opener = focus;
    this.sheet = sheet === "text" || sheet === this.sheet ? "" : sheet;
    host.draw();
    if (this.sheet) root.querySelector<HTMLElement>(".sheet :is(button, input, select):not(:disabled)")?.focus();
    else if (inside) this.#opener?.focus();
  }

  showPreview(index: number): void {
    if (index === this.preview) return;
    this.preview = index;
    this.host.draw();
  }

  async save({ name, state }: FileRow): Promise<void> {
    await this.host.loader.needed();
    const [, base = "0", kind = ""] = /^0*(\d+)\.(\w+)/.exec(name) ?? [];
    const file = state === "not created" ? undefined : this.host.loader.ask((source) => source.download(`file/${base}/${kind}`));
    if (!file) return;
    const url = URL.createObjectURL(file);
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  async copy(): Promise<void> {
    const url = new URL(this.host.link, location.href).href;
    try {
      await navigator.clipboard.writeText(url);
      this.copied = true;
      setTimeout(() => {
        this.copied = false;
        this.host.draw();
      }, 2000);
    } catch {
      this.host.note(`this page may not copy; the link is ${url}`);
    }
    this.host.draw();
  }

  /** Other values than the recorded ones need the model: it is fetched when an input has the focus, or the pointer rests on one. */
  #watchInputs(): void {
    const { loader, root } = this.host;
    const need = () => void loader.needed();
    let rest: ReturnType<typeof setTimeout> | undefined;
    const watch = (type: "focusin" | "pointerover" | "pointerout", then: () => void) =>
      root.addEventListener(type, ({ target }) => {
        if ((target as Element).closest(".input, .try")) then();
      });
    watch("focusin", need);
    watch("pointerover", () => (rest = setTimeout(need, REST_MS)));
    watch("pointerout", () => clearTimeout(rest));
  }

  /** Closes what lies uppermost; false when nothing was open. */
  close(): boolean {
    if (this.sheet) this.toggle(this.sheet);
    else if (this.preview >= 0) this.showPreview(-1);
    else if (this.picked) this.closeInspector();
    else return false;
    return true;
  }
}
