/** What happens around an element: its width, whether it is in view, printing, the page's theme. */
import { watchTheme } from "./theme.js";

export interface Surroundings {
  /** The element's width in px is another. */
  resized(width: number): void;
  /** The element has come near the view, or has left it; a hidden tab has nothing in view. */
  viewed(visible: boolean): void;
  /** The page is about to be printed. */
  printing(): void;
  /** The page's theme may be another. */
  themed(): void;
}

/** Watches on an element's behalf. Returns how to stop. */
export function watchSurroundings(element: Element, on: Surroundings): () => void {
  const size = new ResizeObserver(([entry]) => on.resized(entry!.contentRect.width));
  size.observe(element);
  const view = new IntersectionObserver(([entry]) => on.viewed(entry!.isIntersecting), { rootMargin: "200px" });
  view.observe(element);
  const hidden = () => on.viewed(!document.hidden);
  const print = () => on.printing();
  document.addEventListener("visibilitychange", hidden);
  addEventListener("beforeprint", print);
  const forgetTheme = watchTheme(() => on.themed());
  return () => {
    size.disconnect();
    view.disconnect();
    document.removeEventListener("visibilitychange", hidden);
    removeEventListener("beforeprint", print);
    forgetTheme();
  };
}
