/** Stands in the page's head as it is: the recording that the page opens on is fetched beside the script that plays it, not after it. */
import { FIRST_DEMO } from "./link.js";
import { recordedWidth, sceneWidth } from "./widths.js";

/** Px that page.css leaves beside the element, and the most that it gives it. */
const [GUTTERS, MOST] = [24, 1200];
/** Px, of the widest in use. */
const SCROLL_BAR = 17;

const demo = /^#v1\/([a-z0-9-]+)/.exec(location.hash)?.[1] ?? FIRST_DEMO;
// Nothing is laid out yet that would have a scroll bar. On a phone it lies over the page.
const bar = innerWidth < 600 ? 0 : SCROLL_BAR;
const width = sceneWidth(Math.min(MOST, innerWidth - bar - GUTTERS), "full");
const link = document.createElement("link");
link.rel = "preload";
link.as = "fetch";
link.crossOrigin = "anonymous";
link.setAttribute("href", `recordings/${demo}.${recordedWidth(width)}.json`);
document.head.append(link);
