// The example of a shop's own server, between a browser and cartd.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer, request as ask } from "node:http";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { startDemo } from "./demo.js";

/** Starts example/server.js in front of `cartd` and returns its address. */
async function startServer(t, cartd, settings = {}) {
  const file = new URL("../example/server.js", import.meta.url).pathname;
  const server = spawn(process.execPath, [file], { env: { ...process.env, PORT: "0", CARTD: cartd, ...settings }, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.once("close", resolve));
  t.after(() => (server.kill(), ended));
  for await (const line of createInterface({ input: server.stdout })) return line;
  throw new Error("example/server.js did not start");
}

/** A proxy in front of `url` that keeps each request's headers and its answer's status. */
async function recorder(t, url) {
  const seen = [];
  const server = createServer((request, response) => {
    const entry = { headers: request.headers };
    seen.push(entry);
    const onward = ask(url + request.url, { method: request.method, headers: request.headers }, (answer) => {
      entry.status = answer.statusCode;
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () => (server.closeAllConnections(), server.close());
  t.after(close);
  return { url: `http://127.0.0.1:${server.address().port}`, seen, close };
}

test("the server renders each visitor's prices, and keeps the guests' list with its tag", async (t) => {
  const cartd = await recorder(t, await startDemo(t));
  const url = await startServer(t, cartd.url, { FRESH: "0" });
  const read = async (headers = {}) => {
    const answer = await fetch(url, { headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("cache-control"), "private, no-cache");
    return answer.text();
  };
  const guest = await read();
  assert.match(guest, /<li>Roller tube, aluminium 32 mm €6\.90<\/li>/);
  assert.equal(await read(), guest);
  const trade = await read({ Cookie: "theme=dark; token=demo-token-trade" });
  assert.notEqual(trade, guest);
  assert.equal(await read(), guest, "a customer's prices are not kept for guests");
  assert.deepEqual(cartd.seen.map((one) => one.status), [200, 304, 200, 304]);
  assert.deepEqual(cartd.seen.map((one) => one.headers["x-customer-token"]), [undefined, undefined, "demo-token-trade", undefined]);
  for (const { headers } of cartd.seen) assert.match(headers["x-forwarded-for"], /127\.0\.0\.1$/);
});

test("for some time guests see the kept list without a request", async (t) => {
  const cartd = await recorder(t, await startDemo(t));
  const url = await startServer(t, cartd.url);
  for (let i = 0; i < 3; i++) await (await fetch(url)).text();
  await (await fetch(url, { headers: { Cookie: "token=demo-token-trade" } })).text();
  assert.deepEqual(cartd.seen.map((one) => one.status), [200, 200], "one request of guests, one of a customer");
});

for (const [PROXIES, sent, address] of [
  ["0", "203.0.113.7", "127.0.0.1"],
  ["1", "198.51.100.1, 203.0.113.7", "203.0.113.7"],
  ["2", "198.51.100.1, 203.0.113.7, 10.0.0.1", "203.0.113.7"],
  ["2", "203.0.113.7", "127.0.0.1"],
]) {
  test(`the address behind ${PROXIES} proxies that send ${sent}`, async (t) => {
    const cartd = await recorder(t, await startDemo(t));
    const url = await startServer(t, cartd.url, { PROXIES });
    await (await fetch(url, { headers: { "X-Forwarded-For": sent } })).text();
    assert.match(cartd.seen[0].headers["x-forwarded-for"], new RegExp(`^(::ffff:)?${address}$`));
  });
}

test("two customers at one time see their own prices", async (t) => {
  const url = await startServer(t, await startDemo(t));
  const cookies = ["token=demo-token-trade", "token=demo-token-ada", ""];
  const read = async (Cookie) => (await fetch(url, { headers: { Cookie } })).text();
  const alone = [];
  for (const cookie of cookies) alone.push(await read(cookie));
  const together = await Promise.all([...cookies, ...cookies, ...cookies].map(read));
  assert.deepEqual(together, [...alone, ...alone, ...alone]);
});

test("without cartd the server answers 503", async (t) => {
  const cartd = await recorder(t, await startDemo(t));
  const url = await startServer(t, cartd.url);
  cartd.close();
  const answer = await fetch(url);
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers.get("retry-after")) > 0);
});
