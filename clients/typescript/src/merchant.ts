import type { Result } from "./shop.js";

// What a merchant's own systems need beside the requests. It is an entry of its own, so that a storefront's bundle has none of it.

/** A page of a list that goes on at a name of its meta; null or absent at the end. */
interface Page {
  meta: { next_after?: string | null; next_before?: string | null };
}

/**
 * The pages of a list, one after another, until the end or the first failure, which is the last value. `read` gets the place to go on at: the list's
 * `after` or `before`; undefined for the first page. A page may have no rows and still not be the last.
 */
export async function* pages<T extends Page>(
  read: (from: string | undefined) => Promise<Result<T>>,
): AsyncGenerator<Result<T>, void, void> {
  for (let from: string | null | undefined; from !== null;) {
    const page: Result<T> = await read(from);
    yield page;
    from = page.ok ? (page.body.meta.next_after ?? page.body.meta.next_before ?? null) : null;
  }
}

/**
 * Changes a record as it is now: reads it, and writes with its version. If somebody has written in between (412), it reads and writes again, at most
 * `tries` times; the last refusal is the result.
 */
export async function onLatest<T, U>(
  read: () => Promise<Result<T>>,
  write: (found: T, ifMatch: string | null) => Promise<Result<U>>,
  tries = 4,
): Promise<Result<U>> {
  for (let left = tries; ; left--) {
    const found = await read();
    if (!found.ok) return found;
    const written = await write(found.body, found.etag);
    if (written.ok || left <= 1 || written.failure.kind !== "refused" || written.failure.status !== 412) return written;
  }
}
