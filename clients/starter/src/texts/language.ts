import type { ErrorCode } from "cartd-client";
import { codeErrors, messages, reasons, refusals, type Row } from "./messages";
import { words, type Word } from "./words";

export const languages = ["en", "nl"] as const;
export type Language = (typeof languages)[number];

type Values = Record<string, string | number | undefined>;

const units: Record<string, Row> = { characters: [" characters", " tekens"], bytes: [" bytes", " bytes"], items: [" entries", " regels"] };

/** The times of this shop. The browser needs it too: that is why its name begins with NEXT_PUBLIC. */
const timeZone = process.env.NEXT_PUBLIC_TIME_ZONE || "Europe/Amsterdam";

/** The language of a browser's wish, or of a cookie. */
export function languageOf(wish: string | null): Language {
  const first = (wish ?? "").toLowerCase();
  return languages.find((one) => first.startsWith(one)) ?? languages[0];
}

/** The language of the page that a script runs in. */
export function pageLanguage(): Language {
  return languageOf(globalThis.document?.documentElement.lang ?? null);
}

/** All texts in one language. It works on the server and in the browser. */
export function textsIn(language: Language) {
  const pick = (row: Row) => row[languages.indexOf(language)]!;
  const fill = (row: Row, values: Values) => pick(row).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
  const word = (name: Word, values: Values = {}) => fill(words[name], values);
  /** The word of a name that cartd has sent; the name itself if there is none. */
  const named = (name: string) => (name in words ? word(name as Word) : name);
  const message = (error: ErrorCode, field: string) => {
    const label = "label" in error && error.label ? String(error.label) : named(field.split(".").at(-1)!);
    const unit = "unit" in error && error.unit ? pick(units[error.unit]!) : "";
    return fill(messages[error.code], { ...(error as unknown as Values), label, unit });
  };
  const refusal = (code: string) => (refusals[code] ? pick(refusals[code]) : null);
  const codeError = (error: string) => (codeErrors[error] ? pick(codeErrors[error]) : error);
  /** Why a line cannot be ordered: a code of cartd, or its message. */
  const reason = (code: string) => (reasons[code] ? pick(reasons[code]) : (refusal(code) ?? code));
  const date = (time: string) => new Date(time).toLocaleString(language, { dateStyle: "medium", timeStyle: "short", timeZone });
  /** A day like 2027-05-12. */
  const day = (text: string) => new Date(text).toLocaleDateString(language, { dateStyle: "medium", timeZone: "UTC" });
  /** When goods that are not there yet are sent. */
  const ships = (from: string | null) => (from === null ? word("ships_later") : word("ships_from", { date: day(from) }));
  const country = (code: string) => new Intl.DisplayNames(language, { type: "region", fallback: "code" }).of(code) ?? code;
  return { language, word, named, message, refusal, codeError, reason, date, ships, country };
}
