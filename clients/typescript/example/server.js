// A shop's own server between browser and cartd: it keeps the key, and renders a page. Run it with
// `node example/server.js`; it listens on PORT, 3000 unless set, and asks CARTD, http://127.0.0.1:8080
// unless set.
import { createServer } from "node:http";
import { Shop, formatMoney } from "cartd-client";

const url = process.env.CARTD ?? "http://127.0.0.1:8080";
const key = process.env.CARTD_KEY ?? "demo-storefront-key";

/**
 * One Shop for each request: it has the customer's token, and two customers' requests run at the same
 * time. A Shop is cheap, for it keeps no connection of its own.
 */
function shopFor(request) {
  const customerToken = /(?:^|; )token=([^;]+)/.exec(request.headers.cookie ?? "")?.[1] ?? null;
  // cartd limits logins and codes by the visitor's address. It believes X-Forwarded-For of a server that
  // `--trusted-proxies` names; without it all shoppers have this server's address.
  return new Shop({ url, key, customerToken, visitorAddress: request.socket.remoteAddress });
}

// The guests' list of products, kept with its tag. What a logged-in customer sees is never kept here: it
// has that customer's prices.
let kept;

async function products(shop) {
  if (shop.customerToken !== null) return list(await shop.get("/v1/api/catalog/products"));
  const answer = await shop.get("/v1/api/catalog/products", kept ? { ifNoneMatch: kept.etag } : {});
  if (!answer.ok && answer.failure.kind === "unchanged") return kept.list;
  kept = answer.ok ? { etag: answer.etag, list: list(answer) } : undefined;
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
