import { cache } from "react";
import { Shop, type components, type Result } from "cartd-client";
import { read } from "./session";
import { settings } from "./settings";
import { visitorAddress } from "./visitor";

export type Schemas = components["schemas"];

const { cartd: url, key } = settings;

/** Reads of guests: Next keeps the answers for all visitors. It must carry nothing of a visitor. */
const guests = new Shop({
  url,
  key,
  retries: 2,
  timeout: 5_000,
  fetch: (request, options) => fetch(request, { ...options, next: { revalidate: settings.fresh } }),
});

/** The requests of one visitor, with the customer's token and the visitor's address. */
export const shopper = cache(async () => {
  return new Shop({ url, key, retries: 2, customerToken: await read("customer"), visitorAddress: await visitorAddress() });
});

/** Reads of the catalogue: a guest's are kept, a customer's have the customer's prices and are asked each time. */
export const reader = cache(async () => ((await read("customer")) === null ? guests : shopper()));

/** What a merchant's system does: it reads any order, and records payments. */
export const merchant = new Shop({ url, key: settings.merchantKey });

/** The body of an answer, or null if there is no such thing. Any other failure is the error page's. */
export function found<T>(result: Result<T>): T | null {
  if (result.ok) return result.body;
  if (result.failure.status === 404 || result.failure.status === 403 || result.failure.status === 401) return null;
  throw new Error(`cartd: ${result.failure.status} ${result.failure.message}`);
}

export function must<T>(result: Result<T>): T {
  const body = found(result);
  if (body === null) throw new Error("cartd: not found");
  return body;
}
