/** What the first frame and the first Next can do without: fetched right after, as one more file. */
export { loadEngine } from "./bridge.js";
export { receive } from "./first-bundle.js";
export { inspector } from "./inspector.js";
export { Interaction } from "./interaction.js";
export { Keyboard } from "./keyboard.js";
export { Motion } from "./motion.js";
export { extraButtons, openSheet, textVersion, tip } from "./sheets.js";
export { lateStyles } from "./styles-late.js";
