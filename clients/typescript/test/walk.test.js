import assert from "node:assert/strict";
import { test } from "node:test";
import { body, shopAt, startDemo } from "./demo.js";
import { cuttingProxy } from "./proxy.js";
import { walk } from "./walk.js";

test("the whole walk", async (t) => {
  const shop = shopAt(await startDemo(t));
  await walk(shop, { email: "ada@example.com", password: "northwind-ada" });
});

test("replies that are cut at random points double no line and no order", async (t) => {
  const url = await startDemo(t);
  const proxy = await cuttingProxy(t, url, Number(process.env.SEED ?? Date.now() % 1e6));
  t.diagnostic(`SEED=${proxy.seed} repeats the dice`);
  const office = shopAt(url, { key: "demo-back-office-key" });
  const drill = await body(office.get("/v1/api/catalog/products/{id}", { path: { id: "cordless-drill-18v" } }));
  for (let i = 0; i < 10; i++) {
    const delivery = { product_id: drill.id, variant_id: drill.variants[0].id, quantity: 1, reason: "delivery" };
    await body(office.post("/v1/api/catalog/stock-adjustments", { body: delivery }));
    const account = { email: `shopper${i}@example.com`, password: "a long password" };
    await body(shopAt(url).post("/v1/api/contacts/register", { body: account }));
    await walk(shopAt(proxy.url, { retries: 100, pause: 0 }), account);
  }
  t.diagnostic(`${proxy.connections} connections, ${proxy.cut} of them cut`);
  assert.ok(proxy.cut > 40, `only ${proxy.cut} of ${proxy.connections} connections were cut`);
});
