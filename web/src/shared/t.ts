import type { Texts } from "app/texts/texts.js";

// The texts of the chosen language. They are there before the first view is drawn.

export let t: Texts = undefined!;

/** How amounts, dates and countries are written. */
export let locale = "en-IE";

export function speakIn(texts: Texts, written: string) {
  t = texts;
  locale = written;
}

/** What is made once for each locale. */
export function perLocale<T>(make: (locale: string) => T): () => T {
  let made: T;
  let of = "";
  return () => {
    if (of !== locale) made = make((of = locale));
    return made;
  };
}

/** The first of the browser's languages that a shop has, by its code; undefined if it has none. */
export const preferred = <L extends string>(wanted: readonly string[], has: (code: string | undefined) => code is L): L | undefined =>
  wanted.map((one) => one.split("-")[0]?.toLowerCase()).find(has);
