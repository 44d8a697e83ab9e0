import type { Input } from "cartd-client";

// The order that this tab has sent and has no answer to.

export type CheckoutPath = "/v1/api/commerce/carts/{id}/checkout";
export type OrderBody = NonNullable<Input<CheckoutPath, "post">["body"]>;

export interface Pending {
  cart: string;
  body: OrderBody;
  /** The version of the cart that the visitor has seen: no other one is ordered. */
  ifMatch: string | null;
  key: string;
}

const item = "pending-order";

export function pendingOrder(): Pending | null {
  const kept = sessionStorage.getItem(item);
  return kept === null ? null : JSON.parse(kept);
}

export const keepPending = (pending: Pending) => sessionStorage.setItem(item, JSON.stringify(pending));

export const dropPending = () => sessionStorage.removeItem(item);
