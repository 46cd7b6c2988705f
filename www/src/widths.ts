/** The widths that the element and its picture have. */
import RECORDED from "./recorded-widths.json";

export type Arrangement = "stacked" | "columns" | "open";
export type Controls = "full" | "mini" | "none";

/** Px beside the picture, left and right of it together. */
const INSET = 8;

export const arrangementOf = (width: number): Arrangement =>
  width < 600 ? "stacked" : width < 1040 ? "columns" : "open";

/** Px that the rail and the inspector take in the open arrangement; narrower where the picture would fall below 600. */
export const sidesOf = (width: number): [rail: number, inspector: number] => (width < 1160 ? [184, 240] : [208, 280]);

/** Px that the picture gets. */
export function sceneWidth(width: number, controls: Controls): number {
  const [rail, side] = controls === "full" && arrangementOf(width) === "open" ? sidesOf(width) : [0, 0];
  return Math.max(280, Math.floor(width) - rail - side - INSET);
}

/** The recorded width for a scene so many px wide: the widest that fits in, since a picture made smaller has text under 12 px. */
export const recordedWidth = (width: number): number => RECORDED.findLast((recorded) => recorded <= width) ?? RECORDED[0]!;

/** Whether a picture leaves less than a fifth of its place empty, as a recording does at any usual width. */
export const fills = (picture: number, width: number): boolean => picture <= width && picture > width * 0.8;
