import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./source.js";

const { fullTotal, lineTotal, sums, sumsWithoutTax, withoutTax } = await source("sums.ts");

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

const netStore = {
  lines: [line(10000, 1, 9000), line(1000, 3, 2700)],
  discounts: [discount("order", "Ten", null, 1300)],
  totals: { total: euro(14157), tax_breakdown: [{ rate: 21, tax: 2457 }] },
};

test("in a store without tax, tax is a row", () => {
  const made = addsUp(netStore, null, 14157);
  assert.deepEqual(made.rows.at(-1), { kind: "tax", label: "Tax, 21 %", note: null, amount: 2457 });
  assert.deepEqual(made.included, []);
  assert.equal(made.withTax, false);
});

test("in a store without tax, a chosen delivery and all tax are rows", () => {
  const made = addsUp(netStore, { price: euro(1000), order_total: euro(15367) }, 15367);
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
    ...netStore,
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

// Without tax, as companies see them.

const rowsWithoutTax = (of, delivery = null) => {
  const made = sumsWithoutTax(of, delivery);
  assert.equal(
    made.rows.reduce((sum, one) => sum + one.amount, 0),
    made.total,
  );
  return made.rows.map((one) => [one.kind, one.label, one.note, one.amount]);
};

test("tax is taken off half up", () => {
  assert.equal(withoutTax(7375, 21), 6095);
  assert.equal(withoutTax(103, 3), 100);
  assert.equal(withoutTax(3, 100), 2); // 1.5
  assert.equal(withoutTax(1000, 5.5), 948);
  assert.equal(withoutTax(1000, 0), 1000);
});

/** A line of an order in a store with tax: what it costs before and after discounts. */
const taxed = (unit, quantity, total, rate) => ({
  ...line(unit, quantity, total),
  unit_price_without_tax: euro(withoutTax(unit, rate)),
  line_total_without_tax: euro(withoutTax(total, rate)),
  tax_rate: rate,
});

test("without tax, a line is its price before discounts: of a cart the API's, of an order by its rate", () => {
  assert.equal(fullTotal(taxed(590, 12.5, 6269, 21), true), 6095);
  assert.equal(fullTotal(taxed(590, 12.5, 6269, 21), false), 7375);
  assert.equal(fullTotal({ ...taxed(590, 12.5, 6269, 21), full_total_without_tax: euro(6094) }, true), 6094);
  const untaxed = { ...line(590, 12.5, 6269), unit_price_without_tax: euro(590), line_total_without_tax: euro(6269), tax_rate: 21 };
  assert.equal(fullTotal(untaxed, true), 7375); // the store's prices are without tax
});

test("without tax, what rounding makes of two lines is a row", () => {
  const cart = {
    lines: [taxed(100, 1, 100, 21), taxed(100, 1, 100, 21)],
    discounts: [],
    totals: { subtotal: euro(165), total: euro(200), tax_breakdown: [{ rate: 21, tax: 35 }] },
  };
  assert.deepEqual(rowsWithoutTax(cart), [
    ["goods", "Goods", null, 166],
    ["rounding", "Rounding", null, -1],
    ["tax", "Tax, 21 %", null, 35],
  ]);
});

const trade = {
  lines: [taxed(9800, 1, 8330, 21), taxed(2180, 1, 1853, 9)],
  discounts: [discount("order", "Friends", "FRIENDS15", 1797), discount("shipping", "Three euro off", "SHIP3", 300)],
  totals: {
    subtotal: euro(8584), // 6884 + 1700
    total: euro(10183),
    tax_breakdown: [
      { rate: 21, tax: 1446 },
      { rate: 9, tax: 153 },
    ],
  },
};

test("without tax, one discount has its name, and the taxes are rows", () => {
  assert.deepEqual(rowsWithoutTax(trade), [
    ["goods", "Goods", null, 10099],
    ["discount", "Friends", "FRIENDS15", -1515],
    ["tax", "Tax, 21 %", null, 1446],
    ["tax", "Tax, 9 %", null, 153],
  ]);
});

test("without tax, several discounts are one row", () => {
  const discounts = [discount("order", "Friends", "FRIENDS15", 1000), discount("products", "Tools", null, 797)];
  assert.deepEqual(rowsWithoutTax({ ...trade, discounts })[1], ["discount", "Discounts", "Friends FRIENDS15, Tools", -1515]);
});

test("without tax, a chosen delivery is without tax, and all tax is a row", () => {
  const delivery = { price: euro(395), price_without_tax: euro(326), order_total: euro(10578) };
  assert.deepEqual(rowsWithoutTax(trade, delivery).slice(2), [
    ["delivery", "Delivery", "after Three euro off SHIP3", 326],
    ["tax", "Tax", null, 1668],
  ]);
});
