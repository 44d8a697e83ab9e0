import type { components } from "cartd-client";

// The sums under the lines of a cart, a checkout, an order or a quote. The rows add up to the total, in stores whose prices include tax and in others.

type Schemas = components["schemas"];
type Money = Schemas["Money"];

/** What has sums: a cart, an order, a quote. */
export interface Summed {
  lines: { unit_price_amount: number; quantity: number; line_total: Money }[];
  discounts: Schemas["AppliedDiscount"][];
  totals: { total: Money; tax_breakdown: { rate: number; tax: number }[] };
}

export interface Row {
  kind: "goods" | "discount" | "delivery" | "tax";
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

/** The chosen delivery: its price in the store's basis, after shipping discounts, and the total with it if that is known. */
export interface Delivery {
  price: Money;
  order_total?: Money;
}

/** Unit price × quantity, rounded half up as the API does; quantities have at most three decimals. */
export const lineTotal = (unitAmount: number, quantity: number): number =>
  Math.floor((unitAmount * Math.round(quantity * 1000) + 500) / 1000);

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

function taxRows(taxes: Sums["included"], tax: number): Row[] {
  if (add(taxes.map((one) => one.tax)) !== tax) return [{ kind: "tax", label: "Tax", note: null, amount: tax }];
  return taxes.map((one) => ({ kind: "tax", label: `Tax, ${one.rate} %`, note: null, amount: one.tax }));
}

/** The discounts on the delivery, whose price they have lowered already. */
function shippingNote(discounts: Summed["discounts"]): string | null {
  const names = discounts.filter((one) => one.kind === "shipping").map((one) => [one.name, one.code].filter(Boolean).join(" "));
  return names.length > 0 ? `after ${names.join(", ")}` : null;
}
