import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";
import { source } from "./source.js";

const { preferred } = await source("shared/t.ts");

/** The two pages: their texts, and which of their sources use them. */
const pages = await Promise.all(
  ["shop", "desk"].map(async (page) => ({
    page,
    english: (await source("texts/english.ts", page)).english,
    others: {
      dutch: (await source("texts/dutch.ts", page)).dutch,
      german: (await source("texts/german.ts", page)).german,
    },
    uses: (file) => file.startsWith("desk/") === (page === "desk") || file.startsWith("shared/"),
  })),
);

/** Texts that a page finds by a name that it is given. */
const byName = [
  /^shop pages\.\w+Text$/,
  /^shop quote\.(draft|offered|accepted|declined|expired)$/,
  /^desk (sums|act|enter)\.\w+$/, // by the kind of a row, an act, an end
];

/** The texts of a language by their places, as `cart.removed`. */
function flat(texts) {
  const all = new Map();
  for (const [section, rows] of Object.entries(texts)) {
    for (const [key, text] of Object.entries(rows)) {
      const named = typeof text === "object" && !Array.isArray(text) ? Object.entries(text) : [[null, text]];
      for (const [name, one] of named) all.set([section, key, name].filter(Boolean).join("."), one);
    }
  }
  return all;
}

/** A text as a page shows it, with something in each of its places. */
function shown(text) {
  if (typeof text !== "function") return [text].flat().join(" ");
  const something = new Proxy(
    {},
    { get: (_, name) => (name === Symbol.toPrimitive ? () => "7" : name === "join" ? (by) => `a${by}b` : name === "length" ? 2 : "7") },
  );
  return text(something, something, something, something);
}

for (const { page, english, others, uses } of pages) {
  const places = [...flat(english).keys()];
  for (const [name, texts] of Object.entries(others)) {
    test(`${name} has each text of the ${page}, with the same links, and no text in English`, () => {
      const all = flat(texts);
      assert.deepEqual([...all.keys()].toSorted(), places.toSorted());
      const words = new Map();
      for (const [place, text] of flat(english)) {
        const [own, other] = [shown(text), shown(all.get(place))];
        assert.ok(other.trim() !== "", place);
        assert.equal((other.match(/\[.+?\]/g) ?? []).length, (own.match(/\[.+?\]/g) ?? []).length, `${place}: the links`);
        if (typeof text === "function") assert.equal(all.get(place).length, text.length, `${place}: what it is about`);
        if (own === other && /[a-z]{3} [a-z]{3}/i.test(own)) words.set(place, own);
      }
      assert.deepEqual(
        [...words].filter(([place]) => place !== "payment.bank"),
        [],
        "sentences that are the same as in English",
      );
    });
  }

  test(`each text of the ${page} is used`, () => {
    const text = sources()
      .filter(({ file }) => uses(file))
      .map(({ text }) => text)
      .join("\n");
    const unused = places.filter((place) => {
      const [section, key] = place.split(".");
      return (
        !["errors", "refusals"].includes(section) && !new RegExp(`\\bt\\.${section}\\.${key}\\b`).test(text) && !text.includes(`"${key}"`)
      );
    });
    assert.deepEqual(
      unused.filter((place) => !byName.some((one) => one.test(`${page} ${place}`))),
      [],
    );
  });
}

test("no page has a text of its own: all are in the tables", () => {
  const found = [];
  const named = ["label", "title", "hint", "aria-label", "placeholder", "alt"];
  for (const { file, text } of sources()) {
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX);
    const look = (node) => {
      if (ts.isJsxText(node) && /[a-z]{2}/i.test(node.text)) found.push(`${file}: ${node.text.trim()}`);
      if (ts.isJsxAttribute(node) && named.includes(node.name.getText()) && node.initializer && ts.isStringLiteral(node.initializer))
        if (/[a-z]{2}/i.test(node.initializer.text)) found.push(`${file}: ${node.initializer.text}`);
      if ((ts.isStringLiteral(node) || ts.isTemplateLiteral(node)) && /^[`"'][A-Z][a-z]+ [a-z]+/.test(node.getText()))
        found.push(`${file}: ${node.getText()}`);
      ts.forEachChild(node, look);
    };
    look(tree);
  }
  assert.deepEqual(found, []);
});

test("the shop speaks the first language of the browser that it has", () => {
  const has = (code) => ["en", "nl", "de"].includes(code);
  assert.equal(preferred(["de-AT", "en"], has), "de");
  assert.equal(preferred(["fr", "nl-BE", "en"], has), "nl");
  assert.equal(preferred(["NL"], has), "nl");
  assert.equal(preferred(["fr"], has), undefined);
});

/** All sources but the tables. */
function sources() {
  const src = new URL("../src/", import.meta.url).pathname;
  return readdirSync(src, { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !/\btexts\//.test(file))
    .map((file) => ({ file, text: readFileSync(src + file, "utf8") }));
}
