// What the compiler accepts and refuses. This file is compiled and never run.
import { Shop, type components } from "cartd-client";

const shop = new Shop({ url: "http://127.0.0.1:8080", key: "demo-storefront-key" });
const path = { id: "11111111-1111-4111-8111-111111111111" };

const cart = await shop.post("/v1/api/commerce/carts");
if (cart.ok) {
  const id: string = cart.body.data.id;
} else if (cart.failure.kind === "refused") {
  const code: string | undefined = cart.failure.code;
  const first: components["schemas"]["ErrorCode"]["code"] | undefined = cart.failure.errorCodes.email?.[0]?.code;
  // @ts-expect-error: the list of error codes is closed.
  const wrong: boolean = first === "no_such_code";
} else if (cart.failure.kind === "unknown") {
  await shop.post("/v1/api/commerce/carts", cart.failure.idempotencyKey === null ? {} : { idempotencyKey: cart.failure.idempotencyKey });
}

await shop.get("/v1/api/catalog/products", { query: { q: "drill", per_page: 10 } });
await shop.delete("/v1/api/commerce/carts/{id}/discount", { path, ifMatch: '"1"' });
const sold = await shop.post("/v1/api/commerce/carts/{id}/checkout", { path, body: { email: "ada@example.com", expected_total_amount: 4570 } });
const order: components["schemas"]["Order"] | null = sold.ok ? sold.body.data : null;
const gone = await shop.delete("/v1/api/contacts/me/addresses/{id}", { path });
const nothing: undefined | false = gone.ok && gone.body;

await shop.get("/v1/api/commerce/carts/{id}", { path, query: { include: ["details"] }, ifNoneMatch: '"1"' });
// @ts-expect-error: the addition is unknown.
await shop.get("/v1/api/commerce/carts/{id}", { path, query: { include: ["facets"] } });
// @ts-expect-error: there is no such path.
await shop.get("/v1/api/commerce/cart");
// @ts-expect-error: the path has no such method.
await shop.put("/v1/api/commerce/carts");
// @ts-expect-error: the id is missing.
await shop.get("/v1/api/commerce/carts/{id}");
// @ts-expect-error: the body is missing.
await shop.post("/v1/api/commerce/carts/{id}/lines", { path });
// @ts-expect-error: the quantity is missing.
await shop.post("/v1/api/commerce/carts/{id}/lines", { path, body: { product_id: path.id } });
// @ts-expect-error: the filter is unknown.
await shop.get("/v1/api/catalog/products", { query: { search: "drill" } });
// @ts-expect-error: the body is there only after a success.
cart.body;

const stop: () => void = shop.watchCart(path.id, {
  include: ["details"],
  changed: ({ data, details }) => {
    const total: number = data.totals.total.amount;
    const slug: string | null | undefined = details?.lines[data.lines[0]!.id]?.slug;
  },
  ended: (why) => {
    const status: number | undefined = typeof why === "string" ? undefined : why.status;
  },
});
// @ts-expect-error: the function that shows the cart is missing.
shop.watchCart(path.id, {});
