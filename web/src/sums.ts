import type { components } from "cartd-client";

// The sums under the lines of a cart, a checkout, an order or a quote. The rows add up to the total, in stores whose prices include tax and in others.

type Schemas = components["schemas"];
type Money = Schemas["Money"];

/** A line of a cart, an order or a quote. Those of a cart know their price before discounts without tax, the others their rate of tax. */
export interface SummedLine {
  unit_price_amount: number;
  quantity: number;
  line_total: Money;
  unit_price_without_tax: Money;
  line_total_without_tax: Money;
  full_total_without_tax?: Money;
  tax_rate?: number;
}

/** What has sums: a cart, an order, a quote. */
export interface Summed {
  lines: SummedLine[];
  discounts: Schemas["AppliedDiscount"][];
  totals: { subtotal: Money; total: Money; tax_breakdown: { rate: number; tax: number }[] };
}

export interface Row {
  kind: "goods" | "discount" | "rounding" | "delivery" | "tax";
  label: string;
  /** A code, or what else belongs to the label. */
  note: string | null;
  amount: number;
}

export interface Sums {
  /** They add up to the total. */
  rows: Row[];
  total: number;
  /** The tax that the total includes, by rate. Empty where tax is among the rows. */
  included: { rate: number; tax: number }[];
  /** Whether the lines and rows are with tax: there is tax, and it is not among the rows. */
  withTax: boolean;
}

/** The chosen delivery: its price after shipping discounts, in the store's basis and without tax, and the total with it if that is known. */
export interface Delivery {
  price: Money;
  price_without_tax: Money;
  order_total?: Money;
}

/** Unit price × quantity, rounded half up as the API does; quantities have at most three decimals. */
export const lineTotal = (unitAmount: number, quantity: number): number =>
  Math.floor((unitAmount * Math.round(quantity * 1000) + 500) / 1000);

/** An amount with tax at a rate of per cent, without it: rounded half up by itself, as the API's members `…_without_tax` are. */
export function withoutTax(amount: number, rate: number): number {
  const whole = 100_000 + Math.round(rate * 1000); // rates have at most three decimals
  return Math.floor((2 * amount * 100_000 + whole) / (2 * whole));
}

/** The price of a line before discounts, in the store's basis or without tax. */
export function fullTotal(of: SummedLine, ex: boolean): number {
  const full = lineTotal(of.unit_price_amount, of.quantity);
  if (!ex) return full;
  const taxed = of.unit_price_amount !== of.unit_price_without_tax.amount || of.line_total.amount !== of.line_total_without_tax.amount;
  return of.full_total_without_tax?.amount ?? (taxed ? withoutTax(full, of.tax_rate ?? 0) : full);
}

const add = (amounts: number[]): number => amounts.reduce((sum, one) => sum + one, 0);

/** The sums of lines with a delivery. Where a cart's delivery has just been chosen, only the total with it is known, not the taxes. */
export function sums(of: Summed, delivery: Delivery | null): Sums {
  const goods = add(of.lines.map((one) => lineTotal(one.unit_price_amount, one.quantity)));
  const reductions = of.discounts.filter((one) => one.kind !== "shipping" && one.amount > 0);
  const total = (delivery?.order_total ?? of.totals.total).amount;
  const tax = total - (goods - add(reductions.map((one) => one.amount)) + (delivery?.price.amount ?? 0));
  const taxes = delivery?.order_total ? [] : of.totals.tax_breakdown.filter((one) => one.tax !== 0);
  const rows: Row[] = [{ kind: "goods", label: "Goods", note: null, amount: goods }];
  rows.push(...reductions.map((one): Row => ({ kind: "discount", label: one.name, note: one.code, amount: -one.amount })));
  if (delivery) rows.push({ kind: "delivery", label: "Delivery", note: shippingNote(of.discounts), amount: delivery.price.amount });
  if (tax !== 0) rows.push(...taxRows(taxes, tax));
  return { rows, total, included: tax === 0 ? taxes : [], withTax: tax === 0 && of.totals.tax_breakdown.some((one) => one.tax !== 0) };
}

/**
 * The sums without tax, then the taxes. The API rounds the price without tax of each line by itself, and that of all once: a row says what lies between
 * them. Discounts span several rates: their part without tax is known for all together.
 */
export function sumsWithoutTax(of: Summed, delivery: Delivery | null): Sums {
  const goods = add(of.lines.map((one) => fullTotal(one, true)));
  const left = add(of.lines.map((one) => one.line_total_without_tax.amount));
  const subtotal = of.totals.subtotal.amount;
  const reductions = of.discounts.filter((one) => one.kind !== "shipping" && one.amount > 0);
  const total = (delivery?.order_total ?? of.totals.total).amount;
  const tax = total - subtotal - (delivery?.price_without_tax.amount ?? 0);
  const taxes = delivery?.order_total ? [] : of.totals.tax_breakdown.filter((one) => one.tax !== 0);
  const rows: Row[] = [{ kind: "goods", label: "Goods", note: null, amount: goods }];
  if (goods !== left) rows.push({ kind: "discount", ...named(reductions), amount: left - goods });
  if (left !== subtotal) rows.push({ kind: "rounding", label: "Rounding", note: null, amount: subtotal - left });
  if (delivery)
    rows.push({ kind: "delivery", label: "Delivery", note: shippingNote(of.discounts), amount: delivery.price_without_tax.amount });
  if (tax !== 0) rows.push(...taxRows(taxes, tax));
  return { rows, total, included: [], withTax: false };
}

/** One discount by its name, several as one. */
function named(all: Summed["discounts"]): Pick<Row, "label" | "note"> {
  const [first] = all;
  if (first && all.length === 1) return { label: first.name, note: first.code };
  return { label: "Discounts", note: all.map((one) => [one.name, one.code].filter(Boolean).join(" ")).join(", ") };
}

function taxRows(taxes: Sums["included"], tax: number): Row[] {
  if (add(taxes.map((one) => one.tax)) !== tax) return [{ kind: "tax", label: "Tax", note: null, amount: tax }];
  return taxes.map((one) => ({ kind: "tax", label: `Tax, ${one.rate} %`, note: null, amount: one.tax }));
}

/** The discounts on the delivery, whose price they have lowered already. */
function shippingNote(discounts: Summed["discounts"]): string | null {
  const names = discounts.filter((one) => one.kind === "shipping").map((one) => [one.name, one.code].filter(Boolean).join(" "));
  return names.length > 0 ? `after ${names.join(", ")}` : null;
}
