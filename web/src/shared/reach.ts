import { makeStore } from "./store.js";

// Whether cartd can be reached, as the requests of this page have found it.

/** How many requests in a row have found nobody who could answer. */
export const unreached = makeStore(0);

/** Notes the status of an answer; 0 if none came. */
export function noteAnswer(status: number) {
  const reached = status !== 0 && status !== 502 && status !== 503 && status !== 504;
  if (!reached) unreached.set(unreached.get() + 1);
  else if (unreached.get() > 0) unreached.set(0);
}

/** Loads the page again if it can be reached: a browser keeps for as long as the page lives that one of its scripts has not come. */
export async function loadPageAgain(): Promise<void> {
  try {
    if ((await fetch(location.pathname, { cache: "no-store" })).ok) location.reload();
  } catch {
    // the network is away
  }
}

/** Calls `back` when the network or cartd is back. Returns the function that ends it. */
export function onReturn(back: () => void): () => void {
  let away = unreached.get() > 0;
  const stop = unreached.subscribe((count) => {
    if (away && count === 0) back();
    away = count > 0;
  });
  addEventListener("online", back);
  return () => {
    stop();
    removeEventListener("online", back);
  };
}
