import type { components } from "./api.js";

export type Money = components["schemas"]["Money"];

/** An amount for people, as `€ 4.537,00`. Exact for every amount of the API. */
export function formatMoney(money: Money, locale?: string): string {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency: money.currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  const minor = String(Math.abs(money.amount)).padStart(digits + 1, "0");
  const whole = minor.slice(0, minor.length - digits);
  const decimal = `${money.amount < 0 ? "-" : ""}${whole}.${minor.slice(minor.length - digits) || "0"}`;
  return format.format(decimal as Intl.StringNumericLiteral); // a number would lose cents of large amounts
}
