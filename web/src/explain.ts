import type { components, Success } from "cartd-client";
import { shop, type Cart } from "./api.js";
import { useLoad, type Loading } from "./shared/load.js";

/** How a cart's totals come about, and why it could not be checked out now. */
export type Explain = Success<"/v1/api/commerce/carts/{id}/explain", "get">["data"];

/** A code of the cart, why it has no effect, and what is missing for it. */
export type CodeStep = components["schemas"]["CodeStep"];

/** A reason for which a checkout would be refused. */
export type Check = components["schemas"]["CheckoutCheck"];

/** The explanation of a cart, asked for anew when the cart changes. */
export function useExplain(cart: Cart): Loading<{ data: Explain }> {
  return useLoad((signal) => shop.get("/v1/api/commerce/carts/{id}/explain", { path: { id: cart.id }, signal }), [cart]);
}
