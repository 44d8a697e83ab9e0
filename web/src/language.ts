import type { Code, ErrorCode, Refused } from "cartd-client";
import { makeStore } from "./store.js";
import { dutch } from "./texts/dutch.js";
import { english } from "./texts/english.js";

// The language of the shop's messages. The pages themselves are in English.

export const languages = { en: { name: "English", texts: english }, nl: { name: "Nederlands", texts: dutch } };
export type Language = keyof typeof languages;

const item = "language";
const isLanguage = (name: string | null): name is Language => name !== null && Object.hasOwn(languages, name);

const kept = localStorage.getItem(item);
export const language = makeStore<Language>(isLanguage(kept) ? kept : "en");

export function speak(name: string) {
  if (!isLanguage(name)) return;
  localStorage.setItem(item, name);
  language.set(name);
}

const texts = () => languages[language.get()].texts;

/** The text of an error code at a field. */
export function errorText(of: ErrorCode, label: string): string {
  const { errors, labels } = texts();
  return errors[of.code]?.(of, labels[label] ?? label) ?? of.code; // a code of a later release has no text yet
}

/** The text of a refusal's code; that of the API for a closed store, and for a code of a later release. */
export function codeText(code: Code | null | undefined, message: string): string {
  const { refusals }: { refusals: Partial<Record<Code, string>> } = texts();
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
