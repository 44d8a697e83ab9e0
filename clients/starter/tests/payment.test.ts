import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, test } from "node:test";
import { standInForCartd } from "./cartd";

let status = 200;
let code: string | undefined;
const cartd = await standInForCartd(() => ({ status, body: { message: "an answer", ...(code && { code }) } }));
after(() => (cartd.closeAllConnections(), cartd.close()));
const { POST } = await import("../src/app/api/payment/route");
const { provider } = await import("../src/payment/payment");
console.error = () => {};
const returned: string[] = [];
console.warn = (text: string) => void returned.push(text);

/** The answer to the provider for a payment with this reference. */
async function notified(reference: string): Promise<number> {
  const body = JSON.stringify({ reference, order: "o", amount: 100 });
  const signature = createHmac("sha256", "s").update(body).digest("base64url");
  return (await POST(new Request("http://shop/api/payment", { method: "POST", body, headers: { "X-Signature": signature } }))).status;
}

test("the provider is answered 2xx only for what cartd has judged", async () => {
  for (const [answer, want] of [
    [200, 204],
    [404, 204],
    [409, 204],
    [422, 204],
    [401, 503],
    [403, 503],
    [408, 503],
    [429, 503],
    [500, 503],
    [502, 503],
  ] as const) {
    status = answer;
    assert.equal(await notified(`r${answer}`), want, String(answer));
  }
});

test("money that is never taken goes back, once", async () => {
  status = 409;
  for (code of ["ORDER_CANCELLED", "ALREADY_PAID", "AMOUNT_DIFFERS"]) {
    returned.length = 0;
    assert.deepEqual([await notified(code), await notified(code)], [204, 204]);
    assert.deepEqual(returned, [`stand-in: 100 cents of payment ${code} are returned`]);
  }
});

test("a notification that the provider has not signed is refused", async () => {
  assert.equal((await POST(new Request("http://shop/api/payment", { method: "POST", body: "{}" }))).status, 400);
});

test("an order that is paid or cancelled is not paid again", async () => {
  const { startPayment } = await import("../src/payment/payment");
  const order = { id: "o", number: 1, status: "placed", payment: { status: "due" }, totals: { total: { amount: 100, currency: "EUR" } } };
  const start = (more: object) => startPayment({ ...order, ...more } as Parameters<typeof startPayment>[0], "/thanks/t");
  assert.match(await start({}), /^\/pay\//);
  assert.equal(await start({ payment: { status: "paid" } }), "/thanks/t");
  assert.equal(await start({ status: "cancelled" }), "/thanks/t");
  assert.ok(provider);
});
