import assert from "node:assert/strict";
import { test } from "node:test";
import { fullTotal, lineTotal, sameOrderAgain, shownPrice, sumsOf, withoutTax } from "cartd-client";
import { body, shopAt, startDemo } from "./demo.js";

const euro = (amount) => ({ amount, currency: "EUR" });
const line = (unit, quantity, total) => ({ unit_price_amount: unit, quantity, line_total: euro(total) });
const discount = (kind, name, code, amount) => ({ id: name, kind, name, code, amount });

/** The sums as `[kind, names of discounts or rate, amount]`. The rows must add up to the total. */
function rows(of, options) {
  const made = sumsOf(of, options);
  assert.equal(
    made.rows.reduce((sum, row) => sum + row.amount.amount, 0),
    made.total.amount,
  );
  return made.rows.map(({ kind, discounts, rate, amount }) => [kind, rate ?? discounts.map((one) => one.name).join(), amount.amount]);
}

const included = (of, options) => sumsOf(of, options).included.map(({ rate, tax }) => [rate, tax.amount]);

test("a line is rounded half up", () => {
  assert.equal(lineTotal(333, 2.5), 833); // 832.5
  assert.equal(lineTotal(1, 0.499), 0);
  assert.equal(lineTotal(995, 12), 11940);
});

test("tax is taken off half up", () => {
  assert.equal(withoutTax(7375, 21), 6095);
  assert.equal(withoutTax(103, 3), 100);
  assert.equal(withoutTax(3, 100), 2); // 1.5
  assert.equal(withoutTax(1000, 5.5), 948);
  assert.equal(withoutTax(1000, 0), 1000);
});

test("a visitor is shown the price or its twin", () => {
  const product = { price: euro(121), price_without_tax: euro(100), price_from: null, price_from_without_tax: null };
  assert.equal(shownPrice(product, "price", "inc").amount, 121);
  assert.equal(shownPrice(product, "price", "ex").amount, 100);
  assert.equal(shownPrice(product, "price_from", "ex"), null);
});

const withTax = {
  lines: [line(9800, 1, 8330), line(690, 1.5, 880)], // 98.00 and 10.35 before 15 %
  discounts: [discount("order", "Friends", "FRIENDS15", 1625)],
  totals: { subtotal: euro(7612), total: euro(9210), tax_breakdown: [{ rate: 21, tax: 1598 }] },
};

test("in a store with tax, a cart has goods, discounts and the tax that is included", () => {
  assert.deepEqual(rows(withTax), [
    ["goods", "", 10835],
    ["discount", "Friends", -1625],
  ]);
  assert.deepEqual(included(withTax), [[21, 1598]]);
});

test("in a store with tax, a chosen delivery is a row, and the taxes with it are not known yet", () => {
  const delivery = { price: euro(695), price_without_tax: euro(574), order_total: euro(9905) };
  assert.deepEqual(rows(withTax, { delivery }).at(-1), ["delivery", "", 695]);
  assert.equal(sumsOf(withTax, { delivery }).total.amount, 9905);
  assert.deepEqual(included(withTax, { delivery }), []);
});

test("an order's delivery stands as it was charged, with the discounts on it", () => {
  const order = {
    lines: [line(2450, 2, 4900)],
    discounts: [discount("shipping", "Three euro off", "SHIP3", 300)],
    shipping_method: { price: euro(395), price_without_tax: euro(326) },
    totals: { subtotal: euro(4495), total: euro(5295), tax_breakdown: [{ rate: 9, tax: 405 }, { rate: 21, tax: 69 }] },
  };
  assert.deepEqual(rows(order), [
    ["goods", "", 4900],
    ["delivery", "Three euro off", 395],
  ]);
  assert.deepEqual(included(order), [
    [9, 405],
    [21, 69],
  ]);
});

const netStore = {
  lines: [line(10000, 1, 9000), line(1000, 3, 2700)],
  discounts: [discount("order", "Ten", null, 1300)],
  totals: { subtotal: euro(11700), total: euro(14157), tax_breakdown: [{ rate: 21, tax: 2457 }] },
};

test("in a store without tax, tax is a row, with a chosen delivery all tax in one", () => {
  assert.deepEqual(rows(netStore).at(-1), ["tax", 21, 2457]);
  assert.deepEqual(included(netStore), []);
  const delivery = { price: euro(1000), price_without_tax: euro(1000), order_total: euro(15367) };
  assert.deepEqual(rows(netStore, { delivery }).slice(2), [
    ["delivery", "", 1000],
    ["tax", "", 2667],
  ]);
});

test("goods without tax with a taxed delivery: the tax is a row", () => {
  const cart = { lines: [line(5000, 1, 5000)], discounts: [], totals: { subtotal: euro(5000), total: euro(5000), tax_breakdown: [{ rate: 0, tax: 0 }] } };
  const delivery = { price: euro(1000), price_without_tax: euro(1000), order_total: euro(6210) };
  assert.deepEqual(rows(cart, { delivery }).at(-1), ["tax", "", 210]);
});

test("a discount on the delivery that is still to come is no row of the goods", () => {
  const discounts = [discount("shipping", "Free from 50", null, 0)];
  const cart = { lines: [line(5000, 1, 5000)], discounts, totals: { subtotal: euro(4132), total: euro(5000), tax_breakdown: [{ rate: 21, tax: 868 }] } };
  assert.deepEqual(rows(cart), [["goods", "", 5000]]);
});

// Without tax, as companies see them.

/** A line of an order in a store with tax: what it costs before and after discounts. */
const taxed = (unit, quantity, total, rate) => ({
  ...line(unit, quantity, total),
  unit_price_without_tax: euro(withoutTax(unit, rate)),
  line_total_without_tax: euro(withoutTax(total, rate)),
  tax_rate: rate,
});

test("without tax, a line is its price before discounts: of a cart the API's, of an order by its rate", () => {
  assert.equal(fullTotal(taxed(590, 12.5, 6269, 21), "ex"), 6095);
  assert.equal(fullTotal(taxed(590, 12.5, 6269, 21), "inc"), 7375);
  assert.equal(fullTotal({ ...taxed(590, 12.5, 6269, 21), full_total_without_tax: euro(6094) }, "ex"), 6094);
  const untaxed = { ...line(590, 12.5, 6269), unit_price_without_tax: euro(590), line_total_without_tax: euro(6269), tax_rate: 21 };
  assert.equal(fullTotal(untaxed, "ex"), 7375); // the store's prices are without tax
});

test("of an exempt order the home tax is off the goods, and no row is a tax", () => {
  const exempt = (unit, quantity, total) => ({ ...taxed(unit, quantity, total, 21), tax_rate: 0 });
  const order = {
    lines: [exempt(3333, 3, 9999), exempt(590, 12.5, 6269), exempt(500, 1, 0)], // 73.75 before 15 %, and 5.00 for nothing
    discounts: [discount("products", "Tubes", null, 1606)],
    shipping_method: { price: euro(1495), price_without_tax: euro(1236) },
    tax_exemption: "export",
    totals: { subtotal: euro(13445), shipping_total: euro(1235), total: euro(14680), tax_breakdown: [{ rate: 0, tax: 0 }] },
  };
  assert.deepEqual(rows(order, { vat: "inc" }), [
    ["goods", "", 14772],
    ["discount", "Tubes", -1327],
    ["delivery", "", 1235],
  ]);
  assert.deepEqual(included(order), []);
});

test("without tax, what rounding makes of two lines is a row", () => {
  const cart = {
    lines: [taxed(100, 1, 100, 21), taxed(100, 1, 100, 21)],
    discounts: [],
    totals: { subtotal: euro(165), total: euro(200), tax_breakdown: [{ rate: 21, tax: 35 }] },
  };
  assert.deepEqual(rows(cart, { vat: "ex" }), [
    ["goods", "", 166],
    ["rounding", "", -1],
    ["tax", 21, 35],
  ]);
});

const trade = {
  lines: [taxed(9800, 1, 8330, 21), taxed(2180, 1, 1853, 9)],
  discounts: [discount("order", "Friends", "FRIENDS15", 1000), discount("products", "Tools", null, 797), discount("shipping", "Three off", "SHIP3", 300)],
  totals: { subtotal: euro(8584), total: euro(10183), tax_breakdown: [{ rate: 21, tax: 1446 }, { rate: 9, tax: 153 }] },
};

test("without tax, all discounts are one row, and the taxes are rows", () => {
  assert.deepEqual(rows(trade, { vat: "ex" }), [
    ["goods", "", 10099],
    ["discount", "Friends,Tools", -1515],
    ["tax", 21, 1446],
    ["tax", 9, 153],
  ]);
});

test("without tax, a chosen delivery is without tax, and all tax is a row", () => {
  const delivery = { price: euro(395), price_without_tax: euro(326), order_total: euro(10578) };
  assert.deepEqual(rows(trade, { vat: "ex", delivery }).slice(2), [
    ["delivery", "Three off", 326],
    ["tax", "", 1668],
  ]);
});

// Against the demo: carts, kept checkouts and orders add up, and a sold order is found again.

const goodsOf = (all) => all.filter(([kind]) => kind !== "delivery" && kind !== "tax");
const parcel = "70000000-0000-4000-8000-000000000001";
const parcelAbroad = "70000000-0000-4000-8000-000000000005";

for (const [shown, customerToken, country, delivered] of [
  ["with tax", null, "NL", parcel],
  ["without tax", "demo-token-trade", "NL", parcel],
  ["as an export", null, "CH", parcelAbroad],
]) {
  test(`the sums of the demo add up, ${shown}; the order is found again`, async (t) => {
    const shop = shopAt(await startDemo(t), { customerToken });
    const vat = customerToken ? "ex" : "inc";
    const address = { name: "Ada", street: "Dam 1", postal_code: "1012 JS", city: "Amsterdam", country };
    const path = { id: (await body(shop.post("/v1/api/commerce/carts"))).data.id };
    if (customerToken) await body(shop.post("/v1/api/commerce/carts/{id}/claim", { path }));
    for (const slug of ["roller-tube-32", "fabric-sample", "book-well-dressed-window"]) {
      const { id: product_id, variants } = await body(shop.get("/v1/api/catalog/products/{id}", { path: { id: slug } }));
      const line = { product_id, variant_id: variants[0]?.id ?? null, quantity: 7 };
      await body(shop.post("/v1/api/commerce/carts/{id}/lines", { path, body: line }));
    }
    await body(shop.post("/v1/api/commerce/carts/{id}/discount", { path, body: { code: "WELCOME10" } }));
    await body(shop.post("/v1/api/commerce/carts/{id}/discount", { path, body: { code: "SHIP3" } }));
    await body(shop.patch("/v1/api/commerce/carts/{id}/checkout", { path, body: { country } }));
    const cart = await body(shop.get("/v1/api/commerce/carts/{id}", { path, query: { include: ["details"] } }));
    const made = rows(cart.data, { details: cart.details });
    assert.equal(made[0][0], "goods");
    assert.equal(made[1][0], "discount");
    assert.equal(sumsOf(cart.data, { details: cart.details }).total.amount, cart.data.totals.total.amount);
    assert.equal(made.some(([kind]) => kind === "tax"), customerToken !== null);

    const part = { email: "ada@example.com", shipping_address: address, shipping_method_id: delivered };
    const { data: kept } = await body(shop.patch("/v1/api/commerce/carts/{id}/checkout", { path, body: part }));
    const delivery = kept.shipping_methods.find(({ id }) => id === kept.shipping_method_id);
    const { order_total, ...charged } = delivery;
    const before = rows(cart.data, { details: cart.details, delivery }); // its delivery is rounded by itself, and all tax is in one row
    const review = rows({ ...cart.data, totals: kept.totals }, { details: cart.details, delivery: charged });
    assert.deepEqual(goodsOf(review), goodsOf(before));

    const unsold = await sameOrderAgain(shop, path.id);
    assert.equal(unsold.failure.status, 412);
    assert.equal((await body(shop.get("/v1/api/commerce/carts/{id}", { path }))).data.status, "active");

    const sold = await shop.post("/v1/api/commerce/carts/{id}/checkout", { path, body: { expected_total_amount: order_total.amount } });
    assert.deepEqual(rows(sold.body.data, { vat }), review);
    const again = await sameOrderAgain(shop, path.id);
    assert.equal(again.status, 200);
    assert.equal(again.body.data.id, sold.body.data.id);
    assert.equal(again.orderToken, sold.orderToken);
  });
}
