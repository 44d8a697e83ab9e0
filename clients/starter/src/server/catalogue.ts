import { cache } from "react";
import { notFound, permanentRedirect, redirect } from "next/navigation";
import { found, must, reader, shopper, type Schemas } from "./shop";

// Reads of the catalogue. Each happens at most once for a page, and for guests at most once in settings.fresh seconds.

export const store = cache(async () => must(await (await reader()).get("/v1/api/me")));

export const categories = cache(async () => must(await (await reader()).get("/v1/api/catalog/categories", { query: { per_page: 100 } })).data);

export const product = cache(async (slug: string) => found(await (await reader()).get("/v1/api/catalog/products/{id}", { path: { id: slug } })));

export const schema = cache(async (id: string) => must(await (await reader()).get("/v1/api/configurator/products/{id}/schema", { path: { id } })));

export type Filters = { [name: string]: string | string[] | undefined };

/** A page of products with its facets. Filters are those of the page's address: `q`, `sort`, `page`, `price_min`, `a.Colour`. */
export async function products(filters: Filters, category?: string) {
  const one = (name: string) => [filters[name]].flat()[0];
  const cents = (name: string) => (/^\d{1,9}$/.test(one(name) ?? "") ? { [name]: Number(one(name)) * 100 } : {});
  const attributes = Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (name.startsWith("a.") && value ? [[name.slice(2), [value].flat()]] : [])),
  );
  const sort = (["name", "-name", "price", "-price"] as const).find((name) => name === one("sort"));
  const page = Math.max(1, Math.min(1000, Number(one("page")) || 1));
  const query = {
    ...(one("q") && { q: one("q")!.slice(0, 255) }),
    ...(category && { in_category: category }),
    ...(sort && { sort }),
    ...cents("price_min"),
    ...cents("price_max"),
    attributes,
    page,
    per_page: 24,
    include: ["facets"] as const,
  };
  // What visitors type and choose has no end of forms: only whole lists are kept.
  const whole = !query.q && Object.keys(attributes).length === 0 && !filters.price_min && !filters.price_max;
  return must(await (await (whole ? reader() : shopper())).get("/v1/api/catalog/products", { query }));
}

/**
 * Goes where the catalogue's redirects send a path that no page has. Without one, to the category or product whose slug
 * the path ends with, because redirects name such paths; else to the page of 404.
 */
export async function goElsewhere(path: string): Promise<never> {
  const [row] = must(await (await reader()).get("/v1/api/catalog/redirects", { query: { path } })).data;
  if (row) return row.status === 301 || row.status === 308 ? permanentRedirect(row.to) : redirect(row.to);
  const slug = path.slice(path.lastIndexOf("/") + 1);
  const category = (await categories()).find((one) => one.slug === slug);
  if (category) permanentRedirect(`/c/${encodeURIComponent(slug)}`);
  if (await product(slug)) permanentRedirect(`/p/${encodeURIComponent(slug)}`);
  notFound();
}

/** The prices of a product as this store shows them: without tax to trade customers. */
export function shown(row: Pick<Schemas["Product"] | Schemas["Variant"], "price" | "price_without_tax">, withoutTax: boolean) {
  return withoutTax ? row.price_without_tax : row.price;
}
