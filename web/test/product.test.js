import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./source.js";

const { fit, step } = await source("shared/quantities.ts");
const { tierFor, tiersOf } = await source("tiers.ts");
const { chosenOf, nearest, picksOf, stateOf } = await source("variants.ts");

const any = { min_quantity: null, max_quantity: null, quantity_step: null };
const dozen = { min_quantity: 12, max_quantity: 60, quantity_step: 6 };
const few = { most: 3, why: "Only 3 are left." };

for (const { text, unit, cap, want } of [
  { text: "2", unit: "piece", cap: null, want: { value: 2, said: null } },
  { text: "2,5", unit: "m", cap: null, want: { value: 2.5, said: null } },
  { text: "2.4", unit: "piece", cap: null, want: { value: 2, said: "It is sold by the piece: 2, not 2.4." } },
  { text: "0.2", unit: "piece", cap: null, want: { value: 1, said: "It is sold by the piece: 1, not 0.2." } },
  { text: "1.23456", unit: "m", cap: null, want: { value: 1.235, said: "Three decimals at most: 1.235." } },
  { text: "49", unit: "piece", cap: few, want: { value: 3, said: "Only 3 are left." } },
  { text: "3", unit: "piece", cap: few, want: { value: 3, said: null } },
  { text: "much", unit: "piece", cap: null, want: null },
  { text: "-1", unit: "piece", cap: null, want: null },
  { text: "", unit: "piece", cap: null, want: null },
]) {
  test(`${JSON.stringify(text)} of ${unit}${cap ? `, at most ${cap.most}` : ""}`, () => assert.deepEqual(fit(text, unit, any, cap), want));
}

test("one more stops at what is left, and says so", () => {
  assert.deepEqual(step(2, 1, "piece", any, few), { value: 3, said: null });
  assert.deepEqual(step(3, 1, "piece", any, few), { value: 3, said: few.why });
  assert.deepEqual(step(1, -1, "piece", any, few), { value: 1, said: null });
  assert.deepEqual(step(1.2, -1, "m", any, null), { value: 0.2, said: null });
});

test("what is typed becomes whole packs", () => {
  assert.deepEqual(fit("18", "piece", dozen, null), { value: 18, said: null });
  assert.deepEqual(fit("15", "piece", dozen, null), { value: 18, said: "It comes in packs of 6: 18." });
  assert.deepEqual(fit("2", "piece", dozen, null), { value: 12, said: "It is sold from 12 on." });
  assert.deepEqual(fit("0.25", "m", { ...any, quantity_step: 0.1 }, null), { value: 0.3, said: "It comes in packs of 0.1: 0.3." });
  assert.deepEqual(step(12, 1, "piece", dozen, null), { value: 18, said: null });
});

const euro = (amount) => ({ amount, currency: "EUR" });
const net = (amount) => euro(Math.round(amount / 1.21));
const tier = (min_quantity, amount) => ({ min_quantity, unit_price: euro(amount), unit_price_without_tax: net(amount) });
const tiers = (amount, tier_prices) => tiersOf({ price: euro(amount), price_without_tax: net(amount), tier_prices });

test("tiers begin with the price below the first one and leave out those that are no cheaper", () => {
  const all = tiers(500, [tier(10, 620), tier(50, 470), tier(60, 470), tier(100, 400)]);
  assert.deepEqual(
    all.map((one) => [one.from, one.price.amount]),
    [
      [null, 500],
      [50, 470],
      [100, 400],
    ],
  );
  assert.equal(tierFor(all, 49).price.amount, 500);
  assert.equal(tierFor(all, 50).price.amount, 470);
  assert.equal(tierFor(all, 50).price_without_tax.amount, 388);
  assert.deepEqual(tiersOf({ price: null, price_without_tax: null, tier_prices: [tier(10, 620)] }), []);
});

const variant = (id, stock_status, attributes) => ({ id, name: id, stock_status, attributes });
const samples = {
  options: [
    { name: "Colour", values: ["White", "Sand"] },
    { name: "Material", values: ["Polyester", "Linen"] },
  ],
  variants: [
    variant("white", "in_stock", { Colour: "White", Material: "Polyester" }),
    variant("sand", "out_of_stock", { Colour: "Sand", Material: "Polyester" }),
    variant("linen", "in_stock", { Colour: "Sand", Material: "Linen" }),
  ],
};

test("an option says which other choice it does not go with, and what is sold out", () => {
  assert.deepEqual(stateOf(samples, {}, "Colour", "White"), { gone: false, against: [] });
  assert.deepEqual(stateOf(samples, { Colour: "White" }, "Material", "Linen"), { gone: false, against: ["White"] });
  assert.deepEqual(stateOf(samples, { Material: "Polyester" }, "Colour", "Sand"), { gone: true, against: [] });
});

test("a variant is chosen once each option is", () => {
  assert.equal(chosenOf(samples, { Colour: "Sand" }), null);
  assert.equal(chosenOf(samples, { Colour: "Sand", Material: "Linen" }).id, "linen");
  assert.equal(chosenOf(samples, { Colour: "White", Material: "Linen" }), null);
  assert.deepEqual(picksOf(samples, samples.variants[2]), { Colour: "Sand", Material: "Linen" });
});

test("without options the names of the variants are the values", () => {
  const plain = { options: [], variants: samples.variants };
  assert.equal(chosenOf(plain, { Variant: "sand" }).id, "sand");
});

test("in place of what is sold out the same colour comes first, then the same size", () => {
  const all = ["White 60", "White 120", "Olive 60", "Olive 90", "Olive 120"].map((id) => {
    const [Colour, Size] = id.split(" ");
    return variant(id, "in_stock", { Colour, Size });
  });
  const blinds = {
    options: [
      { name: "Colour", values: ["White", "Olive"] },
      { name: "Size", values: ["60", "90", "120"] },
    ],
    variants: all,
  };
  assert.deepEqual(
    nearest(blinds, all[4], all).map((one) => one.id),
    ["Olive 60", "Olive 90", "White 120", "White 60"],
  );
});
