// Each option that the description or the README names, against a real server.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Shop } from "cartd-client";
import { body, shopAt, startDemo } from "./demo.js";

const description = JSON.parse(await readFile(new URL("../../../docs/openapi.json", import.meta.url), "utf8"));
const book = "10000000-0000-4000-8000-000000000901";
const nobody = "99999999-9999-4999-8999-999999999999";
const address = { name: "Grace Hopper", street: "Dam 1", postal_code: "1012 JS", city: "Amsterdam", country: "NL" };

/** A value of each parameter of a query. */
const samples = {
  q: "drill", category_id: nobody, in_category: "curtains", "ids[]": [book, nobody], sku: "CD-18-B", capability: "standard", price_min: 100, price_max: 99_900,
  attributes: { Colour: ["Sage", "Night blue"], Room: "Bedroom" }, sort: "-price", page: 2, per_page: 10, country: "NL", discount_id: nobody, status: "placed",
  placed_from: "2026-01-01", placed_to: "2026-12-31T12:00:00Z", after: 0, payment_status: "not_required", path: "/old", "product_ids[]": [book, nobody],
  "variant_ids[]": [nobody], cart_id: nobody,
  number: 1, customer_id: nobody, email: "ada@example.com", before: 9, state: "offered", below: 5, external_id: "idp-1", awaiting: "true", days: 7, code: "SHIP3",
  short: "10000000",
};

/** A shop that keeps the headers of its last answer. */
function recording(url, options) {
  const shop = shopAt(url, { ...options, fetch: async (request) => {
    const answer = await fetch(request);
    shop.last = { url: decodeURIComponent(request.url), ignored: answer.headers.get("X-Ignored-Parameters") };
    return answer;
  } });
  return shop;
}

test("every parameter of every operation is one that the server reads", async (t) => {
  const url = await startDemo(t);
  const [merchandising, backOffice, merchant, desk] = ["demo-merchandising-key", "demo-back-office-key", "demo-merchant-key", "demo-desk-key"];
  const keys = { "contacts:manage": "demo-login-key", "catalog:manage": merchandising, "catalog:write": backOffice, "orders:read": merchant, "orders:write": merchant, "store:read": desk, "sales:manage": desk };
  let asked = 0;
  for (const [path, operations] of Object.entries(description.paths)) {
    if (!path.startsWith("/v1/api/") || path.endsWith("/events")) continue; // watchCart has tests of its own
    for (const [method, operation] of Object.entries(operations)) {
      const scope = operation.security[0]?.apiKey[0];
      const shop = recording(url, { key: keys[scope] ?? "demo-storefront-key", customerToken: "demo-token-ada" });
      const input = { path: { id: nobody, lineId: nobody, token: "none", external_id: "none", code: "none", list: "products" }, ...(operation.requestBody && { body: {} }) };
      for (const { name, schema } of operation.parameters.filter((one) => one.in === "query")) {
        const values = name === "include" ? schema.items.enum.map((one) => [one]) : (schema.enum ?? [samples[name]]);
        for (const value of values) {
          assert.notEqual(value, undefined, `a sample of ${name}`);
          const result = await shop[method](path, { ...input, query: { [name]: value } });
          assert.equal(shop.last.ignored, null, `${method} ${shop.last.url}`);
          const opaque = schema.type === "string" && (name === "after" || name === "before"); // a place that only an answer gives
          assert.ok(result.ok || opaque || result.failure.errors?.[name] === undefined, JSON.stringify(result));
          assert.ok(result.ok || ![401, 403].includes(result.failure.status), `${method} ${path}: ${JSON.stringify(result)}`);
          asked++;
        }
      }
      const control = await shop[method](path, { ...input, query: { nonsense: 1 } });
      if (control.failure?.status !== 401) assert.equal(shop.last.ignored, "nonsense", `${method} ${path}`); // 401: logged out just now
    }
  }
  assert.ok(asked > 100, `${asked} parameters`);
});

test("filters, lists and additions have their effect", async (t) => {
  const shop = recording(await startDemo(t));
  const list = async (query) => (await body(shop.get("/v1/api/catalog/products", { query }))).data;
  const slugs = async (query) => (await list(query)).map((one) => one.slug);
  const coloured = (Colour) => slugs({ attributes: { Colour } });
  const [sage, blue, both] = [await coloured("Sage"), await coloured("Night blue"), await coloured(["Sage", "Night blue"])];
  assert.ok(sage.length > 0 && blue.length > 0);
  assert.deepEqual([...both].sort(), [...new Set([...sage, ...blue])].sort());
  assert.match(shop.last.url, /attributes\[Colour\]\[\]=Sage&attributes\[Colour\]\[\]=Night(\+| )blue/);
  assert.deepEqual(await slugs({ attributes: { Colour: ["Sage"], Material: "no such" } }), []);
  const [first, second] = await list({ sort: "name" });
  assert.deepEqual(await slugs({ "ids[]": [second.id, first.id] }), [second.slug, first.slug]);
  assert.deepEqual(await slugs({ "ids[]": [second.id], q: undefined, sku: null }), [second.slug]);
  assert.ok((await list({ q: "Øqxj & # ? [qxü]" })).length === 0);
  const { facets } = await body(shop.get("/v1/api/catalog/products", { query: { include: ["facets"] } }));
  assert.ok(facets.attributes.length > 0);
  const missing = await shop.get("/v1/api/catalog/products/{id}", { path: { id: "a/b?c#d é" } });
  assert.deepEqual([missing.failure?.status, missing.failure?.message], [404, "No query results for model [Product] a/b?c#d é"]);
});

test("a customer's token that has ended is told by every answer that is a guest's", async (t) => {
  const shop = shopAt(await startDemo(t));
  const status = async (promise) => [(await promise).ok, (await promise).customerTokenStatus];
  const product = () => shop.get("/v1/api/catalog/products/{id}", { path: { id: "cordless-drill-18v" } });
  for (const [customerToken, want] of [[null, null], ["demo-token-ada", null], ["demo-token-none", "invalid"]]) {
    shop.customerToken = customerToken;
    const name = String(customerToken);
    assert.deepEqual(await status(product()), [true, want], name);
    assert.deepEqual(await status(shop.post("/v1/api/commerce/carts")), [true, want], name);
    assert.deepEqual(await status(shop.get("/v1/api/catalog/products/{id}", { path: { id: "none" } })), [false, want], name);
  }
  // A route that needs the token refuses it instead.
  assert.deepEqual(await status(shop.get("/v1/api/contacts/me")), [false, null]);
});

test("the options of every method", async (t) => {
  const url = await startDemo(t);
  const shop = shopAt(url, { customerToken: "demo-token-ada" });
  const kept = await shop.get("/v1/api/contacts/me/addresses");
  const unchanged = await shop.get("/v1/api/contacts/me/addresses", { ifNoneMatch: `W/${kept.etag}` });
  assert.equal(unchanged.failure?.kind, "unchanged");
  const idempotencyKey = "a key of sixteen";
  const made = await shop.post("/v1/api/contacts/me/addresses", { body: address, idempotencyKey, ifMatch: `W/${kept.etag}` });
  assert.deepEqual([made.status, made.replayed], [201, false]);
  const again = await shop.post("/v1/api/contacts/me/addresses", { body: address, idempotencyKey, ifMatch: kept.etag });
  assert.deepEqual([again.status, again.replayed, again.body.data.id], [201, true, made.body.data.id]);
  const path = { id: made.body.data.id };
  for (const [name, call] of Object.entries({
    patch: (input) => shop.patch("/v1/api/contacts/me/addresses/{id}", { path, body: { city: "Utrecht" }, ...input }),
    delete: (input) => shop.delete("/v1/api/contacts/me/addresses/{id}", { path, ...input }),
  })) {
    const late = await call({ ifMatch: kept.etag });
    assert.equal(late.failure?.code, "version_mismatch", name);
    const key = `the key of ${name}`;
    assert.deepEqual([(await call({ idempotencyKey: key })).replayed, (await call({ idempotencyKey: key })).replayed], [false, true], name);
  }
  const absent = await shop.patch("/v1/api/contacts/me", { body: {}, ifMatch: null, idempotencyKey: null });
  assert.deepEqual([absent.status, absent.replayed], [200, false]);
  const read = await shop.get("/v1/api/contacts/me/addresses", { ifNoneMatch: null });
  assert.equal(read.status, 200);
  const password = "northwind-ada";
  const put = await shop.put("/v1/api/contacts/me/password", { body: { current_password: "wrong", password, password_confirmation: password } });
  assert.deepEqual(Object.keys(put.failure?.errors), ["current_password"]);
  const signal = AbortSignal.abort();
  for (const call of [
    () => shop.get("/v1/api/me", { signal }),
    () => shop.post("/v1/api/commerce/carts", { signal }),
    () => shop.patch("/v1/api/contacts/me", { body: {}, signal }),
    () => shop.put("/v1/api/contacts/me/password", { body: { current_password: "a", password, password_confirmation: password }, signal }),
    () => shop.delete("/v1/api/contacts/me/addresses/{id}", { path, signal }),
  ]) await assert.rejects(call(), { name: "AbortError" });
});

test("a trusted server names each visitor, who has failed logins of their own", async (t) => {
  const url = await startDemo(t, "--trusted-proxies", "127.0.0.0/8");
  const guess = (visitorAddress) => shopAt(url, { visitorAddress }).post("/v1/api/contacts/login", { body: { email: "ada@example.com", password: "wrong" } });
  for (let i = 0; i < 5; i++) assert.equal((await guess("203.0.113.7")).failure?.status, 422);
  const sixth = await guess("203.0.113.7");
  assert.equal(sixth.failure?.kind, "limited");
  assert.ok(sixth.failure.retryAfter > 0);
  assert.equal((await guess("203.0.113.8")).failure?.status, 422);
});

test("answers that are no JSON", async (t) => {
  const shop = shopAt(await startDemo(t));
  assert.match(await body(shop.get("/docs")), /^<!doctype html>/i);
  const page = async () => new Response("<html>Log in to this network</html>", { headers: { "Content-Type": "text/html" } });
  const strange = shopAt("http://127.0.0.1:1", { fetch: page, retries: 1, pause: 0 });
  const [read, written] = [await strange.get("/v1/api/me"), await strange.post("/v1/api/commerce/carts")];
  assert.deepEqual([read.failure?.kind, read.failure?.status], ["unavailable", 200]);
  assert.deepEqual([written.failure?.kind, written.failure?.status], ["unknown", 200]);
  assert.match(read.failure?.message ?? "", /no JSON/);
});

test("a shop is made of a scheme and a host only", async (t) => {
  const url = await startDemo(t);
  for (const good of [url, `${url}/`, url.replace("http:", "HTTP:")]) {
    const shop = new Shop({ url: good, key: "demo-storefront-key" });
    assert.ok((await shop.get("/v1/api/me")).ok, good);
    const cart = await body(shop.post("/v1/api/commerce/carts"));
    await new Promise((shown, ended) => {
      const stop = shop.watchCart(cart.data.id, { changed: () => (stop(), shown()), ended });
    });
  }
  const wrong = ["127.0.0.1:8080", "shop.example.com", "localhost:8080", "//shop.example.com", "", "/", "ftp://shop.example.com", undefined,
    `${url}/v1/api`, `${url}/v1`, `${url}//`, `${url}/?a=b`, `${url}?`, `${url}/#a`, "https://user:word@shop.example.com"];
  const rule = "The url of a shop is a server's scheme and host, such as https://shop.example.com, without a path.";
  for (const text of wrong) {
    const refusal = { name: "TypeError", message: `${rule} It is not ${JSON.stringify(text)}.` };
    assert.throws(() => new Shop({ url: text, key: "demo-storefront-key" }), refusal, text);
  }
});
