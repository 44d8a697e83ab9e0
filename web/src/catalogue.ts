import { shop, type Category } from "./api.js";
import { makeStore } from "./store.js";
import type { Failure } from "cartd-client";

// The categories, which all views need. They are read once.

export interface Categories {
  all: Category[];
  failure: Failure | null;
}

export const categories = makeStore<Categories | null>(null);

export async function loadCategories(): Promise<void> {
  const read = await shop.get("/v1/api/catalog/categories", { query: { per_page: 100 } });
  categories.set(read.ok ? { all: read.body.data, failure: null } : { all: [], failure: read.failure });
}

export const roots = (all: Category[]) => all.filter((one) => one.parent_id === null);

export const childrenOf = (all: Category[], parent: Category) => all.filter((one) => one.parent_id === parent.id);

/** The category with its ancestors, the root first. */
export function pathTo(all: Category[], one: Category): Category[] {
  const parent = all.find((other) => other.id === one.parent_id);
  return parent ? [...pathTo(all, parent), one] : [one];
}
