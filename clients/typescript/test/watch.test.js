import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { body, shopAt, startDemo } from "./demo.js";

const cartID = "5f0c6f0e-8f3a-4a53-9b1a-3a1c5d0e7f11";
const quick = { pause: 5, readEvery: 20 };

/** Collects what a watch calls; `next` waits for the next call. */
function watched(t, shop, id, options = {}) {
  const calls = [];
  const waiting = [];
  const note = (call) => (waiting.length > 0 ? waiting.shift()(call) : calls.push(call));
  const stop = shop.watchCart(id, { changed: (cart) => note({ cart }), ended: (why) => note({ why }), ...quick, ...options });
  t.after(stop);
  return { stop, calls, next: () => (calls.length > 0 ? calls.shift() : new Promise((resolve) => waiting.push(resolve))) };
}

/** A server that answers its requests by functions in turn, the last one again and again. */
async function serve(t, ...answers) {
  const seen = [];
  const wake = [];
  const server = createServer((request, response) => {
    const closed = new Promise((resolve) => response.once("close", resolve));
    seen.push({ url: request.url, headers: request.headers, at: Date.now(), closed });
    answers[Math.min(seen.length, answers.length) - 1](response, request);
    wake.splice(0).forEach((look) => look());
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  t.after(() => (server.closeAllConnections(), server.close()));
  const until = async (n) => {
    while (seen.length < n) await new Promise((resolve) => wake.push(resolve));
  };
  return { seen, until, shop: shopAt(`http://127.0.0.1:${server.address().port}`, { retries: 0, pause: 0, customerToken: "a token" }) };
}

const event = (name, data, more = "") => `${more}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const cart = (email, version) => event("cart", { data: { email } }, `id: ${version}\n`);
const stream = (...events) => (response) => response.writeHead(200, { "Content-Type": "text/event-stream" }).write(events.join(""));
const cut = (...events) => (response) => (stream(...events)(response), setImmediate(() => response.destroy()));
const refuse = (status, headers = {}) => (response) => response.writeHead(status, { "Content-Type": "application/json", ...headers }).end('{"message":"no"}');

test("a cart is followed to its sale", async (t) => {
  const url = await startDemo(t);
  const [here, there] = [shopAt(url), shopAt(url)];
  const { id } = (await body(here.post("/v1/api/commerce/carts"))).data;
  const path = { id };
  const watch = watched(t, here, id, { include: ["details"] });
  assert.equal((await watch.next()).cart.data.lines_count ?? 0, 0);
  await body(there.post("/v1/api/commerce/carts/{id}/lines", { path, body: { product_id: "10000000-0000-4000-8000-000000000201", quantity: 2 } }));
  const { data, details } = (await watch.next()).cart;
  assert.equal(data.lines[0].quantity, 2);
  assert.ok(details.lines[data.lines[0].id].slug);
  const methods = await body(there.get("/v1/api/commerce/carts/{id}/shipping-methods", { path }));
  const place = { name: "Ada", street: "Dam 1", postal_code: "1012 JS", city: "Amsterdam", country: "NL" };
  const sale = { email: "ada@example.com", shipping_method_id: methods.data[0].id, shipping_address: place };
  await body(there.post("/v1/api/commerce/carts/{id}/checkout", { path, body: sale }));
  assert.equal((await watch.next()).cart.data.status, "converted");
  assert.equal((await watch.next()).why, "converted");
});

test("a lost connection is opened again by Last-Event-ID, after a pause", async (t) => {
  const { seen, until, shop } = await serve(t, cut(cart("a", "v1")), cut(event("ping", {})), stream(cart("a", "v1"), cart("b", "v2")));
  const watch = watched(t, shop, cartID);
  assert.equal((await watch.next()).cart.data.email, "a");
  assert.equal((await watch.next()).cart.data.email, "b", "a version is shown once");
  await until(3);
  assert.deepEqual(seen.map(({ headers }) => headers["last-event-id"]), [undefined, "v1", "v1"]);
  assert.equal(seen[0].url, `/v1/api/commerce/carts/${cartID}/events`);
  assert.equal(seen[0].headers.authorization, "Bearer demo-storefront-key");
  assert.equal(seen[0].headers["x-customer-token"], "a token");
});

test("an event may come in pieces", async (t) => {
  const text = Buffer.from(cart("café", "v1"));
  const { shop } = await serve(t, async (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const byte of text) {
      response.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
  });
  assert.equal((await watched(t, shop, cartID).next()).cart.data.email, "café");
});

test("reconnections are spread", async (t) => {
  const { seen, until, shop } = await serve(t, (response) => response.destroy());
  for (let n = 0; n < 12; n++) watched(t, shop, cartID, { pause: 300 });
  await until(24);
  const pauses = seen.slice(12, 24).map(({ at }) => at - seen[0].at);
  assert.ok(Math.min(...pauses) >= 145, `${pauses}`);
  assert.ok(Math.max(...pauses) - Math.min(...pauses) > 50, `${pauses}`);
});

test("after a drain the pause is the server's", async (t) => {
  const { seen, until, shop } = await serve(t, stream(event("end", { reason: "drain" }, "retry: 250\n")), stream());
  watched(t, shop, cartID, { pause: 1 });
  await until(2);
  assert.ok(seen[1].at - seen[0].at >= 240, `${seen[1].at - seen[0].at} ms`);
});

test("while the server has no room the cart is read", async (t) => {
  const read = (email, version) => (response) => response.writeHead(200, { "Content-Type": "application/json", ETag: `"${version}.0123456789abcdef"` }).end(JSON.stringify({ data: { email } }));
  const [one, two] = ["0000000000000001", "0000000000000002"];
  const { seen, until, shop } = await serve(t, refuse(503, { "Retry-After": "1" }), read("a", one), read("a", one), read("b", two), read("b", two), (response, request) =>
    request.url.endsWith("/events") ? stream(cart("c", "v3"))(response) : read("b", two)(response),
  );
  const watch = watched(t, shop, cartID, { readEvery: 100 });
  for (const email of ["a", "b", "c"]) assert.equal((await watch.next()).cart.data.email, email);
  await until(6);
  const urls = seen.map(({ url }) => url.slice(url.indexOf(cartID) + cartID.length));
  assert.equal(urls[0], "/events");
  assert.ok(urls.lastIndexOf("/events") > 4, `${urls}`);
  assert.equal(seen[urls.lastIndexOf("/events")].headers["last-event-id"], two);
});

test("a refusal ends the watch", async (t) => {
  const { seen, shop } = await serve(t, stream(cart("a", "v1"), event("end", { reason: "refused" })), refuse(403));
  const watch = watched(t, shop, cartID);
  await watch.next();
  const { why } = await watch.next();
  assert.equal(why.kind, "refused");
  assert.equal(why.status, 403);
  assert.equal(seen.length, 2);
});

for (const reason of ["converted", "merged", "expired"]) {
  test(`the watch ends with the cart: ${reason}`, async (t) => {
    const { seen, shop } = await serve(t, stream(cart("a", "v1"), event("end", { reason })));
    const watch = watched(t, shop, cartID);
    await watch.next();
    assert.deepEqual(await watch.next(), { why: reason });
    assert.equal(seen.length, 1);
  });
}

test("a fault of the server and a 429 are tried again", async (t) => {
  const { shop } = await serve(t, refuse(500), refuse(429, { "Retry-After": "0.01" }), stream(event("end", { reason: "fault" })), stream(cart("a", "v1")));
  assert.equal((await watched(t, shop, cartID).next()).cart.data.email, "a");
});

test("a silent connection counts as lost", async (t) => {
  const { seen, until, shop } = await serve(t, stream(cart("a", "v1")));
  watched(t, shop, cartID, { silence: 60 });
  await until(2);
  await seen[0].closed;
});

test("the stream is closed while the page is hidden", async (t) => {
  const page = Object.assign(new EventTarget(), { visibilityState: "hidden" });
  globalThis.document = page;
  t.after(() => delete globalThis.document);
  const show = (state) => ((page.visibilityState = state), page.dispatchEvent(new Event("visibilitychange")));
  const { seen, until, shop } = await serve(t, stream(cart("a", "v1")));
  const watch = watched(t, shop, cartID, { pause: 1 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(seen.length, 0);
  show("visible");
  await watch.next();
  show("hidden");
  await seen[0].closed;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(seen.length, 1);
  show("visible");
  await until(2);
  assert.equal(seen[1].headers["last-event-id"], "v1");
  show("hidden");
  await seen[1].closed;
  watch.stop();
  show("visible");
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(seen.length, 2);
});

test("a stop closes the connection", async (t) => {
  const { seen, shop } = await serve(t, stream(cart("a", "v1")));
  const watch = watched(t, shop, cartID);
  await watch.next();
  watch.stop();
  await seen[0].closed;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(seen.length, 1);
  assert.deepEqual(watch.calls, []);
});
