import type { components, Money } from "cartd-client";
import { cents, money, type Unit } from "../shared/formats.js";
import { t } from "../shared/t.js";
import type { Facts } from "./record.js";
import { when } from "./times.js";

// A quote as its merchant sees it: the terms that the customer sees, and the draft that is written beside them.

type Schemas = components["schemas"];

export type StoreQuote = Schemas["StoreQuote"];
export type Draft = NonNullable<StoreQuote["draft"]>;

/** A line as it is sent: of a line of the draft only what changes, and its id. */
export interface LineWrite {
  id?: string;
  product_id?: string | null;
  variant_id?: string | null;
  name?: string;
  sku?: string | null;
  unit?: Unit;
  tax?: string;
  requires_shipping?: boolean;
  quantity: number;
  unit_price_amount?: number | null;
  discount_amount?: number;
}

export interface Discount {
  name?: string | null;
  percent?: string | null;
  amount?: number | null;
}

export interface Shipping {
  name?: string | null;
  price_amount?: number | null;
  tax?: string | null;
  shipping_method_id?: string | null;
}

/** The members of a quote that its merchant writes. */
export interface QuoteWrite {
  country?: string | null;
  email?: string | null;
  name?: string | null;
  company_name?: string | null;
  phone?: string | null;
  reference?: string | null;
  customer_id?: string | null;
  lines?: LineWrite[];
  lines_discount_name?: string | null;
  discount?: Discount | null;
  shipping?: Shipping | null;
  valid_until?: string | null;
  acceptance_mode?: "click" | "signature" | null;
  hold_stock?: boolean;
  offer_message?: string | null;
  internal_note?: string | null;
}

/** Who a quote is for. */
export const quoteFor = (of: Pick<StoreQuote, "company_name" | "name" | "email">): string =>
  of.company_name || of.name || of.email || t.quote.nobody;

/** Where a quote stands, in a word, with the colour of its mark. */
export function quoteState(of: StoreQuote): [word: string, mark: "open" | "due" | "done" | "off"] {
  if (of.change_request) return [t.quote.changeAsked, "due"];
  switch (of.status) {
    case "draft":
      return [t.quote.draft, "open"];
    case "offered":
      return [t.quote.offered, "open"];
    case "accepted":
      return [t.quote.accepted, "done"];
    case "declined":
      return [t.quote.declined, "off"];
    case "expired":
      return [t.quote.expired, "off"];
    default:
      return [t.quote.withdrawn, "off"];
  }
}

/** What a quote comes to now: its draft, else its terms. */
export const quoteTotal = (of: StoreQuote): Money =>
  of.draft ? (of.draft.order_total ?? of.draft.totals.total) : (of.order_total ?? of.totals.total);

/** The total that an offer of the draft names. */
export const expectedTotal = (of: Draft): number => (of.order_total ?? of.totals.total).amount;

/** What is told of a quote where somebody else has changed it. */
export const quoteFacts = (of: StoreQuote): Facts => [
  [t.order.state, quoteState(of)[0]],
  [t.quote.version, String(of.version)],
  [t.sums.total, money(quoteTotal(of))],
  ...(of.draft?.lines ?? []).map((line): [string, string] => [
    line.name,
    `${line.quantity} × ${line.unit_price ? money(line.unit_price) : "–"}${line.discount_amount ? ` − ${cents(line.discount_amount)}` : ""}`,
  ]),
  [t.quote.discount, of.draft?.discount ? [of.draft.discount.name, of.draft.discount.percent ?? of.draft.discount.amount].join(" ") : ""],
  [t.order.delivery, of.draft?.shipping?.name ?? ""],
  [t.quote.validUntil, of.draft?.valid_until ? when(of.draft.valid_until) : ""],
  [t.quote.message, of.draft?.offer_message ?? ""],
  [t.quote.note, of.internal_note ?? ""],
  [t.order.email, of.email ?? ""],
  [t.quote.name, of.name ?? ""],
  [t.quote.company, of.company_name ?? ""],
];
