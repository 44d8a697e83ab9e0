// Where the visitor was on each page of the tab's history. Going back, and loading the page again, leads there; a new page begins at its top.

interface Place {
  y: number;
  /** The link that led away, which gets the focus again. */
  link?: string;
}

history.scrollRestoration = "manual";

const pause = 100; // milliseconds after the last movement
let timer: ReturnType<typeof setTimeout> | undefined;
/** The kept place of the page that the tab came to; null for a new one. */
let kept = history.state as Place | null;
let stop = () => {};

const keep = (place: Place) => history.replaceState(place, "");

addEventListener(
  "scroll",
  () => {
    clearTimeout(timer);
    timer = setTimeout(() => keep({ ...(history.state as Place | null), y: scrollY }), pause);
  },
  { passive: true },
);

addEventListener(
  "click",
  ({ target }) => {
    const link = target instanceof Element ? target.closest("a")?.getAttribute("href") : null;
    if (link) keep({ y: scrollY, link });
  },
  { capture: true },
);

addEventListener("hashchange", () => {
  clearTimeout(timer);
  stop();
  kept = history.state as Place | null;
  if (kept) restore(kept);
});

/** Whether the tab came back to this page, so that its place is found again. */
export const cameBack = (): boolean => kept !== null;

const patience = 5000; // milliseconds for the page to grow as long as it was

/** Whether the page still shows what was before, or nothing yet. */
const waits = () => document.querySelector("main [aria-busy=true]") !== null;

/** Goes to a kept place, as soon as the page is long enough and shows what it is asked for. What the visitor does ends it. */
function restore({ y, link }: Place) {
  const found = () => [...document.querySelectorAll("a")].find((one) => one.getAttribute("href") === link);
  const go = () => {
    if (waits()) return;
    scrollTo({ top: y, behavior: "instant" });
    if (link && document.activeElement?.matches("body, main")) found()?.focus({ preventScroll: true });
    if (Math.abs(scrollY - y) < 2 && (!link || found())) stop();
  };
  const grown = new ResizeObserver(go);
  const filled = new MutationObserver(go);
  const ends = ["wheel", "touchstart", "keydown", "pointerdown"];
  const late = setTimeout(() => stop(), patience);
  stop = () => {
    grown.disconnect();
    filled.disconnect();
    clearTimeout(late);
    for (const one of ends) removeEventListener(one, stop);
    stop = () => {};
  };
  for (const one of ends) addEventListener(one, stop, { once: true });
  grown.observe(document.body);
  filled.observe(document.body, { childList: true, subtree: true, attributeFilter: ["aria-busy"] });
}

if (kept) restore(kept);
