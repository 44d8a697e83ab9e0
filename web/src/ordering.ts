import type { Input, Result, Success } from "cartd-client";
import { shop } from "./api.js";
import { forgetCart } from "./cart.js";
import { dropDraft } from "./drafts.js";
import { note } from "./notes.js";
import { placed } from "./placed.js";
import { onReturn } from "./reach.js";

// An order whose answer does not come, because the network is lost or the page is left, is asked for again
// under its key: it is placed once, and found.

type Path = "/v1/api/commerce/carts/{id}/checkout";
export type OrderBody = NonNullable<Input<Path, "post">["body"]>;

interface Pending {
  cart: string;
  body: OrderBody;
  key: string;
}

const item = "pending-order";
export const checkoutDraft = "checkout";

/** Places the order of a cart. */
export async function placeOrder(cart: string, body: OrderBody, key = newKey()): Promise<Result<Success<Path, "post">>> {
  const pending: Pending = { cart, body, key };
  sessionStorage.setItem(item, JSON.stringify(pending));
  const result = await shop.post("/v1/api/commerce/carts/{id}/checkout", { path: { id: cart }, body, idempotencyKey: key });
  if (result.ok || result.failure.kind !== "unknown") sessionStorage.removeItem(item);
  return result;
}

/** Finds the order of which this tab has had no answer. */
export async function findOrder(): Promise<void> {
  const kept = sessionStorage.getItem(item);
  if (kept === null) return;
  const { cart, body, key }: Pending = JSON.parse(kept);
  const result = await placeOrder(cart, body, key);
  if (result.ok) {
    forgetCart();
    dropDraft(checkoutDraft);
    note("Your order had been sent before this page was loaded: here it is.");
    return placed(result.body.data, result.orderToken!);
  }
  const { kind } = result.failure;
  if (kind === "refused") return note("Your order was not placed: look at the checkout again.");
  sessionStorage.setItem(item, kept); // nobody could answer
  const stop = onReturn(() => {
    stop();
    void findOrder();
  });
}

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
