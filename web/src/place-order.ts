import type { Result, Success } from "cartd-client";
import { shop } from "./api.js";
import { forgetCart } from "./cart.js";
import { note } from "./notes.js";
import { dropPending, keepPending, pendingOrder, type CheckoutPath, type Pending } from "./pending.js";
import { placed } from "./last-order.js";
import { onReturn } from "./shared/reach.js";
import { t } from "./shared/t.js";

// An order whose answer does not come, because the network is lost or the page is left, is asked for again
// under its key: it is placed once, and found.

type Ordering = Omit<Pending, "key"> & { key?: string | undefined };

/** Places the order of a cart. */
export async function placeOrder({ key = newKey(), ...order }: Ordering): Promise<Result<Success<CheckoutPath, "post">>> {
  keepPending({ ...order, key });
  const { cart, body, ifMatch } = order;
  const result = await shop.post("/v1/api/commerce/carts/{id}/checkout", { path: { id: cart }, body, ifMatch, idempotencyKey: key });
  if (result.ok || result.failure.kind !== "unknown") dropPending();
  return result;
}

/** Finds the order of which this tab has had no answer. */
export async function findOrder(): Promise<void> {
  const pending = pendingOrder();
  if (pending === null) return;
  const result = await placeOrder(pending);
  if (result.ok) {
    forgetCart();
    note({ about: "order", text: () => t.cart.found });
    return placed(result.body.data, result.orderToken!);
  }
  const { kind } = result.failure;
  if (kind === "refused") return note({ about: "order", text: () => t.cart.notPlaced });
  keepPending(pending); // nobody could answer
  const stop = onReturn(() => {
    stop();
    void findOrder();
  });
}

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
