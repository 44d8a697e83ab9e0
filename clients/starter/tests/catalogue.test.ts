import assert from "node:assert/strict";
import { after, test } from "node:test";
import { standInForCartd } from "./cartd";

// 250 categories; number 5 is below number 230, which is below none.
const all = Array.from({ length: 250 }, (_, i) => ({ id: `id-${i}`, slug: `c-${i}`, name: `C${i}`, parent_id: i === 5 ? "id-230" : null }));
const asked: string[] = [];
const cartd = await standInForCartd(({ url, headers }) => {
  const { searchParams } = new URL(url!, "http://cartd");
  const page = Number(searchParams.get("page"));
  asked.push(`${page} ${headers.authorization}`);
  return { status: 200, body: { data: all.slice((page - 1) * 100, page * 100), meta: { last_page: 3 } } };
});
after(() => (cartd.closeAllConnections(), cartd.close()));
const { categories, decoded, pageOf, pathTo } = await import("../src/server/catalogue");

test("all pages of the categories are read, and a parent on another page is found", async () => {
  const read = await categories();
  assert.equal(read.length, 250);
  assert.deepEqual(asked.sort(), ["1 Bearer k", "2 Bearer k", "3 Bearer k"]);
  assert.deepEqual(
    (await pathTo(read[5]!)).map(({ slug }) => slug),
    ["c-230", "c-5"],
  );
});

test("an address that is no text is none", () => {
  assert.equal(decoded("caf%C3%A9"), "café");
  assert.equal(decoded("%E0%A4%A"), "%E0%A4%A");
  assert.deepEqual(
    ["2", "0", "x", "1e9", undefined, "2.7"].map((one) => pageOf(one)),
    [2, 1, 1, 1000, 1, 2],
  );
});
