import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./source.js";

const { lineTotal, sums } = await source("sums.ts");

const euro = (amount) => ({ amount, currency: "EUR" });
const line = (unit, quantity, total) => ({ unit_price_amount: unit, quantity, line_total: euro(total) });
const discount = (kind, name, code, amount) => ({ id: name, kind, name, code, amount });
const rows = (of, delivery = null) => sums(of, delivery).rows.map((one) => [one.kind, one.label, one.note, one.amount]);

/** Checks that the rows add up to the total. */
function addsUp(of, delivery, total) {
  const made = sums(of, delivery);
  assert.equal(made.total, total);
  assert.equal(
    made.rows.reduce((sum, one) => sum + one.amount, 0),
    total,
  );
  return made;
}

test("a line is rounded half up", () => {
  assert.equal(lineTotal(333, 2.5), 833); // 832.5
  assert.equal(lineTotal(1, 0.499), 0);
  assert.equal(lineTotal(995, 12), 11940);
});

const withTax = {
  lines: [line(9800, 1, 8330), line(690, 1.5, 880)], // 98.00 and 10.35 before 15 %
  discounts: [discount("order", "Friends", "FRIENDS15", 1625)],
  totals: { total: euro(9210), tax_breakdown: [{ rate: 21, base: 7612, tax: 1598 }] },
};

test("in a store with tax, a cart has goods, discounts and the tax that is included", () => {
  assert.deepEqual(rows(withTax), [
    ["goods", "Goods", null, 10835],
    ["discount", "Friends", "FRIENDS15", -1625],
  ]);
  const made = addsUp(withTax, null, 9210);
  assert.equal(made.withTax, true);
  assert.deepEqual(made.included, [{ rate: 21, base: 7612, tax: 1598 }]);
});

test("in a store with tax, a chosen delivery is a row, and the taxes with it are not known yet", () => {
  const delivery = { price: euro(695), order_total: euro(9905) };
  const made = addsUp(withTax, delivery, 9905);
  assert.deepEqual(made.rows.at(-1), { kind: "delivery", label: "Delivery", note: null, amount: 695 });
  assert.deepEqual(made.included, []);
});

test("an order's delivery stands as it was charged, with the discount on it in a note", () => {
  const order = {
    lines: [line(2450, 2, 4900)],
    discounts: [discount("shipping", "Three euro off", "SHIP3", 300)],
    totals: {
      total: euro(5295),
      tax_breakdown: [
        { rate: 9, tax: 405 },
        { rate: 21, tax: 69 },
      ],
    },
  };
  const made = addsUp(order, { price: euro(395) }, 5295);
  assert.deepEqual(made.rows.at(-1), { kind: "delivery", label: "Delivery", note: "after Three euro off SHIP3", amount: 395 });
  assert.equal(made.included.length, 2);
});

const withoutTax = {
  lines: [line(10000, 1, 9000), line(1000, 3, 2700)],
  discounts: [discount("order", "Ten", null, 1300)],
  totals: { total: euro(14157), tax_breakdown: [{ rate: 21, tax: 2457 }] },
};

test("in a store without tax, tax is a row", () => {
  const made = addsUp(withoutTax, null, 14157);
  assert.deepEqual(made.rows.at(-1), { kind: "tax", label: "Tax, 21 %", note: null, amount: 2457 });
  assert.deepEqual(made.included, []);
  assert.equal(made.withTax, false);
});

test("in a store without tax, a chosen delivery and all tax are rows", () => {
  const made = addsUp(withoutTax, { price: euro(1000), order_total: euro(15367) }, 15367);
  assert.deepEqual(
    made.rows.slice(2).map((one) => [one.label, one.amount]),
    [
      ["Delivery", 1000],
      ["Tax", 2667],
    ],
  );
});

test("in a store without tax, an order has a row for each rate", () => {
  const order = {
    ...withoutTax,
    totals: {
      total: euro(15367),
      tax_breakdown: [
        { rate: 21, tax: 2457 },
        { rate: 21.5, tax: 210 },
      ],
    },
  };
  assert.deepEqual(
    addsUp(order, { price: euro(1000) }, 15367)
      .rows.slice(3)
      .map((one) => [one.label, one.amount]),
    [
      ["Tax, 21 %", 2457],
      ["Tax, 21.5 %", 210],
    ],
  );
});

test("goods without tax with a taxed delivery: the tax is a row", () => {
  const cart = { lines: [line(5000, 1, 5000)], discounts: [], totals: { total: euro(5000), tax_breakdown: [{ rate: 0, tax: 0 }] } };
  assert.deepEqual(addsUp(cart, { price: euro(1000), order_total: euro(6210) }, 6210).rows.at(-1).amount, 210);
});

test("a discount on the delivery that is still to come is named at the delivery only", () => {
  const cart = {
    lines: [line(5000, 1, 5000)],
    discounts: [discount("shipping", "Free from 50", null, 0)],
    totals: { total: euro(5000), tax_breakdown: [{ rate: 21, tax: 868 }] },
  };
  assert.equal(addsUp(cart, null, 5000).rows.length, 1);
  assert.equal(addsUp(cart, { price: euro(0), order_total: euro(5000) }, 5000).rows[1].note, "after Free from 50");
});
