import createClient from "openapi-fetch";
import type { paths } from "./api.js";
import { refusal, type Failure } from "./failure.js";
import type { Arguments, Common, Method, PathOf, Success } from "./operation.js";
import { withoutKey } from "./retry.js";
import { send, type Sending, type Sent } from "./send.js";
import { watchCart, type Watching } from "./watch.js";

export interface ShopOptions extends Partial<Sending> {
  /** The server, without a path: `https://shop.example.com`. */
  url: string;
  /** The API key of the store. */
  key: string;
  /** The token of a logged-in customer. */
  customerToken?: string | null;
  /**
   * On a server: the address of the visitor's browser, sent as X-Forwarded-For. cartd believes it of a
   * server that its `--trusted-proxies` names.
   */
  visitorAddress?: string;
}

export type Result<T> = Answer<T> | { ok: false; failure: Failure; requestId: string | null };

export interface Answer<T> {
  ok: true;
  body: T;
  status: number;
  /** The record's version, for `ifMatch`. */
  etag: string | null;
  /** An earlier try had the effect; this answer is a replay. */
  replayed: boolean;
  requestId: string | null;
  /** Of a checkout and an accepted quote. A client that has it can read the order, at `commerce/orders/by-token`. */
  orderToken: string | null;
}

/** The store of one API key. */
export class Shop {
  /** Sent with every request. Set it after a login, and to null after a logout. */
  customerToken: string | null;

  readonly #url: string;
  readonly #key: string;
  readonly #visitorAddress: string | undefined;
  readonly #client;
  readonly #sending: Sending;

  constructor({ url, key, customerToken, visitorAddress, ...sending }: ShopOptions) {
    this.#url = url;
    this.#key = key;
    this.#visitorAddress = visitorAddress;
    this.customerToken = customerToken ?? null;
    this.#client = createClient({ baseUrl: url });
    this.#sending = { fetch: (...call) => fetch(...call), retries: 5, timeout: 15_000, pause: 200, ...sending };
  }

  get<P extends PathOf<"get">>(path: P, ...input: Arguments<P, "get">): Promise<Result<Success<P, "get">>> {
    return this.#ask("get", path, input[0]);
  }

  post<P extends PathOf<"post">>(path: P, ...input: Arguments<P, "post">): Promise<Result<Success<P, "post">>> {
    return this.#ask("post", path, input[0]);
  }

  patch<P extends PathOf<"patch">>(path: P, ...input: Arguments<P, "patch">): Promise<Result<Success<P, "patch">>> {
    return this.#ask("patch", path, input[0]);
  }

  put<P extends PathOf<"put">>(path: P, ...input: Arguments<P, "put">): Promise<Result<Success<P, "put">>> {
    return this.#ask("put", path, input[0]);
  }

  delete<P extends PathOf<"delete">>(path: P, ...input: Arguments<P, "delete">): Promise<Result<Success<P, "delete">>> {
    return this.#ask("delete", path, input[0]);
  }

  /**
   * Follows a cart: `changed` is called with it now and after each change, on whatever device. It connects again
   * by itself, and is closed while the page is hidden. Returns the function that stops.
   */
  watchCart(id: string, watching: Watching): () => void {
    const path = `/v1/api/commerce/carts/${encodeURIComponent(id)}/events`;
    const query = watching.include === undefined ? "" : `?include=${watching.include.join()}`;
    const input = { path: { id }, ...(watching.include && { query: { include: watching.include } }) };
    const open = (lastEvent: string | null, signal: AbortSignal) => {
      const headers = this.#headers({}, null);
      if (lastEvent !== null) headers["Last-Event-ID"] = lastEvent;
      return this.#sending.fetch(this.#url + path + query, { headers, signal });
    };
    return watchCart({ open, read: (signal) => this.get("/v1/api/commerce/carts/{id}", { ...input, signal }) }, watching);
  }

  async #ask<T>(method: Method, path: keyof paths, input: AnyInput = {}): Promise<Result<T>> {
    const effect = method === "get" ? "none" : withoutKey[`${method} ${path}`];
    const idempotencyKey = effect === undefined ? (input.idempotencyKey ?? newKey()) : null;
    const headers = this.#headers(input, idempotencyKey);
    let sent: Sent | undefined;
    const { data, error, response } = await this.#client.request(method, path as never, {
      params: { path: input.path ?? {}, query: withErrorCodes(input.query) },
      body: input.body,
      headers,
      signal: input.signal,
      fetch: async (request: Request) => {
        sent = await send(request, effect ?? "repeat", this.#sending);
        return sent.response ?? new Response(null, { status: 504, statusText: "The connection was lost." });
      },
    } as never);
    const requestId = response.headers.get("X-Request-Id");
    if (response.ok) {
      const { status, headers } = response;
      return { ok: true, body: data as T, status, etag: headers.get("ETag"), replayed: headers.has("Idempotent-Replayed"), requestId, orderToken: headers.get("X-Order-Token") };
    }
    return { ok: false, failure: failureOf(response, error, sent!, idempotencyKey), requestId };
  }

  #headers(input: Common, idempotencyKey: string | null): Record<string, string> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#key}` };
    if (this.customerToken !== null) headers["X-Customer-Token"] = this.customerToken;
    if (idempotencyKey !== null) headers["Idempotency-Key"] = idempotencyKey;
    if (input.ifMatch !== undefined) headers["If-Match"] = input.ifMatch;
    if (input.ifNoneMatch !== undefined) headers["If-None-Match"] = input.ifNoneMatch;
    if (this.#visitorAddress !== undefined) headers["X-Forwarded-For"] = this.#visitorAddress;
    return headers;
  }
}

interface AnyInput extends Common {
  path?: unknown;
  query?: { include?: string[] };
  body?: unknown;
}

/** The query, which always asks for error_codes. Its `include` is one text with commas. */
function withErrorCodes(query: AnyInput["query"]): unknown {
  return { ...query, include: [...new Set([...(query?.include ?? []), "error_codes"])].join(",") };
}

function failureOf(response: Response, body: unknown, sent: Sent, idempotencyKey: string | null): Failure {
  const status = sent.response?.status ?? 0;
  if (sent.blocked) return { kind: "blocked", status: 0, message: "The server does not allow requests of this page's origin." };
  if (status === 304) return { kind: "unchanged", status, message: "Not Modified" };
  const { message } = refusal(response, body);
  if (sent.maybeDone) return { kind: "unknown", status, message, idempotencyKey };
  if (status === 0 || status >= 500) return { kind: "unavailable", status, message };
  return refusal(response, body);
}

/** A random key. crypto.randomUUID is missing on pages without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
