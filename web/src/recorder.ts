import { noteAnswer } from "./shared/reach.js";
import { makeStore } from "./shared/store.js";

/** One try of a request, for the panel "What happened". */
export interface Recorded {
  number: number;
  method: string;
  /** The path below /v1/api, with ids and tokens as placeholders. */
  route: string;
  done: boolean;
  /** 0 until an answer came, and if none came. */
  status: number;
  /** From sending the request to the head of the answer, with the network. */
  milliseconds: number;
  /** The server's own time; null if the answer has no Server-Timing. */
  serverMilliseconds: number | null;
  replayed: boolean;
  /** What the store's limit leaves, and the limit; null if the answer does not say so. */
  remaining: number | null;
  limit: number | null;
}

const kept = 60;

export const recorded = makeStore<Recorded[]>([]);
let count = 0;

/** fetch that asks for Server-Timing and records each try. */
export async function recordingFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  request.headers.set("X-Server-Timing", "1");
  const entry: Recorded = {
    number: ++count,
    method: request.method,
    route: routeOf(request.url),
    done: false,
    status: 0,
    milliseconds: 0,
    serverMilliseconds: null,
    replayed: false,
    remaining: null,
    limit: null,
  };
  recorded.set([entry, ...recorded.get()].slice(0, kept));
  const began = performance.now();
  try {
    const response = await fetch(request);
    read(entry, response);
    return response;
  } finally {
    entry.done = true;
    if (!request.signal.aborted) noteAnswer(entry.status);
    entry.milliseconds = performance.now() - began;
    recorded.set([...recorded.get()]);
  }
}

function read(entry: Recorded, { status, headers }: Response) {
  const number = (name: string) => (headers.has(name) ? Number(headers.get(name)) : null);
  const total = /\btotal;dur=([\d.]+)/.exec(headers.get("Server-Timing") ?? "");
  entry.status = status;
  entry.serverMilliseconds = total ? Number(total[1]) : null;
  entry.replayed = headers.has("Idempotent-Replayed");
  entry.remaining = number("X-RateLimit-Remaining");
  entry.limit = number("X-RateLimit-Limit");
}

/** The path of a URL as a route: `commerce/carts/{id}/lines`. */
export function routeOf(url: string): string {
  return new URL(url).pathname
    .replace(/^\/v1\/api\//, "")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "{id}")
    .replace(/(by-token\/)[^/]+/, "$1{token}");
}
