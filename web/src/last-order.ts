import type { Order } from "./api.js";
import { go, href } from "./shared/router.js";
import { session } from "./session.js";
import { makeStore } from "./shared/store.js";

/** The order that was placed last with its token: its page shows it without reading it again. */
export const lastOrder = makeStore<{ token: string; order: Order } | null>(null);

let last: { page: string; session: number } | null = null;

/** The page of the order that this session has placed last in this tab; null if there is none. */
export const placedBefore = (): string | null => (last?.session === session.number.get() ? last.page : null);

export function placed(order: Order, token: string) {
  const page = href(["thanks", token]);
  last = { page, session: session.number.get() };
  lastOrder.set({ token, order });
  go(page);
}
