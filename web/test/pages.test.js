import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./source.js";

const { pagesOf } = await source("shared/pages.ts");

for (const [current, last, want] of [
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 4, [1, 2, 3, 4]], // no sign for one page
  [1, 5, [1, 2, null, 5]],
  [4, 5, [1, 2, 3, 4, 5]],
  [5, 9, [1, null, 4, 5, 6, null, 9]],
  [9, 9, [1, null, 8, 9]],
]) {
  test(`page ${current} of ${last}`, () => assert.deepEqual(pagesOf(current, last), want));
}
