import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./source.js";

const { changes } = await source("changes.ts");

const book = { id: "1", name: "Book", quantity: 1, unit_price_amount: 2450 };
const hook = { id: "2", name: "Hook", quantity: 4, unit_price_amount: 100 };
const address = { name: "Ada", street: "Dam 1", postal_code: "1012 JS", city: "Amsterdam" };
const seen = { lines: [book], total: 3145, delivery: "Parcel", address };

for (const [what, now, want] of [
  ["nothing", {}, []],
  ["a line more", { lines: [book, hook], total: 3545 }, ["Hook has been added.", "In all it costs 3545 instead of 3145."]],
  ["a line less", { lines: [] }, ["Book is no longer in the cart."]],
  ["a quantity", { lines: [{ ...book, quantity: 2 }] }, ["Book: 2 instead of 1."]],
  ["a price", { lines: [{ ...book, unit_price_amount: 2000 }] }, ["Book costs 2000 instead of 2450."]],
  ["the delivery", { delivery: "Pallet" }, ["It is delivered by: Pallet."]],
  ["a delivery that is gone", { delivery: null }, ["The delivery must be chosen again."]],
  ["the address", { address: { ...address, street: "Dam 2" } }, ["It goes to another address."]],
]) {
  test(`what changed: ${what}`, () => assert.deepEqual(changes(seen, { ...seen, ...now }, String), want));
}
