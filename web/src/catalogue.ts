import { shop, type Category } from "./api.js";
import { known, useLoad } from "./shared/load.js";
import { href } from "./shared/router.js";
import { makeStore, useStore } from "./shared/store.js";
import type { Failure } from "cartd-client";

// The categories, which all views need. They are read once.

export interface Categories {
  all: Category[];
  failure: Failure | null;
}

export const categories = makeStore<Categories | null>(null);

export async function loadCategories(): Promise<void> {
  const all: Category[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const read = await shop.get("/v1/api/catalog/categories", { query: { per_page: 100, page } });
    if (!read.ok) return categories.set({ all, failure: read.failure });
    all.push(...read.body.data);
    last = read.body.meta.last_page;
  }
  categories.set({ all, failure: null });
}

export const roots = (all: Category[]) => all.filter((one) => one.parent_id === null);

export const childrenOf = (all: Category[], parent: Category) => all.filter((one) => one.parent_id === parent.id);

/** The category with its ancestors, the root first. */
export function pathTo(all: Category[], one: Category): Category[] {
  const parent = all.find((other) => other.id === one.parent_id);
  return parent ? [...pathTo(all, parent), one] : [one];
}

/** A category by its slug: undefined until it is known, null if there is none. It is read by itself where the list of all does not have it. */
export function useCategory(slug: string | null): Category | null | undefined {
  const list = useStore(categories);
  const listed = list?.all.find((one) => one.slug === slug);
  const alone = slug !== null && list !== null && !listed;
  const read = useLoad(
    (signal) =>
      alone ? shop.get("/v1/api/catalog/categories/{id}", { path: { id: slug }, signal }) : Promise.resolve(known<Category | null>(null)),
    [slug, alone],
  );
  if (slug === null) return null;
  if (listed) return listed;
  if (read.failure) return null;
  return read.body?.slug === slug ? read.body : undefined;
}

/** The address of a product, with the variant that is chosen. */
export const productOf = (slug: string, variant: string | null | undefined): string =>
  href(["product", slug], variant ? new URLSearchParams({ variant }) : undefined);
