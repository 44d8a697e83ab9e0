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
  await shop.post("/v1/api/commerce/carts", { idempotencyKey: cart.failure.idempotencyKey });
}

const ended: "invalid" | null = cart.customerTokenStatus;
await shop.get("/v1/api/catalog/products", { query: { q: "drill", per_page: 10 } });
await shop.delete("/v1/api/commerce/carts/{id}/discount", { path, ifMatch: '"1"' });
const sold = await shop.post("/v1/api/commerce/carts/{id}/checkout", { path, body: { email: "ada@example.com", expected_total_amount: 4570 } });
const order: components["schemas"]["Order"] | null = sold.ok ? sold.body.data : null;
const gone = await shop.delete("/v1/api/contacts/me/addresses/{id}", { path });
const nothing: undefined | false = gone.ok && gone.body;

// What is asked for by name is there; without it, or by a list that the compiler does not know, it may be absent.
const detailed = await shop.get("/v1/api/commerce/carts/{id}", { path, query: { include: ["details", "error_codes"] }, ifNoneMatch: '"1"' });
if (detailed.ok) {
  const slug: string | null | undefined = detailed.body.details.lines[detailed.body.data.lines[0]!.id]?.slug;
}
const added = await shop.post("/v1/api/commerce/carts/{id}/lines", { path, query: { include: ["details"] }, body: { product_id: path.id, quantity: 1 } });
if (added.ok) {
  const shipped: boolean = added.body.details.requires_shipping;
}
const claimed = await shop.post("/v1/api/commerce/carts/{id}/claim", { path, query: { include: ["merge_report"] } });
if (claimed.ok) {
  const moved: number | undefined = claimed.body.merge_report[0]?.moved;
  // @ts-expect-error: the details were not asked for.
  claimed.body.details.lines;
}
const listed = await shop.get("/v1/api/catalog/products", { query: { attributes: { Colour: ["White", "Silver"], Room: "Bedroom" }, "ids[]": [path.id], include: ["facets"] } });
if (listed.ok) {
  const count: number | undefined = listed.body.facets.attributes[0]?.values[0]?.count;
}
if (listed.ok) await shop.get("/v1/api/catalog/products", { ifNoneMatch: listed.etag });
if (added.ok) await shop.patch("/v1/api/commerce/carts/{id}", { path, body: { metadata: null }, ifMatch: added.etag });
const plain = await shop.get("/v1/api/commerce/carts/{id}", { path });
// @ts-expect-error: the details were not asked for.
if (plain.ok) plain.body.details.lines;
const names: "details"[] = [];
const perhaps = await shop.get("/v1/api/commerce/carts/{id}", { path, query: { include: names } });
// @ts-expect-error: the list may be empty.
if (perhaps.ok) perhaps.body.details.lines;
if (!plain.ok && plain.failure.kind === "refused" && plain.failure.details.errors) {
  const codes: components["schemas"]["ErrorCode"][] | undefined = plain.failure.details.error_codes.email;
}

const page = await shop.get("/docs");
const html: string | false = page.ok && page.body;
// @ts-expect-error: watchCart follows the events.
await shop.get("/v1/api/commerce/carts/{id}/events", { path });
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
    const slug: string | null | undefined = details.lines[data.lines[0]!.id]?.slug;
  },
  ended: (why) => {
    const status: number | undefined = typeof why === "string" ? undefined : why.status;
  },
});
shop.watchCart(path.id, {
  // @ts-expect-error: the details were not asked for.
  changed: ({ details }) => details.lines,
});
// @ts-expect-error: the function that shows the cart is missing.
shop.watchCart(path.id, {});

// Members with a default may be left out, and a PATCH of an address leaves out all but what changes.
const recipient = { name: "Ada", street: "Dam 1", postal_code: "1012 JS", city: "Amsterdam", country: "NL" };
await shop.post("/v1/api/contacts/register", { body: { email: "ada@example.com", password: "a long password" } });
await shop.put("/v1/api/contacts/by-external-id/{external_id}", { path: { external_id: "7" }, body: { email: "ada@example.com" } });
await shop.post("/v1/api/contacts/me/addresses", { body: recipient });
await shop.patch("/v1/api/contacts/me/addresses/{id}", { path, body: { city: "Utrecht" } });
await shop.post("/v1/api/orders/{id}/cancel", { path, body: { reason: "late" } });
await shop.post("/v1/api/contacts/{id}/tokens", { path, body: {} });
const one: components["schemas"]["CartDiscountCodeError"] = null as components["schemas"]["Cart"]["discount_code_error"];
const same: components["schemas"]["CartDiscountCode"]["error"] = one;
