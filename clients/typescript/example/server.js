// A shop's own server between browser and cartd: it keeps the key, and renders a page. Run it with
// `node example/server.js`; it listens on PORT, 3000 unless set, and asks CARTD, http://127.0.0.1:8080
// unless set. PROXIES is the number of proxies between browser and this server, 0 unless set. FRESH is
// the time in seconds for which guests see a kept list, 30 unless set.
import { createServer } from "node:http";
import { Shop, formatMoney } from "cartd-client";

const url = process.env.CARTD ?? "http://127.0.0.1:8080";
const key = process.env.CARTD_KEY ?? "demo-storefront-key";
const proxies = Number(process.env.PROXIES ?? 0);
const freshFor = 1000 * Number(process.env.FRESH ?? 30);

/**
 * One Shop for each request: it has the customer's token, and two customers' requests run at the same
 * time. A Shop is cheap, for it keeps no connection of its own.
 */
function shopFor(request) {
  const customerToken = /(?:^|; )token=([^;]+)/.exec(request.headers.cookie ?? "")?.[1] ?? null;
  // cartd limits logins and codes by the visitor's address. It believes X-Forwarded-For of a server that
  // `--trusted-proxies` names; without it all shoppers have this server's address.
  return new Shop({ url, key, customerToken, visitorAddress: addressOf(request) });
}

/**
 * The address of the visitor's browser. Each proxy adds the address that it was asked from at the end of
 * X-Forwarded-For. Only what the shop's own proxies have added is true: a browser can send any beginning.
 */
function addressOf(request) {
  const forwarded = (request.headers["x-forwarded-for"] ?? "").split(",").map((one) => one.trim());
  return (proxies > 0 && forwarded.at(-proxies)) || request.socket.remoteAddress;
}

// The guests' list of products, kept with its tag. For some time it is shown without a request, because
// a 304 too counts in the store's limit. What a logged-in customer sees is never kept here: it has that
// customer's prices.
let kept;

async function products(shop) {
  if (shop.customerToken !== null) return list(await shop.get("/v1/api/catalog/products"));
  const now = Date.now();
  if (kept && now < kept.until) return kept.list;
  if (kept) kept.until = now + freshFor; // one request asks anew, all others show the kept list
  const answer = await shop.get("/v1/api/catalog/products", kept ? { ifNoneMatch: kept.etag } : {});
  if (!answer.ok && answer.failure.kind === "unchanged") return kept.list;
  kept = answer.ok ? { etag: answer.etag, list: list(answer), until: now + freshFor } : undefined;
  return list(answer);
}

function list(answer) {
  if (!answer.ok) throw answer.failure;
  return answer.body.data;
}

const escaped = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

const server = createServer(async (request, response) => {
  try {
    const rows = (await products(shopFor(request))).map((one) => `<li>${escaped(one.name)} ${one.price === null ? "" : formatMoney(one.price, "en")}</li>`);
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "private, no-cache" });
    response.end(`<!doctype html><title>Shop</title><ul>${rows.join("")}</ul>`);
  } catch (failure) {
    const status = failure.kind === "limited" ? 429 : 503;
    response.writeHead(status, { "Retry-After": String(failure.retryAfter ?? 5) }).end("Please try again later.");
  }
});
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
