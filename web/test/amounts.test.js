import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./source.js";

const { fieldAmount, parseAmount, parseQuantity, rounded } = await source("amounts.ts", "desk");

test("an amount is read as people type it", () => {
  const cents = {
    "12,50": 1250,
    12.5: 1250,
    "12.50": 1250,
    12: 1200,
    "0,05": 5,
    "€ 12": 1200,
    "12,5 €": 1250,
    "EUR 3.10": 310,
    "1.234,50": 123_450,
    "1,234.50": 123_450,
    1.234: 123_400,
    "1 234,5": 123_450,
    "1'234": 123_400,
    "1.234.567,89": 123_456_789,
    " 7 ": 700,
  };
  for (const [typed, value] of Object.entries(cents)) assert.equal(parseAmount(typed), value, typed);
  for (const typed of ["", "twelve", "12,345,6", "1.234,567", "1,2,3", "-5", "12.", "12,50,00", "1.23.456", "9".repeat(20), "€"])
    assert.equal(parseAmount(typed), null, typed);
});

test("what a field shows is read as the same amount", () => {
  for (const amount of [0, 5, 1250, 123_450, 100_000_000_000]) assert.equal(parseAmount(fieldAmount(amount)), amount);
  assert.equal(fieldAmount(null), "");
});

test("a quantity has three decimals at most", () => {
  assert.deepEqual(["2", "2,5", "2.125", " 3 "].map(parseQuantity), [2, 2.5, 2.125, 3]);
  assert.deepEqual(["", "-1", "1e3", "2.1234", "a"].map(parseQuantity), [null, null, null, null, null]);
});

test("the marks of a chart are short", () => {
  assert.deepEqual([0, 500, 20_000, 50_000_000, 1_000_000_000].map(rounded), ["€0", "€5", "€200", "€500,000", "€10M"]);
});
