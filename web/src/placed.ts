import type { Order } from "./api.js";
import { go, href } from "./router.js";
import { makeStore } from "./store.js";

/** The order that was placed last with its token: its page shows it without reading it again. */
export const lastOrder = makeStore<{ token: string; order: Order } | null>(null);

export function placed(order: Order, token: string) {
  lastOrder.set({ token, order });
  go(href(["thanks", token]));
}
