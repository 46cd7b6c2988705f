/** What the first frame and the first Next can do without: fetched right after, as one more file. */
export { loadEngine } from "./bridge.js";
export { Desk } from "./desk.js";
export { inspector } from "./inspector.js";
export { take } from "./kit.js";
export { Motion } from "./motion.js";
export { extraButtons, openSheet, textVersion, tip } from "./sheets.js";
export { lateStyles } from "./styles-late.js";
