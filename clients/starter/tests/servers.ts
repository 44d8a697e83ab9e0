import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSocketServer, type AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

// What a journey walks through: cartd with its demo, a network that can fail, and this shop as it was built.

export const root = fileURLToPath(new URL("..", import.meta.url));

const program = process.env.CARTD ?? [`${root}../../bin/cartd`, "cartd"].find((one) => one === "cartd" || existsSync(one))!;

async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts a program, and waits for a line of its output. */
async function started(
  command: string,
  args: string[],
  env: Record<string, string>,
  ready: RegExp,
): Promise<{ process: ChildProcess; line: RegExpExecArray }> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", process.env.VERBOSE ? "inherit" : "ignore"],
  });
  for await (const text of createInterface({ input: child.stdout })) {
    const line = ready.exec(text);
    if (line) {
      child.stdout.resume();
      return { process: child, line };
    }
  }
  throw new Error(`${command} ${args.join(" ")} did not start`);
}

const ended = (child: ChildProcess) =>
  new Promise<void>((done) => (child.exitCode !== null ? done() : (child.once("close", () => done()), child.kill())));

/** What happens to requests of a method whose path ends so. `lose`: cartd does what it is asked, and its answer is lost. */
export interface Fault {
  kind: "break" | "lose" | "limit" | "close";
  method: string;
  path: string;
  times: number;
}

export interface Servers {
  /** The address of the shop. */
  shop: string;
  cartd: string;
  faults: Fault[];
  /** The requests that cartd got, as a method with a path without ids. */
  calls: string[];
  /** Milliseconds that each request takes more. */
  slow: { by: number };
  /** Ends all streams, as a node does that stops. */
  drain: () => void;
  stop: () => Promise<void>;
}

export async function startServers(document: string | null): Promise<Servers> {
  const store = document === null ? [] : ["--store", document];
  const flags = ["serve", "--listen", "127.0.0.1:0", "--redis", "embedded", "--demo", "--trusted-proxies", "127.0.0.1", ...store];
  const cartd = await started(program, flags, {}, /demo shop is at (http:\S+?)\/ /);
  const target = cartd.line[1]!;
  const faults: Fault[] = [];
  const calls: string[] = [];
  const slow = { by: 0 };
  const streams = new Set<ServerResponse>();

  const meet = (incoming: IncomingMessage): Fault | undefined => {
    const path = incoming.url!.split("?")[0]!;
    const hit = faults.find((one) => one.times > 0 && (one.method === incoming.method || one.method === "*") && path.endsWith(one.path));
    if (hit) hit.times--;
    return hit;
  };
  const network = createServer(async (incoming, outgoing) => {
    if (!incoming.url!.startsWith("/pictures/")) calls.push(`${incoming.method} ${withoutIds(incoming.url!)}`);
    await new Promise((done) => setTimeout(done, slow.by));
    const fault = meet(incoming);
    if (fault && fault.kind !== "lose") {
      const closed = '{"message":"Back at noon.","code":"store_closed"}';
      outgoing.writeHead(fault.kind === "limit" ? 429 : 503, { "Content-Type": "application/json", "Retry-After": "1" });
      outgoing.end(fault.kind === "close" ? closed : '{"message":"Not now."}');
      return;
    }
    const forward = request(target + incoming.url, { method: incoming.method, headers: incoming.headers }, (answer) => {
      if (fault) {
        answer.resume().on("end", () => outgoing.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode!, answer.headers);
      if (answer.headers["content-type"]?.startsWith("text/event-stream")) {
        streams.add(outgoing);
        outgoing.flushHeaders();
      }
      answer.pipe(outgoing);
    });
    forward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => (streams.delete(outgoing), forward.destroy()));
    incoming.pipe(forward);
  });
  await new Promise<void>((done) => network.listen(0, "127.0.0.1", done));

  const port = String(await freePort());
  const env = {
    CARTD_URL: `http://127.0.0.1:${(network.address() as AddressInfo).port}`,
    SHOP_URL: `http://127.0.0.1:${port}`,
    NEXT_TELEMETRY_DISABLED: "1",
  };
  const next = await started(process.execPath, [`${root}node_modules/next/dist/bin/next`, "start", "-H", "127.0.0.1", "-p", port], env, /Ready/);
  return {
    shop: env.SHOP_URL,
    cartd: target,
    faults,
    calls,
    slow,
    drain: () => {
      for (const stream of streams) stream.end('event: end\nretry: 300\ndata: {"reason":"drain"}\n\n');
    },
    stop: async () => {
      network.closeAllConnections();
      network.close();
      await Promise.all([ended(cartd.process), ended(next.process)]);
    },
  };
}

/** A path whose ids, tokens and slugs are left out. */
function withoutIds(url: string): string {
  const path = url.split("?")[0]!.replace("/v1/api/", "");
  return path.replace(/(carts|lines|orders|by-token|products|discount|addresses)\/[^/]+/g, (whole, name: string) =>
    /\/(batch|me)$/.test(whole) ? whole : `${name}/…`,
  );
}
