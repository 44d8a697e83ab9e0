import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { Shop, codes, formatMoney, withoutKey } from "cartd-client";
import { shopAt, startDemo } from "./demo.js";

const file = (path) => readFile(new URL(`../../../docs/${path}`, import.meta.url), "utf8");

test("the codes are those of docs/api/errors.md", async () => {
  const listed = (await file("api/errors.md")).matchAll(/^- .*, code `([^`]+)`/gm);
  assert.deepEqual([...codes].sort(), [...new Set([...listed].map((found) => found[1]))].sort());
});

test("the requests without a key are those of docs/openapi.json", async () => {
  const { paths } = JSON.parse(await file("openapi.json"));
  const described = [];
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const takesKey = operation.parameters?.some((one) => one.$ref?.endsWith("/IdempotencyKey"));
      if (["post", "patch", "put", "delete"].includes(method) && !takesKey) described.push(`${method} ${path}`);
    }
  }
  assert.deepEqual(Object.keys(withoutKey).sort(), described.sort());
});

test("money is exact and formatted for the reader", () => {
  const cases = [
    [453700, "en", "€4,537.00"],
    [5, "en", "€0.05"],
    [-1250, "en", "-€12.50"],
    [123456, "nl", "€ 1.234,56"],
    [9007199254740991, "en", "€90,071,992,547,409.91"],
  ];
  for (const [amount, locale, want] of cases) {
    assert.equal(formatMoney({ amount, currency: "EUR" }, locale).replaceAll("\u00a0", " "), want);
  }
});

// serve answers with these replies in turn: a status, or 0 for a cut connection.
async function serve(t, replies) {
  const seen = [];
  const server = createServer((request, response) => {
    seen.push(request.headers["idempotency-key"]);
    const status = replies[seen.length - 1];
    if (status === 0) return request.socket.destroy();
    response.writeHead(status, { "Content-Type": "application/json" }).end('{"message":"an answer"}');
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  t.after(() => (server.closeAllConnections(), server.close()));
  return { seen, shop: shopAt(`http://127.0.0.1:${server.address().port}`, { retries: 2, pause: 0 }) };
}

const outcomes = [
  { name: "a 503 is repeated", replies: [503, 503, 201], kind: "ok" },
  { name: "a 504 is repeated under one key", replies: [504, 201], kind: "ok" },
  { name: "a 502 of a gateway is repeated", replies: [502, 201], kind: "ok" },
  { name: "a lost connection is repeated", replies: [0, 201], kind: "ok" },
  { name: "only 503: nothing was done", replies: [503, 503, 503], kind: "unavailable" },
  { name: "a lost try makes the outcome unknown", replies: [0, 503, 503], kind: "unknown" },
  { name: "429 is an answer", replies: [429], kind: "limited" },
  { name: "a refusal is not repeated", replies: [422], kind: "refused" },
  { name: "500 is not repeated", replies: [500], kind: "unavailable" },
];

for (const { name, replies, kind } of outcomes) {
  test(name, async (t) => {
    const { seen, shop } = await serve(t, replies);
    const result = await shop.post("/v1/api/commerce/carts");
    assert.equal(result.ok ? "ok" : result.failure.kind, kind);
    assert.equal(seen.length, replies.length);
    assert.match(seen[0], /^[0-9a-f]{32}$/);
    assert.equal(new Set(seen).size, 1, "one key for all tries");
    if (kind === "unknown") assert.equal(result.failure.idempotencyKey, seen[0]);
  });
}

test("a store that is closed for orders refuses: nothing is repeated, and the text is its operator's", async (t) => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    response.writeHead(503, { "Content-Type": "application/json", "Retry-After": "60" });
    response.end('{"message":"Back at noon","code":"store_closed"}');
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  t.after(() => (server.closeAllConnections(), server.close()));
  const { failure } = await shopAt(`http://127.0.0.1:${server.address().port}`, { retries: 2, pause: 0 }).post("/v1/api/commerce/carts");
  assert.deepEqual([failure.kind, failure.status, failure.code, failure.message, asked], ["refused", 503, "store_closed", "Back at noon", 1]);
});

test("a write without a key is sent once, unless 503 says that nothing was done", async (t) => {
  const { seen, shop } = await serve(t, [503, 0]);
  const result = await shop.post("/v1/api/contacts/register", { body: { email: "a@example.com", password: "a long password" } });
  assert.deepEqual([result.failure?.kind, result.failure?.idempotencyKey, seen], ["unknown", null, [undefined, undefined]]);
});

test("the outcome of a read is never unknown", async (t) => {
  const { shop } = await serve(t, [0, 504, 0]);
  assert.equal((await shop.get("/v1/api/me")).failure?.kind, "unavailable");
});

test("the price of a configuration is a read", async (t) => {
  const { seen, shop } = await serve(t, [0, 504, 0]);
  const path = { id: "10000000-0000-4000-8000-000000000101" };
  const price = await shop.post("/v1/api/configurator/products/{id}/quote", { path, body: { dimensions: {}, choices: [] } });
  assert.deepEqual([price.failure?.kind, seen], ["unavailable", [undefined, undefined, undefined]]);
});

test("an abort ends the request and its repetitions", async (t) => {
  const { shop } = await serve(t, [503, 503, 503]);
  await assert.rejects(shop.get("/v1/api/me", { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("works without AbortSignal.any and AbortSignal.timeout", async (t) => {
  const { any, timeout } = AbortSignal;
  t.after(() => Object.assign(AbortSignal, { any, timeout }));
  AbortSignal.any = AbortSignal.timeout = undefined;
  const { seen, shop } = await serve(t, [503, 201]);
  assert.ok((await shop.post("/v1/api/commerce/carts")).ok);
  assert.equal(seen.length, 2);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 20);
  const slow = createServer(() => {});
  await new Promise((ready) => slow.listen(0, "127.0.0.1", ready));
  t.after(() => (slow.closeAllConnections(), slow.close()));
  const url = `http://127.0.0.1:${slow.address().port}`;
  await assert.rejects(shopAt(url).get("/v1/api/me", { signal: stop.signal }), { name: "AbortError" });
  const late = await shopAt(url, { retries: 0, timeout: 20 }).get("/v1/api/me");
  assert.equal(late.failure?.kind, "unavailable");
});

for (const { name, cors, reachable, kind, writes } of [
  { name: "a refused preflight is blocked, not lost", cors: false, reachable: true, kind: "blocked", writes: 1 },
  { name: "a lost connection of an allowed page is lost", cors: true, reachable: true, kind: "unknown", writes: 3 },
  { name: "a server that is away is lost", cors: false, reachable: false, kind: "unknown", writes: 3 },
]) {
  test(name, async (t) => {
    globalThis.location = { origin: "https://shop.example.com" };
    t.after(() => delete globalThis.location);
    let sent = 0;
    const fetch = async (request) => {
      if (request.url.endsWith("/v1/ping") && (request.mode === "no-cors" ? reachable : cors)) return new Response();
      if (request.method === "POST") sent++;
      throw new TypeError("Failed to fetch");
    };
    const result = await shopAt("http://127.0.0.1:1", { retries: 2, pause: 0, fetch }).post("/v1/api/commerce/carts");
    assert.deepEqual([result.failure?.kind, sent], [kind, writes]);
  });
}

test("every request asks for error_codes, beside its own additions", async () => {
  const urls = [];
  const fetch = async (request) => (urls.push(new URL(request.url)), Response.json({}));
  const shop = shopAt("http://127.0.0.1:1", { fetch, visitorAddress: "203.0.113.7" });
  await shop.get("/v1/api/me");
  await shop.get("/v1/api/commerce/carts/{id}", { path: { id: "x" }, query: { include: ["details"] } });
  await shop.get("/v1/api/commerce/carts/{id}", { path: { id: "x" }, query: { include: ["error_codes"] } });
  assert.deepEqual(urls.map((url) => url.searchParams.getAll("include")), [["error_codes"], ["details,error_codes"], ["error_codes"]]);
});

test("the visitor's address and the kept answer's tag are sent", async () => {
  const seen = [];
  const fetch = async (request) => (seen.push(request.headers), new Response(null, { status: 304 }));
  const shop = shopAt("http://127.0.0.1:1", { fetch, visitorAddress: "203.0.113.7" });
  const kept = await shop.get("/v1/api/me", { ifNoneMatch: '"1"' });
  assert.deepEqual([kept.failure?.kind, seen[0].get("If-None-Match"), seen[0].get("X-Forwarded-For")], ["unchanged", '"1"', "203.0.113.7"]);
});

test("which answers have data: the sentence of the README", async () => {
  const { paths, components } = JSON.parse(await file("openapi.json"));
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(operations)) {
      const answer = responses[200] ?? responses[201];
      const schema = answer?.content?.["application/json"]?.schema;
      const shape = schema?.$ref ? components.schemas[schema.$ref.split("/").at(-1)] : schema;
      if (!path.startsWith("/v1/api/") || shape === undefined) continue;
      const list = shape.properties?.meta !== undefined;
      const wanted = list || path.includes("/commerce/carts") || path.endsWith("/commerce/price") || path.includes("/addresses") || path.endsWith("/copy") ||
        path === "/v1/api/carts/{id}" || path === "/v1/api/webhooks";
      assert.equal("data" in (shape.properties ?? {}), wanted, `${method} ${path}`);
    }
  }
});

test("refusals are values: code, fields, version, module", async (t) => {
  const url = await startDemo(t);
  const shop = shopAt(url);
  const cart = await shop.post("/v1/api/commerce/carts");
  assert.ok(cart.ok && cart.etag !== null);
  const path = { id: cart.body.data.id };
  const email = await shop.patch("/v1/api/commerce/carts/{id}", { path, body: { email: "nobody" } });
  assert.deepEqual(email.failure?.errors, { email: ["The email field must be a valid email address."] });
  assert.deepEqual(email.failure?.errorCodes, { email: [{ code: "email" }] });
  const read = await shop.get("/v1/api/commerce/carts/{id}", { path, query: { include: ["details"] } });
  assert.deepEqual(read.ok && read.body.details, {
    requires_shipping: false,
    merged_into: null,
    tax_country: "NL",
    tax_exemption: null,
    discount_codes: [],
    lines: {},
  });
  const again = await shop.get("/v1/api/commerce/carts/{id}", { path, query: { include: ["details"] }, ifNoneMatch: read.etag });
  assert.equal(again.failure?.kind, "unchanged");
  const changed = await shop.patch("/v1/api/commerce/carts/{id}", { path, body: { metadata: { gift: true } }, ifMatch: cart.etag });
  assert.ok(changed.ok);
  const late = await shop.patch("/v1/api/commerce/carts/{id}", { path, body: { metadata: null }, ifMatch: cart.etag });
  assert.deepEqual([late.failure?.status, late.failure?.code], [412, "version_mismatch"]);
  const foreign = await new Shop({ url, key: "wrong" }).get("/v1/api/me");
  assert.deepEqual([foreign.failure?.kind, foreign.failure?.message], ["refused", "Unauthenticated."]);
  const books = "10000000-0000-4000-8000-000000000901";
  const stock = await shop.get("/v1/api/stock/availability", { query: { "product_ids[]": [books] } });
  assert.equal(stock.ok && stock.body.data[0].product_id, books);
});

test("an app installs the packed file that the README names", async () => {
  const app = await mkdtemp(join(tmpdir(), "app-"));
  try {
    const npm = (cwd, ...args) => promisify(execFile)("npm", [...args, "--silent"], { cwd });
    // The tests beside this one use the built client, which the scripts would build anew.
    const { stdout } = await npm(new URL("..", import.meta.url), "pack", "--ignore-scripts", "--pack-destination", app);
    const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
    assert.ok(readme.includes(`npm install ../cartd/clients/typescript/${stdout.trim()}\n`), stdout);
    await npm(app, "install", "--offline", "--no-audit", "--no-fund", join(app, stdout.trim()));
    const program = 'import { Shop } from "cartd-client"; console.log(typeof new Shop({ url: "http://127.0.0.1:8080", key: "a" }).get)';
    const run = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { cwd: app });
    assert.equal(run.stdout, "function\n");
  } finally {
    await rm(app, { recursive: true });
  }
});

test("the TypeScript of the README compiles", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const blocks = [...readme.matchAll(/\n```ts\n(.*?)```/gs)].map((found, n) => `async function block${n}() {\n${found[1].replaceAll(/^import .*\n/gm, "")}\n}\n`);
  assert.ok(blocks.length >= 2);
  const given = `import { Shop, formatMoney, sumsOf, type CartAnswer } from "cartd-client";
import { onLatest, pages } from "cartd-client/merchant";
declare const shop: Shop, id: string, path: { id: string }, cart: CartAnswer<["details"]>, label: Record<string, string>, row: (...shown: unknown[]) => void, show: (...shown: unknown[]) => void, showOrder: () => void, newCart: () => void;
`;
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const file = join(folder, "readme.ts"); // exists only for the compiler
  const files = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: assert.fail };
  const config = ts.getParsedCommandLineOfConfigFile(join(folder, "tsconfig.json"), { noUnusedLocals: false }, files);
  const host = ts.createCompilerHost(config.options);
  const { fileExists, readFile: readText } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? given + blocks.join("") : readText(name));
  const faults = ts.getPreEmitDiagnostics(ts.createProgram([file], config.options, host));
  assert.deepEqual(faults.map((one) => ts.flattenDiagnosticMessageText(one.messageText, "\n")), []);
});

test("the blocks of the README print what they show", async (t) => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const blocks = [...readme.matchAll(/\n```js\n(.*?)```\n\nIt prints:\n\n```\n(.*?)```\n/gs)];
  assert.equal(blocks.length, readme.match(/\n```js\n/g)?.length);
  const url = await startDemo(t);
  const cwd = new URL("..", import.meta.url);
  for (const [, code, want] of blocks) {
    const program = code.replace("http://127.0.0.1:8080", url);
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { cwd });
    assert.equal(stdout, want);
  }
});
