import assert from "node:assert/strict";
import { test } from "node:test";
import { greatestQuantity, leastQuantity, nextQuantity, packBeside, usualQuantity } from "cartd-client";

const any = { min_quantity: null, max_quantity: null, quantity_step: null };
const dozen = { min_quantity: 12, max_quantity: 60, quantity_step: 6 };
const cut = { min_quantity: null, max_quantity: null, quantity_step: 0.1 };

test("a page offers the smallest pack first", () => {
  assert.equal(usualQuantity(any), 1);
  assert.equal(usualQuantity(dozen), 12);
  assert.equal(usualQuantity({ ...any, quantity_step: 6 }), 6);
  assert.equal(leastQuantity(any, "m"), 0.001);
  assert.equal(leastQuantity(any, "piece"), 1);
});

test("a limit becomes whole packs", () => {
  assert.equal(greatestQuantity(any, 7.5), 7.5);
  assert.equal(greatestQuantity(dozen, 20), 18);
  assert.equal(greatestQuantity(dozen, 100), 60);
  assert.equal(greatestQuantity(dozen, 11), 0);
  assert.equal(greatestQuantity(cut, 0.3), 0.3);
});

test("more and less go by packs", () => {
  assert.equal(nextQuantity(dozen, "piece", 12, 1), 18);
  assert.equal(nextQuantity(dozen, "piece", 12, -1), 12);
  assert.equal(nextQuantity(dozen, "piece", 20, 1), 24);
  assert.equal(nextQuantity(dozen, "piece", 20, -1), 18);
  assert.equal(nextQuantity(cut, "m", 0.2, 1), 0.3);
  assert.equal(nextQuantity(any, "m", 0.5, -1), 0.001);
});

test("what is in the line counts", () => {
  assert.deepEqual(packBeside(dozen, 18), { min_quantity: null, max_quantity: 42, quantity_step: 6 });
  assert.deepEqual(packBeside(dozen, 6), { min_quantity: 6, max_quantity: 54, quantity_step: 6 });
  assert.deepEqual(packBeside(any, 3), any);
});
