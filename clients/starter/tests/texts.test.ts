import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf, languages, textsIn } from "../src/texts/language";
import { codeErrors, messages, reasons, refusals } from "../src/texts/messages";
import { words } from "../src/texts/words";

test("every text is there in every language, with the same parameters", () => {
  for (const [name, row] of Object.entries({ ...words, ...messages, ...refusals, ...codeErrors, ...reasons })) {
    assert.equal(row.length, languages.length, name);
    const parameters = row.map((text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort().join());
    assert.equal(new Set(parameters).size, 1, name);
    for (const text of row) assert.notEqual(text.trim(), "", name);
  }
});

test("the language is that of the browser's first wish, else the first one", () => {
  assert.equal(languageOf("nl-BE,nl;q=0.9,en;q=0.8"), "nl");
  assert.equal(languageOf("fr-FR"), "en");
  assert.equal(languageOf(null), "en");
});

test("a fault has its label and its bound", () => {
  const { message } = textsIn("nl");
  assert.equal(message({ code: "required" }, "shipping_address.city"), "Plaats is verplicht.");
  assert.equal(message({ code: "max", max: 20, unit: "characters" }, "name"), "Naam mag hooguit 20 tekens zijn.");
});
