/** The host's theme: an element with theme="auto" follows the page it stands in, by the marks that documentation sites use. */

export type Theme = "light" | "dark";

/** The nearest mark around `element` that says light or dark, else what the system prefers. */
export function themeAround(element: Element): Theme {
  for (let at: Element | null = element.parentElement; at; at = at.parentElement) {
    const word = at.getAttribute("data-theme") ?? at.getAttribute("data-md-color-scheme") ?? "";
    if (/dark|slate|night/.test(word)) return "dark";
    if (/light|default/.test(word)) return "light";
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
    const tell = () => listeners.forEach((listener) => listener());
    const observer = new MutationObserver(tell);
    const marks = { attributes: true, attributeFilter: ["data-theme", "data-md-color-scheme", "class"] };
    for (const root of [document.documentElement, document.body]) if (root) observer.observe(root, marks);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  }
  return () => listeners.delete(changed);
}
