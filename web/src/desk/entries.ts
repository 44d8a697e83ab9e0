import type { Answer, Result } from "cartd-client";
import { cents, unitSign, type Unit } from "../shared/formats.js";
import { t } from "../shared/t.js";
import type { Facts } from "./record.js";
import { api } from "./session.js";
import { when } from "./times.js";

// Entries of the store's document, as an export writes them: what is absent has its default. A change names the entry's version.

export interface Period {
  from: string;
  until: string;
  price_amount: number;
  group_id?: string | null;
}

export interface VariantEntry {
  id: string;
  name: string;
  sku?: string | null;
  active?: boolean;
  price_amount?: number | null;
  price_periods?: Period[];
}

export interface ProductEntry extends VariantEntry {
  slug: string;
  unit?: Unit;
  capability?: string;
  track_stock?: boolean;
  variants?: VariantEntry[];
}

export interface DiscountEntry {
  id: string;
  name: string;
  kind: "products" | "order" | "shipping" | "bogo";
  active?: boolean;
  code?: string | null;
  value?: { type: string; percent?: string; amount?: number };
  get?: { percent: string; quantity: string };
  starts_at?: string | null;
  ends_at?: string | null;
  usage_limit?: number | null;
  min_order_amount?: number | null;
  code_batches?: { number: number; prefix: string }[];
}

export interface NamedEntry {
  id: string;
  name: string;
}

interface Lists {
  products: ProductEntry;
  discounts: DiscountEntry;
  customer_groups: NamedEntry;
  shipping_methods: NamedEntry & { price_amount: number; tax: string };
  tax_rates: { code: string; rate: string | number };
}

/** Lists a part of the entries of a list. */
export async function listEntries<L extends keyof Lists>(list: L, q: string, after: string | null, signal: AbortSignal) {
  const result = await api.get("/v1/api/catalog/document/{list}", {
    path: { list },
    query: { ...(q && { q }), ...(after !== null && { after }) },
    signal,
  });
  if (!result.ok) return result;
  const { data, meta } = result.body;
  return { ...result, body: { rows: data as unknown as Lists[L][], next: meta.next_after } };
}

export const readEntry = <L extends keyof Lists>(list: L, id: string, signal?: AbortSignal): Promise<Result<Lists[L]>> =>
  api.get("/v1/api/catalog/document/{list}/{id}", { path: { list, id }, ...(signal && { signal }) }) as Promise<Result<unknown>> as Promise<
    Result<Lists[L]>
  >;

/** Reads an entry again that was just changed; where that fails, the change is shown as it was sent, without a version. */
async function changed<L extends keyof Lists>(list: L, sent: Result<unknown>, body: Lists[L]): Promise<Result<Lists[L]>> {
  if (!sent.ok) return sent;
  const key = "id" in body ? body.id : body.code;
  const read = await readEntry(list, key);
  return read.ok ? { ...read, replayed: sent.replayed } : ({ ...sent, body, etag: null } as Answer<Lists[L]>);
}

/** Changes members of a product. */
export async function changeProduct(of: ProductEntry, members: Partial<ProductEntry>, ifMatch: string | null, idempotencyKey?: string) {
  const sent = await api.patch("/v1/api/catalog/products/{id}", {
    path: { id: of.id },
    body: members as Record<string, never>,
    ifMatch,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  return changed("products", sent, { ...of, ...members });
}

/** Changes members of a discount: a change set has the whole entry. */
export async function changeDiscount(of: DiscountEntry, members: Partial<DiscountEntry>, ifMatch: string | null, idempotencyKey?: string) {
  const entry = { ...of, ...members };
  const sent = await api.patch("/v1/api/catalog", {
    body: { format: 1, set: { discounts: [entry] } } as never,
    ifMatch,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  return changed("discounts", sent, entry);
}

export const isActive = ({ active }: { active?: boolean }): boolean => active !== false;

const price = (amount: number | null | undefined, unit: Unit = "piece"): string =>
  amount == null ? "–" : [cents(amount), unitSign(unit) && t.product.per(unitSign(unit))].filter(Boolean).join(" ");

/** What a product costs in the document: its own price, or those of its variants. */
export function priceOf({ price_amount, variants = [], unit }: ProductEntry): string {
  const all = variants.flatMap((one) => one.price_amount ?? price_amount ?? []);
  if (all.length === 0) return price(price_amount, unit);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return least === most ? price(least, unit) : `${cents(least)} – ${cents(most)}`;
}

const periodText = (of: Period): string => `${cents(of.price_amount)} ${when(of.from)} – ${when(of.until)}`;

export const productFacts = (of: ProductEntry): Facts => [
  [t.product.name, of.name],
  [t.product.active, isActive(of) ? t.product.isActive : t.product.isInactive],
  [t.product.price, price(of.price_amount, of.unit)],
  ...(of.price_periods ?? []).map((one): [string, string] => [t.product.dated, periodText(one)]),
  ...(of.variants ?? []).flatMap((one): Facts => [
    [
      one.name,
      [isActive(one) ? "" : t.product.isInactive, price(one.price_amount), ...(one.price_periods ?? []).map(periodText)]
        .filter(Boolean)
        .join(" · "),
    ],
  ]),
];

/** What a discount takes off. */
export function valueOf({ value, get }: DiscountEntry): string {
  const percent = value?.percent ?? get?.percent;
  if (percent !== undefined) return `${percent} %`;
  return value?.amount === undefined ? "" : cents(value.amount);
}

export const discountFacts = (of: DiscountEntry): Facts => [
  [t.discount.name, of.name],
  [t.discount.state, isActive(of) ? t.discount.on : t.discount.off],
  [t.discount.value, valueOf(of)],
  [t.discount.code, of.code ?? ""],
  [t.discount.until, of.ends_at ? when(of.ends_at) : ""],
  [t.discount.limit, of.usage_limit == null ? "" : String(of.usage_limit)],
];
