import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./source.js";

const { filters } = await source("filters.ts");

const always = { per_page: 12, include: ["facets"], attributes: {} };

for (const [query, want] of [
  ["", {}],
  ["q=hook&category=tools&sort=-price&page=2", { q: "hook", in_category: "tools", sort: "-price", page: 2 }],
  ["price_min=500&price_max=1000", { price_min: 500, price_max: 1000 }],
  ["sort=colour&page=x&price_min=1.5", {}],
  ["attributes.Colour=Sage&attributes.Colour=Red", { attributes: { Colour: ["Sage", "Red"] } }],
  ["attributes.Cord length=2 m", { attributes: { "Cord length": ["2 m"] } }], // the client writes it for the address
]) {
  test(`the list of ?${query}`, () => assert.deepEqual(filters(new URLSearchParams(query)), { ...always, ...want }));
}
