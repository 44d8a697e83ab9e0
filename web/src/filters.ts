import type { Input } from "cartd-client";

export const perPage = 12;

const sortings = ["price", "-price", "name", "-name"] as const;
export type Sorting = (typeof sortings)[number];

type Asked = NonNullable<Input<"/v1/api/catalog/products", "get", ["facets"]>["query"]>;

/** The parameters of the request for a list, from its address. What is no number, or no order of the list, counts as absent. */
export function filters(query: URLSearchParams): Asked {
  const asked: Asked = { per_page: perPage, include: ["facets"] };
  const q = query.get("q");
  const category = query.get("category");
  const order = sortings.find((one) => one === query.get("sort"));
  if (q !== null) asked.q = q;
  if (category !== null) asked.in_category = category;
  if (order !== undefined) asked.sort = order;
  for (const name of ["page", "price_min", "price_max"] as const) {
    const value = Number(query.get(name) ?? NaN);
    if (Number.isInteger(value)) asked[name] = value;
  }
  const prefix = "attributes.";
  const names = [...new Set(query.keys())].filter((name) => name.startsWith(prefix));
  asked.attributes = Object.fromEntries(names.map((name) => [name.slice(prefix.length), query.getAll(name)]));
  return asked;
}
