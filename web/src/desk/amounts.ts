import { config } from "./config.js";
import { locale } from "../shared/t.js";

// Amounts as people type them. All of them are integers of cents.

const grouped = /^\d{1,3}([.,' \u00a0\u202f])\d{3}(\1\d{3})*$/;

/** The cents of a typed amount, as `12,50`, `12.50`, `1.234,50` or `€ 12`; null if it is none. */
export function parseAmount(typed: string): number | null {
  const text = typed.replace(/^\s*(€|EUR)?\s*/i, "").replace(/\s*(€|EUR)?\s*$/i, "");
  const [, whole = "", mark, cents = ""] = /^(.*?)(?:([.,])(\d{1,2}))?$/.exec(text)!;
  const group = grouped.exec(whole)?.[1];
  if (!/^\d+$/.test(whole) && (group === undefined || group === mark)) return null;
  const value = Number(whole.replace(/\D/g, "")) * 100 + Number(cents.padEnd(2, "0"));
  return Number.isSafeInteger(value) ? value : null;
}

/** An amount as a field has it, without a sign of the currency. */
export function fieldAmount(amount: number | null): string {
  if (amount === null) return "";
  return new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: false }).format(amount / 100);
}

/** An amount without cents, for the marks of a chart; in millions as €5M. */
export const rounded = (amount: number): string =>
  new Intl.NumberFormat(locale, {
    style: "currency",
    currency: config.currency,
    maximumFractionDigits: 0,
    notation: amount < 100_000_000 ? "standard" : "compact",
  }).format(Math.round(amount / 100));

/** The number of a typed quantity; null if it is none. */
export function parseQuantity(typed: string): number | null {
  const text = typed.trim().replace(",", ".");
  return /^\d+(\.\d{1,3})?$/.test(text) ? Number(text) : null;
}
