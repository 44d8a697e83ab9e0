import type { Order } from "./api.js";
import { go, href } from "./router.js";
import { makeStore } from "./store.js";

/** The order that was placed last, which its page shows without reading it. */
export const lastOrder = makeStore<Order | null>(null);

export function placed(order: Order, token: string | null) {
  lastOrder.set(order);
  go(href(["thanks", token ?? order.id]));
}
