/** The host's theme: an element with theme="auto" follows the page it stands in, by the attributes and classes that documentation sites set. */

export type Theme = "light" | "dark";

/** What the nearest element around `element` says: light or dark, else what the system prefers. */
export function themeAround(element: Element): Theme {
  for (let at: Element | null = element.parentElement; at; at = at.parentElement) {
    const theme = at.getAttribute("data-theme") ?? at.getAttribute("data-md-color-scheme") ?? "";
    if (/dark|slate|night/.test(theme)) return "dark";
    if (/light|default/.test(theme)) return "light";
    if (at === document.documentElement) {
      // VitePress says `dark`; mdBook names its theme: light, rust, coal, navy, ayu.
      if (/\b(dark|coal|navy|ayu)\b/.test(at.className)) return "dark";
      if (/\b(light|rust)\b/.test(at.className)) return "light";
    }
  }
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

const listeners = new Set<() => void>();
let watching = false;

/** Calls back when the page's theme may have changed; one observer for all elements. Returns how to stop. */
export function watchTheme(changed: () => void): () => void {
  listeners.add(changed);
  if (!watching) {
    watching = true;
    const notify = () => listeners.forEach((listener) => listener());
    const observer = new MutationObserver(notify);
    const watched = { attributes: true, attributeFilter: ["data-theme", "data-md-color-scheme", "class"] };
    for (const root of [document.documentElement, document.body]) if (root) observer.observe(root, watched);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", notify);
  }
  return () => listeners.delete(changed);
}
