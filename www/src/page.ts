/** Entry of `page.js`: the little that the page adds to the element. It loads last; every part of the page works without it. */
// The chapter in view is marked in the list of chapters; a link to a chapter works without this.
const links = new Map(
  [...document.querySelectorAll<HTMLAnchorElement>("nav[data-chapters] a[href^='#']")].map((link) => [link.hash.slice(1), link]),
);
const inView = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      for (const [id, link] of links) {
        if (id === target.id) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    }
  },
  { rootMargin: "-10% 0px -80% 0px" },
);
for (const id of links.keys()) {
  const chapter = document.getElementById(id);
  if (chapter) inView.observe(chapter);
}

// The theme button, if the page has one: auto, light, dark, remembered on this device only.
const THEMES = ["auto", "light", "dark"];
const button = document.querySelector<HTMLButtonElement>("button[data-theme-switch]");
const apply = (theme: string): void => {
  if (theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.dataset["theme"] = theme;
  if (button) button.textContent = `Theme: ${theme}`;
};
if (button) {
  button.hidden = false;
  let theme = "auto";
  try {
    theme = localStorage.getItem("pod-theme") ?? theme;
  } catch {
    // Storage may be refused; the choice then lasts as long as the page.
  }
  apply(theme);
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
    apply(theme);
    try {
      localStorage.setItem("pod-theme", theme);
    } catch {
      // As above.
    }
  });
}

// A link to a state of the element that follows the address brings it into view, ready for Next; the element itself reads the address.
const follower = document.querySelector("partition-on-disk[hash-sync]");
document.addEventListener("click", ({ target }) => {
  if (!follower || !(target as Element).closest("a[href^='#v1/']")) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  follower.scrollIntoView({ behavior: still ? "auto" : "smooth", block: "start" });
  follower.shadowRoot?.getElementById("next")?.focus({ preventScroll: true });
});
