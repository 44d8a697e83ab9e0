import { cache } from "react";
import { sameOrderAgain, type Failure, type Shop, type Success } from "cartd-client";
import { keep, read } from "./session";
import { found, shopper } from "./shop";

type Body = Success<"/v1/api/commerce/carts/{id}", "get", ["details", "stock"]>;

/** What has become of the visitor's cart. */
export type CartState =
  | ({ kind: "active"; etag: string | null } & Body)
  | { kind: "none" }
  /** It became an order, or a request for a quote. */
  | { kind: "sold"; id: string }
  /** It belongs to an account whose login has ended. */
  | { kind: "locked" }
  /** cartd cannot say it now. */
  | { kind: "unknown"; failure: Failure };

/** The visitor's cart with its details and stock. A cart that was folded into another one leads to that one. */
export const cartState = cache(async () => stateOf(await shopper(), await read("cart")));

/** The visitor's cart; null if there is none to show. A page that shows nothing else asks for cartState. */
export const cart = cache(async () => {
  const state = await cartState();
  return state.kind === "active" ? state : null;
});

/** How many lines the cart has; null if that is not known. */
export async function lineCount(): Promise<number | null> {
  const state = await cartState();
  return state.kind === "unknown" ? null : state.kind === "active" ? state.data.lines.length : 0;
}

async function stateOf(shop: Shop, id: string | null, hops = 0): Promise<CartState> {
  if (id === null) return { kind: "none" };
  const answer = await shop.get("/v1/api/commerce/carts/{id}", { path: { id }, query: { include: ["details", "stock"] } });
  if (!answer.ok) {
    const { failure } = answer;
    if (failure.status === 404) return { kind: "none" };
    return failure.status === 403 && failure.kind === "refused" && !failure.code ? { kind: "locked" } : { kind: "unknown", failure };
  }
  const { data, details } = answer.body;
  if (data.status === "active") return { kind: "active", ...answer.body, etag: answer.etag };
  if (data.status === "converted") return { kind: "sold", id };
  const into = hops < 5 ? (details.merged_into ?? (await newest(shop))) : null;
  return into === id ? { kind: "none" } : stateOf(shop, into, hops + 1);
}

/** The account's newest cart. */
async function newest(shop: Shop): Promise<string | null> {
  if (shop.customerToken === null) return null;
  const carts = await shop.get("/v1/api/commerce/carts");
  return carts.ok ? (carts.body.data[0]?.id ?? null) : null;
}

/** The id of the cart that an action changes: the active one, made anew if there is none. */
export async function cartForAdds(shop: Shop): Promise<{ id: string } | { failure: Failure }> {
  const state = await stateOf(shop, await read("cart"));
  if (state.kind === "unknown") return { failure: state.failure };
  if (state.kind === "active") {
    await take(shop, state.data.id);
    return { id: state.data.id };
  }
  const made = await shop.post("/v1/api/commerce/carts");
  if (!made.ok) return { failure: made.failure };
  await keep("cart", made.body.data.id);
  await claim(shop, made.body.data.id);
  return { id: made.body.data.id };
}

/** Makes a cart that was found by another one's id the visitor's, and claims what could not be claimed before. */
async function take(shop: Shop, id: string): Promise<void> {
  const moved = id !== (await read("cart"));
  if (moved) await keep("cart", id);
  if (moved || (await read("claim")) !== null) await claim(shop, id);
}

/** After a write that found no active cart: the cart that there is now, if it is another one. */
export async function movedCart(shop: Shop): Promise<string | null> {
  const before = await read("cart");
  const state = await stateOf(shop, before);
  if (state.kind !== "active" || state.data.id === before) return null;
  await take(shop, state.data.id);
  return state.data.id;
}

/** Binds a cart to the customer; the account's other carts are folded into it. What cannot be done now is done with the next add. */
async function claim(shop: Shop, id: string): Promise<"done" | "gone" | "later"> {
  if (shop.customerToken === null) return "done";
  const result = await shop.post("/v1/api/commerce/carts/{id}/claim", { path: { id } });
  const gone =
    !result.ok && (result.failure.status === 404 || result.failure.status === 403) && result.failure.kind === "refused" && !result.failure.code;
  const became = result.ok ? "done" : gone ? "gone" : "later";
  await keep("claim", became === "later" ? "1" : null);
  return became;
}

/** After a login: the guest's cart becomes the customer's. Where there is none any more, the account's newest one is taken. */
export async function cartAfterLogin(shop: Shop): Promise<void> {
  const id = await read("cart");
  if (id !== null && (await claim(shop, id)) !== "gone") return;
  const state = await stateOf(shop, id);
  const other = state.kind === "active" ? state.data.id : await newest(shop);
  await keep("cart", other);
  if (other !== null) await claim(shop, other);
}

/** Takes a copy of an order as the visitor's cart; the account's other carts are folded into it. */
export async function takeCopy(shop: Shop, id: string): Promise<void> {
  await keep("cart", id);
  await claim(shop, id);
}

/** What is kept of the visitor's checkout; null without an active cart. */
export const checkout = cache(async () => {
  const current = await cart();
  if (!current) return null;
  const path = { id: current.data.id };
  const answer = await (await shopper()).get("/v1/api/commerce/carts/{id}/checkout", { path, query: { include: ["checks"] } });
  const body = found(answer);
  return answer.ok && body ? { ...body, id: path.id, etag: answer.etag } : null;
});

/**
 * The order of a cart that was sold, with its token: after a lost answer, or when the shopper comes back from the payment. Null for a quote's cart, and
 * "unknown" while cartd cannot say it.
 */
export const soldOrder = cache(async (id: string) => {
  const again = await sameOrderAgain(await shopper(), id);
  if (again.ok) return { order: again.body.data, token: again.orderToken ?? "" };
  return again.failure.kind === "refused" ? null : "unknown";
});
