import type { Texts } from "./texts/texts.js";

interface Spoken {
  name: string;
  load(): Promise<Texts>;
}

export const languages = {
  en: { name: "English", load: async () => (await import("./texts/english.js")).english },
  nl: { name: "Nederlands", load: async () => (await import("./texts/dutch.js")).dutch },
  de: { name: "Deutsch", load: async () => (await import("./texts/german.js")).german },
} satisfies Record<string, Spoken>;
export type Language = keyof typeof languages;

/** Where the choice of the language is kept. The desk leaves nothing behind when its tab is closed. */
export const keeper = sessionStorage;
