// A proxy between client and server that cuts connections after a random number of reply bytes:
// before the first, in the head, in the middle of a body, between two replies.
import { connect, createServer } from "node:net";

export async function cuttingProxy(t, url, seed) {
  const { hostname, port } = new URL(url);
  const random = dice(seed);
  const proxy = { seed, connections: 0, cut: 0 };
  const open = new Set();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let left = Math.floor(random() * 12000);
    proxy.connections++;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => {}).on("close", () => (open.delete(socket), client.destroy(), upstream.destroy()));
    }
    client.pipe(upstream);
    upstream.on("data", (bytes) => {
      left -= bytes.length;
      if (left >= 0) return client.write(bytes);
      proxy.cut++;
      client.end(bytes.subarray(0, bytes.length + left), () => client.destroy());
      upstream.destroy();
    });
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  t.after(() => (server.close(), open.forEach((socket) => socket.destroy())));
  proxy.url = `http://127.0.0.1:${server.address().port}`;
  return proxy;
}

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
function dice(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let x = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}
