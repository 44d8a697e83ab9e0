import { perLocale } from "../shared/t.js";

// Times, as short as a list needs them.

const clocks = perLocale((locale) => new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }));
const days = perLocale((locale) => new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }));
const years = perLocale((locale) => new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" }));
const weekdays = perLocale((locale) => new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short" }));

const sameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString();

/** A moment: of today its time, of this year its day with the time, else the day. */
export function when(at: string): string {
  const [then, now] = [new Date(at), new Date()];
  if (sameDay(then, now)) return clocks().format(then);
  if (then.getFullYear() === now.getFullYear()) return `${days().format(then)}, ${clocks().format(then)}`;
  return years().format(then);
}

export const day = (at: string): string => years().format(new Date(at));

export const weekday = (at: string | Date): string => weekdays().format(new Date(at));

/** A time as a field of the type datetime-local has it. */
export function fieldTime(at: string | null): string {
  if (at === null) return "";
  const then = new Date(at);
  return new Date(then.getTime() - then.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The time of a field of the type datetime-local; null if it is empty. */
export const timeOf = (typed: string): string | null => (typed === "" ? null : new Date(typed).toISOString().replace(".000Z", "Z"));
