import { cache } from "react";
import { headers } from "next/headers";
import { notFound, permanentRedirect, redirect } from "next/navigation";
import { formatMoney, shownPrice, type Money, type VatDisplay } from "cartd-client";
import { texts } from "@/texts/texts";
import { read } from "./session";
import { cart } from "./cart";
import { found, guests, must, reader, shopper, type Schemas } from "./shop";

// Reads of the catalogue. Each happens at most once for a page, and for guests at most once in settings.fresh seconds.

/** The store as this visitor gets it: a customer's group may have other prices. */
const me = cache(async () => (await reader()).get("/v1/api/me"));

export const store = cache(async () => must(await me()));

/** What all visitors see of the store: its name, its languages. Kept also for customers. */
export const shared = cache(async () => must(await guests.get("/v1/api/me")));

/** Whether the visitor's login has ended, and the visitor does not know it yet. */
export async function loginEnded(): Promise<"known" | "new" | null> {
  if ((await read("customer")) === null) return (await read("ended")) === null ? null : "known";
  return (await me()).customerTokenStatus === "invalid" ? "new" : null;
}

/** All categories. They have no prices, so customers get the guests'. */
export const categories = cache(async () => {
  const page = (number: number) => guests.get("/v1/api/catalog/categories", { query: { page: number, per_page: 100 } });
  const first = must(await page(1));
  const rest = await Promise.all(Array.from({ length: first.meta.last_page - 1 }, (_, i) => page(i + 2)));
  return [first, ...rest.map(must)].flatMap(({ data }) => data);
});

/** A category with the ones above it, from the root on. */
export async function pathTo(category: Category): Promise<Category[]> {
  const all = await categories();
  const path = [category];
  for (let above = all.find((one) => one.id === category.parent_id); above && !path.includes(above);) {
    path.unshift(above);
    above = all.find((one) => one.id === path[0]!.parent_id);
  }
  return path;
}

export type Category = Awaited<ReturnType<typeof categories>>[number];

/** The country whose tax rates the visitor sees: the cart's. Empty where it is the store's own, whose rates an answer has without being asked. */
export const taxed = cache(async (): Promise<{ country?: string }> => {
  const [{ country: home }, current] = await Promise.all([store(), cart()]);
  const country = current?.details.tax_country;
  return home && country && country !== home ? { country } : {};
});

export const product = cache(async (slug: string) =>
  found(await (await reader()).get("/v1/api/catalog/products/{id}", { path: { id: slug }, query: await taxed() })),
);

/** The form of a product made to measure; null while the module that sells such products is off. */
export const schema = cache(async (id: string) =>
  found(await (await reader()).get("/v1/api/configurator/products/{id}/schema", { path: { id }, query: await taxed() })),
);

/**
 * How this visitor sees prices. Where there is no tax, they are without the home tax that listed ones have: `exemption` is that of the order or quote
 * that is shown; without it that of the visitor's cart counts.
 */
export const prices = cache(async (exemption?: Schemas["Order"]["tax_exemption"]) => {
  const [{ policy, prices_include_tax }, { language, word }, current] = await Promise.all([store(), texts(), cart()]);
  const exempt = exemption === undefined ? current?.details.tax_exemption : exemption;
  const vat: VatDisplay = exempt ? "ex" : policy.pricing.vat_display;
  return {
    vat,
    label: word(vat === "ex" || !prices_include_tax ? "without_tax" : "with_tax"),
    money: (of: Money) => formatMoney(of, language),
    pick: <K extends string, T extends Record<K | `${K}_without_tax`, unknown>>(of: T, name: K) => shownPrice(of, name, vat),
    /** Guests are to log in before they see prices. */
    hidden: policy.pricing.guest_price_visibility === "hidden" && (await read("customer")) === null,
  };
});

export type Filters = { [name: string]: string | string[] | undefined };

/** A page of products with its facets. Filters are those of the page's address: `q`, `sort`, `page`, `price_min`, `a.Colour`. */
export async function products(filters: Filters, category?: string) {
  const one = (name: string) => [filters[name]].flat()[0];
  const cents = (name: string) => (/^\d{1,9}$/.test(one(name) ?? "") ? { [name]: Number(one(name)) * 100 } : {});
  const attributes = Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (name.startsWith("a.") && value ? [[name.slice(2), [value].flat()]] : [])),
  );
  const sort = (["name", "-name", "price", "-price"] as const).find((name) => name === one("sort"));
  const query = {
    ...(await taxed()),
    ...(one("q") && { q: one("q")!.slice(0, 255) }),
    ...(category && { in_category: category }),
    ...(sort && { sort }),
    ...cents("price_min"),
    ...cents("price_max"),
    attributes,
    page: pageOf(one("page")),
    per_page: 24,
    include: ["facets"] as const,
  };
  // What visitors type and choose has no end of forms: only whole lists are kept, and of these only as many pages as there are.
  const whole = !query.q && Object.keys(attributes).length === 0 && !filters.price_min && !filters.price_max && query.page <= 20;
  return must(await (await (whole ? reader() : shopper())).get("/v1/api/catalog/products", { query }));
}

/** The number of a page in an address. */
export function pageOf(text: string | string[] | undefined): number {
  return Math.max(1, Math.min(1000, Math.trunc(Number([text].flat()[0])) || 1));
}

/**
 * Goes where the catalogue's redirects send a path that no page has. Without one, to the category or product whose slug
 * the path ends with, because redirects name such paths; else to the page of 404. The path is the address's, as the browser writes it. What is asked is not
 * kept: there is no end of unknown paths.
 */
export const goElsewhere: (path: string) => Promise<never> = cache(async (path: string): Promise<never> => {
  const asked = (await headers()).get("x-path")?.split("?")[0] ?? path;
  const [row] = must(await (await shopper()).get("/v1/api/catalog/redirects", { query: { path: asked } })).data;
  if (row) {
    const to = (row.to.startsWith("/") && !/^\/[cp]\/[^/]+$/.test(row.to) && (await pageAt(row.to))) || row.to;
    return row.status === 301 || row.status === 308 ? permanentRedirect(to) : redirect(to);
  }
  const page = await pageAt(asked);
  if (page) permanentRedirect(page);
  notFound();
});

/** The address of the category or product whose slug a path ends with; null if there is none, or the path is its address already. */
async function pageAt(path: string): Promise<string | null> {
  const clean = path.split("?")[0]!;
  const slug = decoded(clean.slice(clean.lastIndexOf("/") + 1));
  if (slug === "") return null;
  const category = (await categories()).some((one) => one.slug === slug);
  const is = category || found(await (await shopper()).get("/v1/api/catalog/products/{id}", { path: { id: slug } })) !== null;
  const page = `/${category ? "c" : "p"}/${encodeURIComponent(slug)}`;
  return is && page !== clean ? page : null;
}

/** A part of an address as its text; as it stands if it is no text. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
