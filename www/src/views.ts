/**
 * What the model shows the page: plain data, made in Rust (partition-web's views, partition-figure's recordings).
 * Nothing here is computed in the page; bridge.ts lets the compiler compare these shapes with the generated ones.
 */

/** One shape of a scene. Geometry in integers, tenths of a px, in absolute scene coordinates. */
export interface SceneNode {
  /** Unique in the scene and stable over frames, e.g. `file/6/index`. */
  key: string;
  /** Key of a group that comes earlier in the scene. */
  parent?: string;
  kind: "group" | "rect" | "text" | "path" | "line" | "circle";
  /** Classes of meaning (`record touched`), never a colour. */
  class: string;
  /** rect: left edge; text: anchor; circle: centre; path: origin of `d`; line: start. */
  x: number;
  y: number;
  /** rect: size; line: way to the end; circle: `w` is the radius. */
  w?: number;
  h?: number;
  rx?: number;
  /** Path data in px, relative to (x, y). */
  d?: string;
  anchor?: "start" | "middle" | "end";
  spans?: Span[];
  /** A button can be focused, and inspected by its key. */
  role?: "group" | "button";
  label?: string;
  /** How it appears when its key was not in the scene before. */
  enter?: "fade" | "grow" | "hop" | "walk" | "hatch";
  /** Key of the node from whose right edge it grows. */
  from?: string;
  /** How it leaves; at once when absent. */
  exit?: "fade";
}

/** A picture: nodes in paint order. Size in tenths of a px; the height is the same in all frames of a demo. */
export interface Scene {
  width: number;
  height: number;
  title: string;
  nodes: SceneNode[];
}

/** A piece of a sentence; its class says which thing the operand comes from (log, index, timeindex, touched, deleted, …). */
export interface Span {
  text: string;
  class?: string;
}

/** One of the numbers that stay in sight; `was` is its value before this step, if it changed. */
export interface NumberView {
  label: string;
  value: string;
  was?: string;
}

/** One line of the inspector: position, bytes in hex, field name, decoded value; `answer` for a clause of a decision. */
export interface InspectionRow {
  at?: string;
  hex?: string;
  name: string;
  value: string;
  answer?: string;
}

/** What the inspector shows of a record, an entry, a file or a decision. */
export interface Inspection {
  key: string;
  title: string;
  subtitle: string;
  size?: string;
  sections: { title?: string; rows: InspectionRow[] }[];
  /** The thing's parts to scale; length in bytes. */
  map?: { label: string; length: number; class: string }[];
}

/** A file of the partition at one step. Size in bytes. */
export interface FileRow {
  name: string;
  size: number;
  state: "live" | "deleted" | "not created";
}

/** A node that the reader may choose at a step that asks a question. */
export interface Pick {
  key: string;
  right: boolean;
  answer: Span[];
}

/** One beat of a demo. `index` counts from 0; people and links count from 1. */
export interface StepView {
  index: number;
  scene: Scene;
  sentence: Span[];
  command: string;
  phase: number;
  numbers: NumberView[];
  panel?: Inspection;
  files: FileRow[];
  picks?: Pick[];
}

/** A part of a demo with an id for links; `first` and `last` are step indexes from 0, both inclusive. */
export interface Phase {
  id: string;
  title: string;
  first: number;
  last: number;
}

/** A demo's steps without their pictures. */
export interface Outline {
  demo: string;
  title: string;
  length: number;
  phases: Phase[];
  steps: { sentence: string; command: string; phase: number }[];
  files: { name: string; size: number }[];
  unchecked_expects: number;
}

/** An input that the reader can change; `value` is its default. */
export interface InputInfo {
  name: string;
  label: string;
  kind: "number" | "bytes" | "duration" | "choice";
  value: string;
  min?: number;
  max?: number;
  unit?: string;
  choices?: string[];
}

/** Values of inputs by name. */
export type Inputs = Record<string, string>;

/** A demo of the list, its inputs and values worth trying. */
export interface DemoInfo {
  id: string;
  title: string;
  inputs: InputInfo[];
  tries: { label: string; inputs: Inputs }[];
}

/** The words of a sentence without its classes. */
export const plain = (spans: readonly Span[]): string => spans.map((span) => span.text).join("");
