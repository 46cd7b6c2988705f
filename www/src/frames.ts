/** Where the page gets pictures from: one interface, two sources (a recording, or the model itself in wasm). */
import type { DemoInfo, Inputs, Panel, Outline, StepView } from "./views.js";

export interface FrameSource {
  /** True when the source can answer for other inputs and widths, inspect, and hand out files. */
  readonly live: boolean;
  /** False while panels, numbers and files of a recording are on their way. */
  readonly complete: boolean;
  readonly info: DemoInfo;
  readonly outline: Outline;
  /** The inputs in force; those left out have their defaults. */
  readonly inputs: Inputs;
  /** The step at `index` (from 0), drawn for a scene `width` px wide (a recording has one width). */
  step(index: number, width: number): StepView;
  /** The bytes behind a key, at the step asked for last; undefined where the source has none. */
  inspect(key: string): Panel | undefined;
  /** A file as Kafka would find it on disk, at the step asked for last. */
  download(key: string): Blob | undefined;
  /** Frees what the source holds outside the garbage collector. */
  close(): void;
}
