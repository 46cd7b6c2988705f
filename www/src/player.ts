/** The cursor over a demo's steps, and the clock that moves it while playing. Knows nothing of pictures. */
import type { Phase } from "./views.js";

/** Timers, passed in so that tests own the time. */
export interface Timers {
  set(run: () => void, ms: number): unknown;
  clear(id: unknown): void;
}

/** What the player asks of whoever draws. */
export interface Stage {
  /** Show step `index`; `from` is the one shown before. Returns how long its motion takes, in ms. */
  show(index: number, from: number): number;
  /** Ends a running motion at once. */
  finish(): void;
  /** The words of a step's sentence, for the dwell. */
  words(index: number): number;
  /** Playing or not has changed; `phaseEnd` when it stopped because a phase ended. */
  changed(playing: boolean, phaseEnd: boolean): void;
}

export const SPEEDS = [0.5, 1, 2, 4] as const;

/** Time to read a sentence: 0.2 s a word, at least 1.6 s, at most 4 s. */
export const dwellMs = (words: number): number => Math.min(4000, Math.max(1600, words * 200));

export class Player {
  /** Index of the step shown, from 0. */
  index = 0;
  playing = false;
  speed = 1;
  /** Go on from the end to the start, and over the ends of phases. */
  loop = false;
  #length = 1;
  #phases: Phase[] = [];
  #first = 0;
  #last = 0;
  #timer: unknown;

  constructor(
    private readonly stage: Stage,
    private readonly timers: Timers = { set: (run, ms) => setTimeout(run, ms), clear: (id) => clearTimeout(id as number) },
  ) {}

  /** Takes over another demo, or the same with other inputs, and shows step `index`. `first` and `last` bound the steps (inclusive). */
  load(length: number, phases: Phase[], index: number, first = 0, last = length - 1): void {
    this.#stop(false);
    this.#length = Math.max(1, length);
    this.#phases = phases;
    this.#first = clamp(first, 0, this.#length - 1);
    this.#last = clamp(last, this.#first, this.#length - 1);
    this.index = clamp(index, this.#first, this.#last);
    this.stage.show(this.index, this.index);
  }

  /** First and last step that can be reached. */
  get range(): [first: number, last: number] {
    return [this.#first, this.#last];
  }

  /** Index of the phase of a step, -1 when the demo has none. */
  phaseAt(index: number): number {
    return this.#phases.findIndex((phase) => phase.first <= index && index <= phase.last);
  }

  /** Next; what moves is at its end with that. */
  next(): void {
    this.#stop(false);
    this.stage.finish();
    this.#go(this.index + 1);
  }

  back(): void {
    this.seek(this.index - 1);
  }

  seek(index: number): void {
    this.#stop(false);
    this.#go(index);
  }

  /** One phase on (1) or back (-1); back from inside a phase goes to its own start first. */
  seekPhase(direction: 1 | -1): void {
    const starts = this.#phases.map((phase) => phase.first);
    const target =
      direction > 0
        ? starts.find((first) => first > this.index)
        : starts.reverse().find((first) => first < this.index);
    this.seek(target ?? (direction > 0 ? this.#last : this.#first));
  }

  play(): void {
    if (this.playing) return;
    this.playing = true;
    this.stage.changed(true, false);
    this.stage.finish();
    if (this.index >= this.#last) this.#go(this.#first);
    else this.#go(this.index + 1);
    this.#schedule(this.#motion);
  }

  pause(): void {
    this.#stop(false);
  }

  #motion = 0;

  #go(index: number): void {
    const from = this.index;
    this.index = clamp(index, this.#first, this.#last);
    this.#motion = this.index === from ? 0 : this.stage.show(this.index, from);
  }

  #schedule(motionMs: number): void {
    const wait = motionMs + dwellMs(this.stage.words(this.index)) / this.speed;
    const ends = this.index >= this.#last || this.#phases.some((phase) => phase.last === this.index);
    if (ends && !this.loop) {
      // The reader has time to read where the phase ended: the button turns back at once, nothing waits.
      this.#timer = this.timers.set(() => this.#stop(true), motionMs);
      return;
    }
    this.#timer = this.timers.set(() => {
      this.#go(this.index >= this.#last ? this.#first : this.index + 1);
      this.#schedule(this.#motion);
    }, wait);
  }

  #stop(phaseEnd: boolean): void {
    this.timers.clear(this.#timer);
    this.#timer = undefined;
    if (!this.playing) return;
    this.playing = false;
    this.stage.changed(false, phaseEnd);
  }
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, Math.trunc(value) || 0));
