import { config } from "app/config.js";
import { formatMoney, type components, type Money } from "cartd-client";
import { locale, perLocale } from "./t.js";

// How amounts, quantities and times are written.

export type { Money };
/** The unit of a quantity. */
export type Unit = components["schemas"]["Product"]["unit"];

export const money = (value: Money): string => formatMoney(value, locale);

/** An amount in cents, as steps and breakdowns have it. */
export const cents = (amount: number): string => money({ amount, currency: config.currency });

const units: Record<Unit, string> = { piece: "", kg: "kg", g: "g", l: "l", m: "m", m2: "m²", m3: "m³", hour: "h" };

/** The sign of a unit; nothing for pieces. */
export const unitSign = (unit: Unit): string => units[unit];

const numbers = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }));

/** A quantity with its unit, as `2.5 m`. */
export function quantity(value: number, unit: Unit = "piece"): string {
  return [numbers().format(value), units[unit]].filter(Boolean).join(" ");
}

const dates = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "long" }));

export const date = (time: string): string => dates().format(new Date(time));

/** A day like `2027-05-12`, as `12 May 2027` wherever the visitor is. */
export const day = (text: string): string => date(`${text}T12:00`);

const times = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" }));

/** A time with its date. */
export const time = (at: string): string => times().format(new Date(at));
