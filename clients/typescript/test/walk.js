// One shopper from the first page to the order, and a second cart that becomes a quote.
import assert from "node:assert/strict";
import { body } from "./demo.js";

const tube = "10000000-0000-4000-8000-000000000201";
const blind = "10000000-0000-4000-8000-000000000101";
const fitting = "10000000-0000-4000-8000-000000000802";
const png = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";
const address = { name: "Grace Hopper", street: "Dam 1", postal_code: "1012 JS", city: "Amsterdam", country: "NL" };

/** Walks with `shop`; `email` and `password` are those of an account without orders. */
export async function walk(shop, { email, password }) {
  // Browse: a search, the product's page, its configurator.
  const found = await body(shop.get("/v1/api/catalog/products", { query: { q: "drill 18" } }));
  assert.equal(found.data[0].slug, "cordless-drill-18v");
  const drill = await body(shop.get("/v1/api/catalog/products/{id}", { path: { id: "cordless-drill-18v" } }));
  const schema = await body(shop.get("/v1/api/configurator/products/{id}/schema", { path: { id: blind } }));
  assert.ok(schema.dimensions.length > 0);

  // A cart: a plain line twice, a variant, a line to take out again.
  const cart = (await body(shop.post("/v1/api/commerce/carts"))).data;
  const path = { id: cart.id };
  await body(shop.post("/v1/api/commerce/carts/{id}/lines", { path, body: { product_id: tube, quantity: 2.5 } }));
  await body(shop.post("/v1/api/commerce/carts/{id}/lines", { path, body: { product_id: tube, quantity: 0.5 } }));
  const batch = { lines: [{ product_id: drill.id, variant_id: drill.variants[0].id, quantity: 1 }, { product_id: fitting, quantity: 1 }] };
  const filled = (await body(shop.post("/v1/api/commerce/carts/{id}/lines/batch", { path, body: batch }))).data;
  const line = filled.lines.find((one) => one.product_id === fitting);
  await body(shop.delete("/v1/api/commerce/carts/{id}/lines/{lineId}", { path: { id: cart.id, lineId: line.id } }));

  // Made to measure: its price, then the line.
  const configuration = { dimensions: { width: 1200, height: 1500 }, choices: ["blackout", "blackout-night", "wall-mount", "chain"] };
  const quoted = await body(shop.post("/v1/api/configurator/products/{id}/quote", { path: { id: blind }, body: configuration }));
  const measured = await shop.post("/v1/api/commerce/carts/{id}/lines", { path, body: { product_id: blind, quantity: 1, configuration } });
  assert.ok(measured.ok);
  assert.equal(measured.body.data.lines.at(-1).unit_price_amount, quoted.unit_price_amount);

  // A code, on the version that was just shown.
  const coded = await body(shop.post("/v1/api/commerce/carts/{id}/discount", { path, body: { code: "FRIENDS15" }, ifMatch: measured.etag }));
  assert.equal(coded.data.discount_code_error, null);
  assert.ok(coded.data.totals.discount_total.amount > 0);

  // A second code, which needs its name written in a path, goes off again.
  await body(shop.post("/v1/api/commerce/carts/{id}/discount", { path, body: { code: "50% off/now" } }));
  const named = await body(
    shop.delete("/v1/api/commerce/carts/{id}/discount/{code}", { path: { ...path, code: "50% OFF/now" }, query: { include: ["details"] } }),
  );
  assert.deepEqual(named.details.discount_codes, [{ code: "FRIENDS15", error: null }]);

  // Log in and claim.
  const login = await body(shop.post("/v1/api/contacts/login", { body: { email, password } }));
  shop.customerToken = login.token;
  const claimed = (await body(shop.post("/v1/api/commerce/carts/{id}/claim", { path }))).data;
  assert.deepEqual(claimed.lines.map((one) => [one.product_id, one.quantity]), [[tube, 3], [drill.id, 1], [blind, 1]]);

  // Check out, at the total with the delivery that was shown.
  const methods = await body(shop.get("/v1/api/commerce/carts/{id}/shipping-methods", { path }));
  const order = { shipping_method_id: methods.data[0].id, shipping_address: address };
  const wrong = await shop.post("/v1/api/commerce/carts/{id}/checkout", { path, body: { ...order, expected_total_amount: 1 } });
  assert.equal(wrong.failure?.code, "CART_CHANGED");
  assert.deepEqual(wrong.failure.details.discount_codes, named.details.discount_codes);
  const expected_total_amount = wrong.failure.details.current_total;
  const sold = (await body(shop.post("/v1/api/commerce/carts/{id}/checkout", { path, body: { ...order, expected_total_amount } }))).data;
  assert.equal(sold.totals.total.amount, expected_total_amount);
  assert.equal(sold.lines.length, 3);

  // Exactly one order, whatever was repeated.
  const orders = await body(shop.get("/v1/api/commerce/orders"));
  assert.deepEqual(orders.data.map((one) => one.id), [sold.id]);

  // A large cart becomes a quote, which is accepted.
  const large = (await body(shop.post("/v1/api/commerce/carts"))).data;
  const largePath = { id: large.id };
  await body(shop.post("/v1/api/commerce/carts/{id}/lines", { path: largePath, body: { product_id: fitting, quantity: 90 } }));
  const refused = await shop.post("/v1/api/commerce/carts/{id}/checkout", { path: largePath, body: {} });
  assert.equal(refused.failure?.code, "QUOTE_REQUIRED");
  const offer = (await body(shop.post("/v1/api/commerce/carts/{id}/quote-request", { path: largePath, body: { reference: "RFQ 7" } }))).data;
  const accept = { path: { token: offer.token }, body: { signer_name: "Grace Hopper", signature: png } };
  const accepted = await body(shop.post("/v1/api/sales/quotes/by-token/{token}/accept", accept));
  const after = await body(shop.get("/v1/api/commerce/orders"));
  assert.deepEqual(after.data.map((one) => one.id), [accepted.data?.order.id ?? accepted.order.id, sold.id]);
}
