// Stands in every document of a test before its own scripts: remembers what happens there, and answers the tests' questions.
(() => {
  const events = [];
  const violations = [];
  const shifts = [];
  for (const type of ["pod-ready", "pod-step", "pod-play", "pod-pause", "pod-demo", "pod-error"]) {
    const record = ({ detail, timeStamp, target }) => {
      // At its first pod-ready an element has its picture, and nothing yet of what arrives late.
      events.push({ type, timeStamp, height: target.getBoundingClientRect().height, ...detail });
    };
    addEventListener(type, record, true);
  }
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    violations.push(`${effectiveDirective} ${blockedURI}`);
  });
  new PerformanceObserver((list) => {
    for (const { value, sources, hadRecentInput } of list.getEntries()) {
      // The names under the timeline may change places at a reader's step: nodes inside the element are not listed here.
      const outside = sources.filter(({ node }) => node || !hadRecentInput);
      if (!outside.length) continue;
      const moved = outside.map(({ node, previousRect: a, currentRect: b }) => {
        const name = node?.nodeType === 3 ? `“${node.data.trim().slice(0, 40)}”` : `${node?.localName}.${node?.className}`;
        return `${name} from ${a.x},${a.y} ${a.width}×${a.height} to ${b.x},${b.y} ${b.width}×${b.height}`;
      });
      shifts.push({ value, moved });
    }
  }).observe({ type: "layout-shift", buffered: true });

  /** The element under test: the first one, unless a test says otherwise. */
  const one = () => document.querySelector(probe.selector);
  const root = () => one().shadowRoot;
  const $ = (selector) => root().querySelector(selector);

  /** Waits for a condition, looked at once a frame. */
  const until = async (condition, what = String(condition)) => {
    const end = performance.now() + 8000;
    for (;;) {
      const value = condition();
      if (value) return value;
      if (performance.now() > end) throw new Error(`in 8 s it never came that ${what}`);
      await new Promise(requestAnimationFrame);
    }
  };
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));

  const moving = () => $(".scene svg").getAnimations({ subtree: true });
  /** Ends the motion that a step started. */
  const settle = async () => {
    for (const animation of moving()) animation.finish();
    await until(() => !moving().length, "the picture stands still");
  };

  const range = () => $("input[type=range]");
  const shown = () => !!one()?.shadowRoot?.querySelector("[part=scene] svg [data-key]");

  /** True when the picture is drawn for just the width that it has, by the model or by a recording that fits. */
  const exact = () => {
    const svg = $(".scene svg");
    return Math.abs(svg.viewBox.baseVal.width - svg.getBoundingClientRect().width) < 1;
  };

  /** What a reader sees besides the picture. */
  const read = () => {
    const narration = $("[part=narration]");
    const box = one().getBoundingClientRect();
    const slider = range();
    return {
      step: slider ? Number(slider.value) : 0,
      steps: slider ? Number(slider.max) : 0,
      sentence: narration.textContent,
      live: narration.getAttribute("aria-live"),
      count: $(".cnt")?.textContent ?? "",
      valuetext: slider?.getAttribute("aria-valuetext") ?? "",
      notes: [...root().querySelectorAll(".note")].map((note) => note.textContent),
      width: box.width,
      height: box.height,
      sideways: document.documentElement.scrollWidth - innerWidth,
    };
  };

  /** All words of a step: sentence, picture, inspector, numbers. */
  const words = () => {
    const picture = [...$(".scene svg").querySelectorAll("text")].map((text) => text.textContent);
    const cells = [...root().querySelectorAll(".insp :is(h3, .sub, th, td, .hx, .nm, .vl, dt, dd)")].map((cell) => cell.textContent);
    return [$("[part=narration]").textContent, ...picture, ...cells].map((text) => text.replace(/\s+/g, " ").trim());
  };

  /** The numbers that stay in sight, without what they were before. */
  const numbers = () => {
    const value = (cell) => [...cell.childNodes].filter(({ nodeType, localName }) => nodeType !== Node.COMMENT_NODE && localName !== "s").map((part) => part.textContent).join("");
    const pairs = [...root().querySelectorAll(".four > div")];
    return Object.fromEntries(pairs.map((pair) => [pair.querySelector("dt").textContent, value(pair.querySelector("dd")).trim()]));
  };

  /** The texts of the picture: the box of their ink (capitals and descenders, not the line), their size on screen, and how they lie in the picture. */
  const texts = () => {
    const svg = $(".scene svg");
    const frame = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("text")]
      .filter((text) => text.textContent.trim() && getComputedStyle(text).visibility !== "hidden")
      .map((text) => {
        const { a: scale } = text.getScreenCTM();
        const box = text.getBoundingClientRect();
        const sizes = [text, ...text.children].map((part) => parseFloat(getComputedStyle(part).fontSize) * scale);
        const most = Math.max(...sizes);
        const base = frame.y + Number(text.getAttribute("y")) * scale;
        return {
          text: text.textContent,
          key: text.dataset.key,
          size: Math.min(...sizes),
          left: box.x - frame.x,
          right: box.right - frame.x,
          top: base - 0.73 * most - frame.y,
          bottom: base + 0.21 * most - frame.y,
          width: frame.width,
          height: frame.height,
        };
      });
  };

  /** The picture as text: every mark with its attributes, in paint order. */
  const picture = () =>
    [...$(".scene svg").querySelectorAll("[data-key]")]
      .map((mark) => {
        // The tab stop moves with the reader; the rest is what a mark without the attribute has.
        const matters = ({ name, value }) => !["tabindex", "text-anchor=start", "rx=0"].some((same) => same === name || same === `${name}=${value}`);
        const attributes = [...mark.attributes].filter(matters).map(({ name, value }) => `${name}=${value}`);
        return `${mark.localName} ${attributes.sort().join(" ")} ${mark.localName === "text" ? mark.textContent : ""}`;
      })
      .join("\n");

  /** Where to click an element: its centre, brought into view. */
  const target = (element) => {
    if (!element) throw new Error("there is nothing to click");
    element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const box = element.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    let hit = document.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    // In the picture what is hit may be the label on a shape: both belong to one button.
    const ours = (one) => one.closest("[role=button]") ?? one;
    if (!hit || !(ours(element).contains(hit) || hit.contains(element))) {
      throw new Error(`${hit?.localName}.${hit?.getAttribute("class")} covers ${element.localName}.${element.getAttribute("class")}`);
    }
    return [x, y];
  };

  /** The innermost element that has the focus. */
  const focused = () => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active;
  };

  const button = (name) =>
    [...root().querySelectorAll("button")].find((one) => (one.getAttribute("aria-label") ?? one.textContent.trim()) === name);

  const probe = { selector: "partition-on-disk", events, violations, shifts, one, root, $, until, frame, moving, settle, range, shown, exact, read, words, numbers, texts, picture, target, focused, button };
  Object.defineProperty(globalThis, "probe", { value: probe });
})();
