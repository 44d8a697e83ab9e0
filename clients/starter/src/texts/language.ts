import type { ErrorCode } from "cartd-client";
import { codeErrors, messages, refusals, type Row } from "./messages";
import { words, type Word } from "./words";

export const languages = ["en", "nl"] as const;
export type Language = (typeof languages)[number];

type Values = Record<string, string | number | undefined>;

const units: Record<string, Row> = { characters: [" characters", " tekens"], bytes: [" bytes", " bytes"], items: [" entries", " regels"] };

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
  const date = (time: string) => new Date(time).toLocaleString(language, { dateStyle: "medium", timeStyle: "short", timeZone: "Europe/Amsterdam" });
  const country = (code: string) => new Intl.DisplayNames(language, { type: "region" }).of(code) ?? code;
  return { language, word, named, message, refusal, codeError, date, country };
}
