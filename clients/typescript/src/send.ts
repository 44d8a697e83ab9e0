// Sends a request again until its outcome is known.

import { isClosed } from "./failure.js";
import type { Effect } from "./retry.js";

export interface Sending {
  fetch: typeof fetch;
  /** How often a request is repeated. */
  retries: number;
  /** Milliseconds after which a try counts as lost. */
  timeout: number;
  /** The first pause in milliseconds. Each further pause is twice as long, at most 5 s. */
  pause: number;
}

/** An answer with its body: a value, or a text if it is no JSON. */
export interface Reply extends Pick<Response, "ok" | "status" | "statusText" | "headers"> {
  body: unknown;
  /** A success that is no JSON: something in between has answered, such as the log-in page of a network. */
  foreign: boolean;
}

/**
 * The last try's answer, null if none came. `maybeDone`: a try of a write may have had its effect.
 * `blocked`: the browser refused to send the request.
 */
export interface Sent {
  reply: Reply | null;
  maybeDone: boolean;
  blocked?: boolean;
}

/**
 * Sends a request, and repeats it after 503, unless the store is closed: then nothing was done. It repeats it after 502, 504
 * and a lost connection too, except with the effect "once". After such a try of a write it also
 * repeats after 429, because the try may have been done.
 */
export async function send(request: Request, effect: Effect, sending: Sending): Promise<Sent> {
  const reads = effect === "none";
  let maybeDone = false;
  for (let tries = 0; ; tries++) {
    const reply = await sendOnce(request, sending);
    const status = reply?.status ?? 0;
    if (reply === null && tries === 0 && (await refusedByBrowser(request, sending))) return { reply, maybeDone: false, blocked: true };
    const lost = status === 0 || reply?.foreign || status === 502 || status === 504;
    maybeDone ||= lost && !reads;
    const again = lost ? effect !== "once" : (status === 503 && !isClosed(status, reply?.body)) || (status === 429 && maybeDone);
    if (!again) return { reply, maybeDone: lost && !reads };
    if (tries === sending.retries) return { reply, maybeDone };
    await sleep(pauseAfter(reply, tries, sending.pause), request.signal);
  }
}

/** One try: null if the connection was lost, also in the middle of a reply. Throws the caller's abort. */
async function sendOnce(request: Request, { fetch, timeout }: Sending): Promise<Reply | null> {
  const limit = limited(request.signal, timeout);
  try {
    const response = await fetch(request.clone(), { signal: limit.signal });
    const { ok, status, statusText, headers } = response;
    const text = await response.text(); // a reply may be cut in its middle
    const json = /json/.test(headers.get("Content-Type") ?? "");
    const foreign = ok && !json && text !== "" && new URL(request.url).pathname.startsWith("/v1/");
    return { ok: ok && !foreign, status, statusText, headers, foreign, body: text === "" ? undefined : json ? JSON.parse(text) : text };
  } catch (error) {
    if (request.signal.aborted) throw error;
    return null;
  } finally {
    limit.end();
  }
}

/** A signal that aborts with another one, or after a time. AbortSignal.any is missing in browsers of 2023. */
function limited(caller: AbortSignal, timeout: number): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const stop = () => controller.abort(caller.reason);
  if (caller.aborted) stop();
  caller.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(() => controller.abort(), timeout);
  const end = () => {
    clearTimeout(timer);
    caller.removeEventListener("abort", stop);
  };
  return { signal: controller.signal, end };
}

/**
 * Whether the server refuses pages of this origin. A browser reports a refused preflight like a lost
 * connection, but it has not sent the request. A ping that needs no preflight tells the two apart: the
 * server answers it, and the page may not read the answer.
 */
async function refusedByBrowser(request: Request, { fetch, timeout }: Sending): Promise<boolean> {
  const page = globalThis.location?.origin;
  const { origin } = new URL(request.url);
  if (page === undefined || page === origin) return false;
  const ping = async (mode: RequestMode) => {
    const limit = limited(request.signal, timeout);
    try {
      await fetch(new Request(`${origin}/v1/ping`, { mode }), { signal: limit.signal });
      return true;
    } catch {
      return false;
    } finally {
      limit.end();
    }
  };
  return !(await ping("cors")) && (await ping("no-cors"));
}

/** The longer of Retry-After and a growing pause, with chance in it: not all clients return at once. */
function pauseAfter(reply: Reply | null, tries: number, first: number): number {
  const asked = Number(reply?.headers.get("Retry-After") ?? 0) * 1000;
  const grown = Math.min(first * 2 ** tries, 5000) * (0.5 + Math.random());
  return Math.max(asked || 0, grown);
}

/** Waits. An abort ends it with the signal's reason. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}
