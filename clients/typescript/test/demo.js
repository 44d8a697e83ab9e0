// The server that the tests talk to: cartd with the demo store, on a free port, nothing kept.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Shop } from "cartd-client";

const program = process.env.CARTD ?? new URL("../../../bin/cartd", import.meta.url).pathname;

/** Starts the demo, with further flags, and stops it after the test `t`. */
export async function startDemo(t, ...flags) {
  const server = spawn(program, ["serve", "--listen", "127.0.0.1:0", "--redis", "embedded", "--demo", ...flags], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => server.once("close", resolve));
  t.after(() => (server.kill(), ended));
  for await (const line of createInterface({ input: server.stdout })) {
    const [, url] = /demo shop is at (http:\S+?)\/ /.exec(line) ?? [];
    if (url !== undefined) {
      return url;
    }
  }
  throw new Error(`${program} did not start`);
}

export function shopAt(url, options = {}) {
  return new Shop({ url, key: "demo-storefront-key", ...options });
}

/** The body of a success; any failure fails the test. */
export async function body(promise) {
  const result = await promise;
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.body;
}
