/** One step on screen: its picture, the motion that leads there, its sentence. */
import { cssTimeMs } from "./css-time.js";
import type { Motion } from "./motion.js";
import { Narration } from "./narration.js";
import { SceneView } from "./scene.js";
import type { Span, StepView } from "./views.js";

export class StepDisplay {
  readonly picture = new SceneView();
  readonly narration = new Narration();
  /** Arrives with the late parts; until then a step is shown at once. */
  motion: Motion | undefined;
  /** The step on screen. */
  shown: StepView | undefined;
  /** Said before the next sentence. */
  answer: Span[] = [];

  /** Shows a step that comes `by` steps after the one on screen; `silent` leaves it to be spoken later. Returns the length of the motion in ms. */
  show(view: StepView, by: number, silent: boolean, speed: number): number {
    this.finish();
    this.shown = view;
    const motion = Math.abs(by) === 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches ? this.motion : undefined;
    const change = this.picture.apply(view.scene, by > 0 ? motion?.late : undefined);
    let ms = 0;
    if (motion) {
      const stepMs = cssTimeMs(getComputedStyle(this.picture.svg).getPropertyValue("--pod-step-ms")) ?? 0;
      ms = motion.run(change, by > 0, Math.max(0, stepMs), speed);
    } else {
      this.picture.removeLeaving();
    }
    const answer = this.answer.length ? [...this.answer, { text: " " }] : [];
    this.answer = [];
    this.narration.show([...answer, ...view.sentence], silent);
    return ms;
  }

  /** Puts another picture of the same step in the place of the one on screen. */
  replace(view: StepView): void {
    if (view.scene === this.shown?.scene) return;
    this.finish();
    this.picture.apply(view.scene);
    this.picture.removeLeaving();
    this.shown = view;
  }

  /** Ends a running motion at once. */
  finish(): void {
    this.motion?.finish();
  }
}
