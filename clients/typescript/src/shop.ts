import type { paths } from "./api.js";
import { addressOf, originOf } from "./address.js";
import { isClosed, refusal, type Failure } from "./failure.js";
import type { Arguments, Common, IncludeOf, Method, PathOf, Success } from "./operation.js";
import { withoutKey } from "./retry.js";
import { send, type Sending, type Sent } from "./send.js";
import { watchCart, type CartAnswer, type Watching } from "./watch.js";

export interface ShopOptions extends Partial<Sending> {
  /** The server's scheme and host, without a path: `https://shop.example.com`. */
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

export type Result<T> = Answer<T> | Failed;

/** What the headers of every answer tell. */
export interface Told {
  /** null if no answer came. */
  requestId: string | null;
  /** "invalid" if the customer's token has ended and the request went on as a guest's: drop the token, and show the login again. */
  customerTokenStatus: "invalid" | null;
}

export interface Failed extends Told {
  ok: false;
  failure: Failure;
}

export interface Answer<T> extends Told {
  ok: true;
  body: T;
  status: number;
  /** The record's version, for `ifMatch`. */
  etag: string | null;
  /** An earlier try had the effect; this answer is a replay. */
  replayed: boolean;
  /** Of a checkout and an accepted quote. A client that has it can read the order, at `commerce/orders/by-token`. */
  orderToken: string | null;
}

type Answering<P extends keyof paths, M extends Method, I extends readonly unknown[]> = Promise<Result<Success<P, M, I>>>;

/** The store of one API key. */
export class Shop {
  /** Sent with every request. Set it after a login, and to null after a logout. */
  customerToken: string | null;

  readonly #url: string;
  readonly #key: string;
  readonly #visitorAddress: string | undefined;
  readonly #sending: Sending;

  constructor({ url, key, customerToken, visitorAddress, ...sending }: ShopOptions) {
    this.#url = originOf(url);
    this.#key = key;
    this.#visitorAddress = visitorAddress;
    this.customerToken = customerToken ?? null;
    this.#sending = { fetch: (...call) => fetch(...call), retries: 5, timeout: 15_000, pause: 200, ...sending };
  }

  get<P extends PathOf<"get">, const I extends readonly IncludeOf<P, "get">[] = []>(
    path: P,
    ...input: Arguments<P, "get", I>
  ): Answering<P, "get", I> {
    return this.#ask("get", path, input[0]);
  }

  post<P extends PathOf<"post">, const I extends readonly IncludeOf<P, "post">[] = []>(
    path: P,
    ...input: Arguments<P, "post", I>
  ): Answering<P, "post", I> {
    return this.#ask("post", path, input[0]);
  }

  patch<P extends PathOf<"patch">, const I extends readonly IncludeOf<P, "patch">[] = []>(
    path: P,
    ...input: Arguments<P, "patch", I>
  ): Answering<P, "patch", I> {
    return this.#ask("patch", path, input[0]);
  }

  put<P extends PathOf<"put">, const I extends readonly IncludeOf<P, "put">[] = []>(
    path: P,
    ...input: Arguments<P, "put", I>
  ): Answering<P, "put", I> {
    return this.#ask("put", path, input[0]);
  }

  delete<P extends PathOf<"delete">, const I extends readonly IncludeOf<P, "delete">[] = []>(
    path: P,
    ...input: Arguments<P, "delete", I>
  ): Answering<P, "delete", I> {
    return this.#ask("delete", path, input[0]);
  }

  /**
   * Follows a cart: `changed` is called with it now and after each change, on whatever device. It connects again
   * by itself, and is closed while the page is hidden. Returns the function that stops.
   */
  watchCart<const I extends readonly "details"[] = []>(id: string, watching: Watching<I>): () => void {
    const query = watching.include && { include: watching.include };
    const url = this.#url + addressOf("/v1/api/commerce/carts/{id}/events", { path: { id }, query });
    const open = (lastEvent: string | null, signal: AbortSignal) => {
      const headers = this.#headers({}, null);
      if (lastEvent !== null) headers["Last-Event-ID"] = lastEvent;
      return this.#sending.fetch(url, { headers, signal });
    };
    const read = (signal: AbortSignal) => this.#ask<CartAnswer<I>>("get", "/v1/api/commerce/carts/{id}", { path: { id }, query, signal });
    return watchCart({ open, read }, watching);
  }

  async #ask<T>(method: Method, path: keyof paths, input: AnyInput = {}): Promise<Result<T>> {
    const effect = method === "get" ? "none" : withoutKey[`${method} ${path}`];
    const idempotencyKey = effect === undefined ? (input.idempotencyKey ?? newKey()) : null;
    const headers = this.#headers(input, idempotencyKey);
    if (input.body !== undefined) headers["Content-Type"] = "application/json";
    const request = new Request(this.#url + addressOf(path, withErrorCodes(input)), {
      method: method.toUpperCase(),
      headers,
      body: input.body === undefined ? null : JSON.stringify(input.body),
      signal: input.signal ?? null,
    });
    const sent = await send(request, effect ?? "repeat", this.#sending);
    const told = toldBy(sent.reply?.headers);
    if (sent.reply?.ok) {
      const { body, status, headers } = sent.reply;
      const replayed = headers.has("Idempotent-Replayed");
      return {
        ok: true,
        body: body as T,
        status,
        etag: headers.get("ETag"),
        replayed,
        orderToken: headers.get("X-Order-Token"),
        ...told,
      };
    }
    return { ok: false, failure: failureOf(sent, idempotencyKey), ...told };
  }

  #headers(input: Common, idempotencyKey: string | null): Record<string, string> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#key}` };
    if (this.customerToken !== null) headers["X-Customer-Token"] = this.customerToken;
    if (idempotencyKey !== null) headers["Idempotency-Key"] = idempotencyKey;
    if (input.ifMatch != null) headers["If-Match"] = input.ifMatch;
    if (input.ifNoneMatch != null) headers["If-None-Match"] = input.ifNoneMatch;
    if (this.#visitorAddress !== undefined) headers["X-Forwarded-For"] = this.#visitorAddress;
    return headers;
  }
}

interface AnyInput extends Common {
  path?: Record<string, string>;
  query?: { include?: readonly string[] } | undefined;
  body?: unknown;
}

/** The input, which always asks for error_codes. */
function withErrorCodes({ path, query }: AnyInput) {
  return { path, query: { ...query, include: [...new Set([...(query?.include ?? []), "error_codes"])] } };
}

function toldBy(headers?: Headers): Told {
  const invalid = headers?.get("X-Customer-Token-Status") === "invalid";
  return { requestId: headers?.get("X-Request-Id") ?? null, customerTokenStatus: invalid ? "invalid" : null };
}

const notJSON = "The answer is no JSON: something between this program and the server has answered.";

function failureOf({ reply, maybeDone, blocked }: Sent, idempotencyKey: string | null): Failure {
  if (blocked) return { kind: "blocked", status: 0, message: "The server does not allow requests of this page's origin." };
  if (reply?.status === 304) return { kind: "unchanged", status: 304, message: "Not Modified" };
  const refused = reply && !reply.foreign ? refusal(reply, reply.body) : null;
  const { status, message } =
    refused ?? (reply ? { status: reply.status, message: notJSON } : { status: 0, message: "The connection was lost." });
  if (maybeDone) return { kind: "unknown", status, message, idempotencyKey };
  if (refused === null || (status >= 500 && !isClosed(status, reply?.body))) return { kind: "unavailable", status, message };
  return refused;
}

/** A random key. crypto.randomUUID is missing on pages without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
