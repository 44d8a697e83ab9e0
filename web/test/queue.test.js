import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./source.js";

const { makeQueue } = await source("queue.ts");

test("changes are sent one after another, in their order, and idle comes after the last", async () => {
  const seen = [];
  const queue = makeQueue(() => seen.push("idle"));
  const gates = [gate(), gate()];
  const first = queue.run(async () => {
    seen.push("first begins");
    await gates[0].promise;
    seen.push("first ends");
    return 1;
  });
  const second = queue.run(async () => {
    seen.push("second begins");
    await gates[1].promise;
    return 2;
  });
  assert.ok(queue.busy());
  gates[1].resolve();
  gates[0].resolve();
  assert.deepEqual(await Promise.all([first, second]), [1, 2]);
  assert.deepEqual(seen, ["first begins", "first ends", "second begins", "idle"]);
  assert.ok(!queue.busy());
});

test("a change that fails does not hold the next one, and its own caller hears of it", async () => {
  let idle = 0;
  const queue = makeQueue(() => idle++);
  const failing = queue.run(() => Promise.reject(new Error("lost")));
  const next = queue.run(async () => "done");
  await assert.rejects(failing, /lost/);
  assert.equal(await next, "done");
  assert.equal(idle, 1);
});

function gate() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}
