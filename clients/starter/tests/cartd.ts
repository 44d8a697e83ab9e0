import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Stands in for cartd: `answer` says what a request gets. It is there before the modules that read its address. */
export async function standInForCartd(answer: (request: IncomingMessage) => { status: number; body: unknown }) {
  const server = createServer((request, response) => {
    const { status, body } = answer(request);
    request.resume();
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  server.unref();
  Object.assign(process.env, {
    CARTD_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CARTD_KEY: "k",
    CARTD_MERCHANT_KEY: "m",
    SHOP_URL: "http://127.0.0.1:1",
    PAYMENT_SECRET: "s",
  });
  return server;
}
