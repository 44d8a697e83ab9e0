import assert from "node:assert/strict";
import { test } from "node:test";

test("a shop on the open internet does not start with the secret of the demo", async () => {
  Object.assign(process.env, {
    CARTD_URL: "http://c",
    CARTD_KEY: "k",
    CARTD_MERCHANT_KEY: "m",
    SHOP_URL: "https://shop.example.com",
    PAYMENT_SECRET: "demo-payment-secret",
  });
  await assert.rejects(import("../src/server/settings"), /PAYMENT_SECRET/);
});
