// Follows a cart by server-sent events.

import { refusal, type Failure } from "./failure.js";
import type { Success } from "./operation.js";
import { sleep } from "./send.js";
import type { Result } from "./shop.js";

/** The answer with a cart: `data`, and `details` if they are asked for. */
export type CartAnswer<I extends readonly unknown[] = []> = Success<"/v1/api/commerce/carts/{id}", "get", I>;

export interface Watching<I extends readonly "details"[] = []> {
  /** Called with the cart as it is now, and after each change. */
  changed: (cart: CartAnswer<I>) => void;
  /** Called once, if the cart cannot be followed any more: its end, or the refusal. */
  ended?: (why: "converted" | "merged" | "expired" | Failure) => void;
  /** Additions to the answer. */
  include?: I;
  /** Milliseconds ahead of the first try to connect again. Each further pause is twice as long, at most 30 s. */
  pause?: number;
  /** Milliseconds between two reads while the server has no room for a stream. */
  readEvery?: number;
  /** Milliseconds without an event or a ping after which the connection counts as lost. */
  silence?: number;
}

/** The requests of a watch. */
export interface Source<I extends readonly unknown[]> {
  open: (lastEvent: string | null, signal: AbortSignal) => Promise<Response>;
  read: (signal: AbortSignal) => Promise<Result<CartAnswer<I>>>;
}

/** The result of a connection: the watch ends, or goes on after a pause (null: one that grows with each loss), or the server has no room. */
type Outcome =
  | { kind: "end"; why: Parameters<NonNullable<Watching["ended"]>>[0] }
  | { kind: "again"; after: number | null }
  | { kind: "full"; for: number };

interface Event {
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
}

const maxPause = 30_000;

/** Follows a cart until it ends or the caller stops. Returns the function that stops. */
export function watchCart<I extends readonly "details"[]>(source: Source<I>, watching: Watching<I>): () => void {
  const stopping = new AbortController();
  const watch = new Watch(source, watching, stopping.signal);
  watch.run().catch((error) => {
    if (!stopping.signal.aborted) throw error; // of a caller's function
  });
  return () => stopping.abort();
}

class Watch<I extends readonly "details"[]> {
  readonly #pause: number;
  readonly #readEvery: number;
  readonly #silence: number;
  /** The version that the caller has. */
  #shown: string | null = null;
  /** How many connections were lost since the last event. */
  #lost = 0;

  constructor(
    readonly source: Source<I>,
    readonly watching: Watching<I>,
    readonly stop: AbortSignal,
  ) {
    this.#pause = watching.pause ?? 1000;
    this.#readEvery = watching.readEvery ?? 30_000;
    this.#silence = watching.silence ?? 40_000;
  }

  async run(): Promise<void> {
    for (;;) {
      await visible(this.stop);
      let outcome = await this.#connect();
      if (outcome.kind === "full") outcome = await this.#readFor(outcome.for);
      if (outcome.kind === "end") return this.watching.ended?.(outcome.why);
      if (outcome.kind === "again" && !hidden()) await sleep(outcome.after ?? this.#grown(), this.stop);
    }
  }

  /** A pause that grows, with chance in it: not all pages connect again at once. */
  #grown(): number {
    return Math.min(this.#pause * 2 ** this.#lost++, maxPause) * (0.5 + Math.random());
  }

  /** One connection, until it ends. It is closed while the page is hidden. */
  async #connect(): Promise<Outcome> {
    const closing = new AbortController();
    const close = () => closing.abort();
    const closeIfHidden = () => hidden() && close();
    let silence = setTimeout(close, this.#silence);
    this.stop.addEventListener("abort", close);
    page()?.addEventListener("visibilitychange", closeIfHidden);
    try {
      const response = await this.source.open(this.#shown, closing.signal);
      if (!response.ok) return await outcomeOf(response);
      for await (const event of eventsOf(response)) {
        clearTimeout(silence);
        silence = setTimeout(close, this.#silence);
        this.#lost = 0;
        if (event.event === "cart") this.#show(event.data, event.id ?? null);
        if (event.event === "end") return endOf(event);
      }
    } catch (error) {
      if (this.stop.aborted || error instanceof CallerError) throw error;
    } finally {
      clearTimeout(silence);
      this.stop.removeEventListener("abort", close);
      page()?.removeEventListener("visibilitychange", closeIfHidden);
      close();
    }
    return { kind: "again", after: hidden() ? 0 : null };
  }

  #show(cart: CartAnswer<I> | string | undefined, version: string | null): void {
    if (cart === undefined || (version !== null && version === this.#shown)) return;
    this.#shown = version;
    const shown: CartAnswer<I> = typeof cart === "string" ? JSON.parse(cart) : cart;
    try {
      this.watching.changed(shown);
    } catch (error) {
      throw new CallerError("changed has thrown", { cause: error });
    }
  }

  /** Reads the cart for a time, instead of following it. */
  async #readFor(milliseconds: number): Promise<Outcome> {
    for (const end = Date.now() + milliseconds; ;) {
      if (this.#shown === null) await this.#read();
      if (Date.now() >= end) return { kind: "again", after: 0 };
      await sleep(this.#readEvery * (0.9 + Math.random() / 5), this.stop);
      await visible(this.stop);
      const refused = await this.#read();
      if (refused !== null) return { kind: "end", why: refused };
    }
  }

  async #read(): Promise<Failure | null> {
    const result = await this.source.read(this.stop);
    if (result.ok) this.#show(result.body, result.etag?.slice(1, 17) ?? null);
    return !result.ok && result.failure.kind === "refused" ? result.failure : null;
  }
}

/** An error of the caller's own function. */
class CallerError extends Error {}

async function outcomeOf(response: Response): Promise<Outcome> {
  const seconds = Number(response.headers.get("Retry-After")) || 1;
  const body: unknown = await response.json().catch(() => null);
  if (response.status === 503) return { kind: "full", for: seconds * 1000 };
  if (response.status === 429) return { kind: "again", after: seconds * 1000 * (1 + Math.random()) };
  if (response.status >= 500) return { kind: "again", after: null };
  return { kind: "end", why: refusal(response, body) };
}

function endOf({ data, retry }: Event): Outcome {
  const { reason } = JSON.parse(data ?? "{}") as { reason?: string };
  switch (reason) {
    case "converted":
    case "merged":
    case "expired":
      return { kind: "end", why: reason };
    case "refused": // the next answer says why
      return { kind: "again", after: 0 };
  }
  return { kind: "again", after: retry === undefined ? null : Number(retry) };
}

/** The events of an answer, as they come. */
async function* eventsOf(response: Response): AsyncGenerator<Event> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  for (let rest = ""; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      yield Object.fromEntries(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
    }
  }
}

/** The page; undefined outside a browser. */
function page(): Document | undefined {
  return (globalThis as { document?: Document }).document;
}

function hidden(): boolean {
  return page()?.visibilityState === "hidden";
}

/** Waits until the page is visible. */
function visible(stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onChange = () => {
      if (hidden() && !stop.aborted) return;
      page()?.removeEventListener("visibilitychange", onChange);
      stop.removeEventListener("abort", onChange);
      if (stop.aborted) reject(stop.reason);
      else resolve();
    };
    page()?.addEventListener("visibilitychange", onChange);
    stop.addEventListener("abort", onChange);
    onChange();
  });
}
