import type { components, Input } from "cartd-client";
import type { ComponentChildren } from "preact";
import { shop, type Cart } from "./api.js";
import { cartState, openCart } from "./cart.js";

// The checkout has three pages. Between them it is kept with the cart: on any device, and after a reload.

/** The pages, by the last part of their addresses. */
export const pages = ["where", "how", "order"] as const;
export type Page = (typeof pages)[number];

export const isPage = (name: string | undefined): name is Page => pages.some((one) => one === name);

export type Kept = components["schemas"]["KeptCheckout"];

export interface PageProps {
  cart: Cart;
  of: Kept;
  ships: boolean;
  aside: ComponentChildren;
  instead: ComponentChildren;
}

export type Patch = NonNullable<Input<"/v1/api/commerce/carts/{id}/checkout", "patch">["body"]>;

/** Keeps a page's values with the cart, which is read again where they have changed the country of its tax. */
export async function keep(cart: Cart, body: Patch, key?: string) {
  const kept = await shop.patch("/v1/api/commerce/carts/{id}/checkout", { path: { id: cart.id }, body, idempotencyKey: key });
  if (kept.ok && kept.body.data.tax_country !== cartState.get().taxCountry) void openCart();
  return kept;
}

/** The names under which the pages keep what is typed. */
export const whereDraft = "checkout: where";
export const howDraft = "checkout: how";

// The API has no field for it: it stands in the cart's metadata, which the order keeps.
export const vatField = "vat_number";

export function vatOf({ metadata }: Pick<Cart, "metadata">): string | null {
  const vat = metadata?.[vatField];
  return typeof vat === "string" ? vat : null;
}
