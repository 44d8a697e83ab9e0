// The sums under the lines of a cart, an order or a quote, and the price that a visitor is shown.

import type { components } from "./api.js";
import type { Money } from "./money.js";

type Schemas = components["schemas"];
type Twin<K extends string> = `${K}_without_tax`;

/** How a visitor sees prices: with tax, or without it as companies do. `policy.pricing.vat_display` of `GET me` and of each cart says which. */
export type VatDisplay = Schemas["PricingDisplay"]["vat_display"];

/** The member that a visitor is shown: the price of this name, or its twin without tax. */
export function shownPrice<K extends string, T extends Record<K | Twin<K>, unknown>>(of: T, name: K, vat: VatDisplay): T[K] | T[Twin<K>] {
  return vat === "ex" ? of[`${name}_without_tax`] : of[name];
}

/** Unit price × quantity, rounded half up as the API does; quantities have at most three decimals. */
export function lineTotal(unitAmount: number, quantity: number): number {
  return Math.floor((unitAmount * Math.round(quantity * 1000) + 500) / 1000);
}

/** An amount with tax at a rate of per cent, without it: rounded half up by itself, as the API's members `…_without_tax` are. */
export function withoutTax(amount: number, rate: number): number {
  const whole = 100_000 + Math.round(rate * 1000); // rates have at most three decimals
  return Math.floor((2 * amount * 100_000 + whole) / (2 * whole));
}

/** A line of a cart, an order or a quote. A cart has the members without tax in its details. */
export interface SummedLine {
  id?: string;
  unit_price_amount: number;
  quantity: number;
  line_total: Money;
  unit_price_without_tax?: Money;
  line_total_without_tax?: Money;
  full_total_without_tax?: Money;
  tax_rate?: number | null;
}

/** What has sums: a cart, an order, a quote. */
export interface Summed {
  lines: readonly SummedLine[];
  discounts: readonly Schemas["AppliedDiscount"][];
  totals: { subtotal: Money; total: Money; shipping_total?: Money; tax_breakdown: readonly { rate: number; tax: number }[] };
  /** Why there is no tax. Listed amounts have the home tax, so such sums are shown without tax. A cart has it in its details. */
  tax_exemption?: Schemas["CartDetails"]["tax_exemption"] | undefined;
  /** Of a cart: how it is shown unless the caller says it. */
  policy?: { pricing: { vat_display: VatDisplay } };
  /** Of an order: its delivery, unless the caller says it. */
  shipping_method?: Delivery | null;
}

/**
 * The chosen delivery, at its price after discounts. `order_total` is the total with it, where `totals` is without it: of a cart or a quote. Leave it out
 * where `totals` has the delivery already: of an order and a kept checkout.
 */
export interface Delivery {
  price: Money;
  price_without_tax: Money;
  order_total?: Money;
}

export interface SumsRow {
  kind: "goods" | "discount" | "rounding" | "delivery" | "tax";
  amount: Money;
  /** The discounts that the row is about: one or several of the goods, and those that have lowered the delivery. */
  discounts: readonly Schemas["AppliedDiscount"][];
  /** The rate of a tax in per cent; null for all taxes together, and for other rows. */
  rate: number | null;
}

export interface Sums {
  /** The rows add up to the total. */
  rows: SumsRow[];
  /** What is paid, with tax. */
  total: Money;
  /** The tax that the rows include, by rate. Empty where tax is among the rows. */
  included: { rate: number; tax: Money }[];
}

export interface SumsOptions {
  vat?: VatDisplay;
  delivery?: Delivery | null | undefined;
  /** The details of a cart: a cart is shown without tax only with them. */
  details?: {
    tax_exemption?: Summed["tax_exemption"];
    lines: Record<string, Partial<Pick<Schemas["CartLineDetails"], Twin<"unit_price" | "line_total" | "full_total"> | "tax_rate">>>;
  };
}

const add = (amounts: number[]): number => amounts.reduce((sum, one) => sum + one, 0);

/** The price of a line before discounts: with the store's basis, or without tax. */
export function fullTotal(line: SummedLine, vat: VatDisplay): number {
  const full = lineTotal(line.unit_price_amount, line.quantity);
  if (vat !== "ex") return full;
  if (line.full_total_without_tax) return line.full_total_without_tax.amount;
  const { unit_price_amount: unit, unit_price_without_tax: netUnit, line_total: total, line_total_without_tax: netTotal } = line;
  const taxed = unit !== netUnit?.amount || total.amount !== netTotal?.amount;
  if (!taxed) return full;
  if (line.tax_rate || !netUnit || !netTotal) return withoutTax(full, line.tax_rate ?? 0);
  // An exempt order does not say the home rate that came off: its amounts tell it, to a tenth of a per cent.
  const [gross, net] = total.amount > 0 ? [total.amount, netTotal.amount] : [unit, netUnit.amount];
  return withoutTax(full, Math.round((gross / net - 1) * 1000) / 10);
}

/**
 * The sums of a cart, an order or a quote: the goods at their prices before discounts, each discount, the delivery, the taxes where prices are without tax,
 * and the total. The rows add up to the total, in stores whose prices include tax and in others.
 */
export function sumsOf(of: Summed, options: SumsOptions = {}): Sums {
  const vat = (of.tax_exemption ?? options.details?.tax_exemption) ? "ex" : (options.vat ?? of.policy?.pricing.vat_display ?? "inc");
  const delivery = options.delivery === undefined ? (of.shipping_method ?? null) : options.delivery;
  const lines = of.lines.map((line) => ({ ...line, ...options.details?.lines[line.id ?? ""] }) as SummedLine);
  const total = delivery?.order_total ?? of.totals.total;
  const taxes = delivery?.order_total ? [] : of.totals.tax_breakdown.filter((one) => one.tax !== 0);
  const reductions = of.discounts.filter((one) => one.kind !== "shipping" && one.amount > 0);
  const goods = add(lines.map((line) => fullTotal(line, vat)));

  const money = (amount: number): Money => ({ ...total, amount });
  const rows: SumsRow[] = [];
  const push = (kind: SumsRow["kind"], amount: number, more?: Partial<SumsRow>) =>
    void rows.push({ kind, amount: money(amount), discounts: [], rate: null, ...more });

  push("goods", goods);
  if (vat === "ex") {
    // The API rounds the price without tax of each line by itself, and that of all once: a row says what lies between them. Discounts span several rates:
    // their part without tax is known for all together.
    const left = add(lines.map((line) => (line.line_total_without_tax ?? line.line_total).amount));
    if (goods !== left) push("discount", left - goods, { discounts: reductions });
    if (left !== of.totals.subtotal.amount) push("rounding", of.totals.subtotal.amount - left);
  } else for (const one of reductions) push("discount", -one.amount, { discounts: [one] });
  if (delivery) {
    // The totals of an order have the delivery without tax as it counts there; that of a list is rounded by itself.
    const price = (vat === "ex" && !delivery.order_total && of.totals.shipping_total) || shownPrice(delivery, "price", vat);
    push("delivery", price.amount, { discounts: of.discounts.filter((one) => one.kind === "shipping") });
  }

  const tax = total.amount - add(rows.map((row) => row.amount.amount));
  if (tax !== 0 && add(taxes.map((one) => one.tax)) !== tax) push("tax", tax);
  else if (tax !== 0) for (const one of taxes) push("tax", one.tax, { rate: one.rate });
  return { rows, total, included: tax === 0 ? taxes.map((one) => ({ rate: one.rate, tax: money(one.tax) })) : [] };
}
