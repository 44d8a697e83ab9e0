import { cache } from "react";
import { keep, read } from "./session";
import { found, must, shopper } from "./shop";

/** The visitor's cart with its details; null if there is none. A cart that is sold or gone counts as none. */
export const cart = cache(async () => {
  const id = await read("cart");
  if (id === null) return null;
  const answer = await (await shopper()).get("/v1/api/commerce/carts/{id}", { path: { id }, query: { include: ["details"] } });
  const body = found(answer);
  return answer.ok && body?.data.status === "active" ? { ...body, etag: answer.etag } : null;
});

/** The id of the visitor's cart: an active one, made anew if there is none. */
export async function cartForAdds(): Promise<string> {
  const current = await cart();
  if (current) return current.data.id;
  const { data } = must(await (await shopper()).post("/v1/api/commerce/carts"));
  await keep("cart", data.id);
  return data.id;
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
