import { Shop, formatMoney, type Money, type components } from "cartd-client";
import { config } from "./config.js";
import { recordingFetch } from "./recorder.js";
import { locale, perLocale } from "./t.js";

export const shop = new Shop({ url: config.api || location.origin, key: config.key, retries: 3, fetch: recordingFetch });

type Schemas = components["schemas"];

export type { Money };
/** The prices without tax of a line of a cart: the API has them in the details. */
export type Twins = Pick<Schemas["CartLineDetails"], "unit_price_without_tax" | "line_total_without_tax" | "full_total_without_tax">;
export type CartLine = Schemas["CartLine"] & Twins;
/** Why the cart has no tax stands in its details. */
export type Cart = Omit<Schemas["Cart"], "lines"> & { lines: CartLine[] } & Pick<Schemas["CartDetails"], "tax_exemption">;
export type Media = Schemas["Media"];
export type Category = Schemas["Category"];
export type Product = Schemas["Product"];
export type Variant = Schemas["Variant"];
/** The unit of a quantity. */
export type Unit = Product["unit"];
export type Order = Schemas["Order"];
export type Quote = Schemas["Quote"];
export type Profile = Schemas["Profile"];
export type Address = Schemas["Address"];

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

const times = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" }));

/** A time with its date. */
export const time = (at: string): string => times().format(new Date(at));
