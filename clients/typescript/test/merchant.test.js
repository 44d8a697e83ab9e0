import assert from "node:assert/strict";
import { test } from "node:test";
import { onLatest, pages } from "cartd-client/merchant";
import { body, shopAt, startDemo } from "./demo.js";

const desk = "demo-desk-key";

test("a list goes on until its end, or until a failure", async (t) => {
  const merchant = shopAt(await startDemo(t), { key: desk });
  const made = [];
  for (let n = 0; n < 5; n++) {
    const quote = await body(
      merchant.post("/v1/api/quotes", {
        body: {
          email: `buyer${n}@example.com`,
          lines: [
            {
              name: "Work",
              tax: "standard",
              quantity: 1,
              unit_price_amount: 100,
            },
          ],
        },
      }),
    );
    made.push(
      (
        await body(
          merchant.post("/v1/api/quotes/{id}/offer", {
            path: { id: quote.id },
          }),
        )
      ).number,
    );
  }
  const numbers = [];
  let read = 0;
  for await (const page of pages((before) => merchant.get("/v1/api/quotes", { query: { per_page: 2, before } }))) {
    numbers.push(...(await body(page)).data.map((one) => one.number));
    read++;
  }
  assert.deepEqual(numbers, made.reverse());
  assert.ok(read >= 3, `${read} pages`);
  const failures = [];
  for await (const page of pages((before) => merchant.get("/v1/api/quotes", { query: { state: "none", before } })))
    failures.push(page.failure.status);
  assert.deepEqual(failures, [422]);
});

test("a record that another one has changed is read and written again", async (t) => {
  const merchant = shopAt(await startDemo(t), { key: desk });
  const { id } = await body(merchant.post("/v1/api/quotes", { body: { internal_note: "a" } }));
  const path = { id };
  let between = 0;
  const append = (tries) =>
    onLatest(
      () => merchant.get("/v1/api/quotes/{id}", { path }),
      async (quote, ifMatch) => {
        if (between-- > 0)
          await body(
            merchant.patch("/v1/api/quotes/{id}", {
              path,
              body: { internal_note: `${quote.internal_note}b` },
            }),
          );
        return merchant.patch("/v1/api/quotes/{id}", {
          path,
          ifMatch,
          body: { internal_note: `${quote.internal_note}c` },
        });
      },
      tries,
    );
  between = 2;
  assert.equal((await body(append())).internal_note, "abbc");
  between = 2;
  const lost = await append(2);
  assert.equal(lost.failure.status, 412);
  assert.equal((await body(merchant.get("/v1/api/quotes/{id}", { path }))).internal_note, "abbcbb");
});
