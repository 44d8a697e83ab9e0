import { config } from "app/config.js";
import { keeper, languages, type Language } from "app/languages.js";
import type { Code, ErrorCode, Refused } from "cartd-client";
import { loadPageAgain } from "./reach.js";
import { makeStore } from "./store.js";
import { preferred, speakIn, t } from "./t.js";

// The language of the page: the one that the visitor chose, else the first of the browser's that the page has, else English. Each has a script of its own.

const item = "language";
const isLanguage = (name: string | null | undefined): name is Language => name != null && Object.hasOwn(languages, name);

const kept = keeper.getItem(item);
export const language = makeStore<Language>(isLanguage(kept) ? kept : (preferred(navigator.languages, isLanguage) ?? "en"));

const pause = 2000;

/** Loads the texts of a language, and speaks it from then on. Where they do not come, it tries again. */
async function load(name: Language): Promise<void> {
  for (;;) {
    try {
      speakIn(await languages[name].load(), config.locale.startsWith(name) ? config.locale : name);
      document.documentElement.lang = name;
      return language.set(name);
    } catch {
      await new Promise((done) => setTimeout(done, pause));
      await loadPageAgain();
    }
  }
}

/** Loads the language of this browser. Nothing can be drawn before. */
export const loadLanguage = (): Promise<void> => load(language.get());

export function speak(name: string) {
  if (!isLanguage(name)) return;
  keeper.setItem(item, name);
  void load(name);
}

/** The text of an error code at a field. */
export const errorText = (of: ErrorCode, label: string): string => t.errors[of.code]?.(of, label) ?? of.code; // a code of a later release has no text yet

/** The text of a refusal's code; that of the API for a closed store, and for a code of a later release. */
export function codeText(code: Code | null | undefined, message: string): string {
  const { refusals }: { refusals: Partial<Record<Code, string>> } = t;
  return (code != null && refusals[code]) || message;
}

/** The text of a whole refusal; the API's own where the shop has none. */
export function refusalText(of: Refused): string {
  const codes = Object.entries(of.errorCodes).flatMap(([path, all]) => all.map((one) => errorText(one, nameOf(path))));
  if (codes.length > 0) return codes.join(" ");
  return codeText(of.code, of.message);
}

/** A name for a field that the page does not show: the last part of its path. */
function nameOf(path: string): string {
  const words = (path.split(".").at(-1) ?? path).split("_").join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
