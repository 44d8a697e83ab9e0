import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";
import { source } from "./source.js";

const { english } = await source("texts/english.ts");
const { dutch } = await source("texts/dutch.ts");
const { german } = await source("texts/german.ts");
const { preferred } = await source("shared/t.ts");

/** The texts of a language by their places, as `cart.removed`. */
function flat(texts) {
  const all = new Map();
  for (const [section, rows] of Object.entries(texts)) for (const [key, text] of Object.entries(rows)) all.set(`${section}.${key}`, text);
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

const places = [...flat(english).keys()];

for (const [name, texts] of Object.entries({ dutch, german })) {
  test(`${name} has each text of the shop, with the same links, and no text in English`, () => {
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

test("each text is used", () => {
  const text = sources()
    .map(({ text }) => text)
    .join("\n");
  const unused = places.filter((place) => {
    const [section, key] = place.split(".");
    return (
      !["errors", "refusals"].includes(section) && !new RegExp(`\\bt\\.${section}\\.${key}\\b`).test(text) && !text.includes(`"${key}"`)
    );
  });
  assert.deepEqual(
    unused.filter(
      (place) =>
        !/^pages\.\w+Text$/.test(place) &&
        !["quote.draft", "quote.offered", "quote.accepted", "quote.declined", "quote.expired"].includes(place),
    ),
    [],
  );
});

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
