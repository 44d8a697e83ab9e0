import { cache } from "react";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { Shop, type components, type Result } from "cartd-client";
import { read } from "./session";
import { settings } from "./settings";
import { addressIn } from "./visitor";

export type Schemas = components["schemas"];

const { cartd: url, key } = settings;

/** Reads of guests: Next keeps the answers for all visitors. It must carry nothing of a visitor. */
export const guests = new Shop({
  url,
  key: settings.guestsKey,
  retries: 2,
  timeout: 5_000,
  fetch: (request, options) => fetch(request, { ...options, next: { revalidate: settings.fresh } }),
});

/** The requests of one visitor, with the customer's token and the visitor's address. */
export const shopper = cache(async () => {
  const sent = await headers();
  here().path = sent.get("x-path") ?? "/";
  return new Shop({ url, key, retries: 2, timeout: 10_000, customerToken: await read("customer"), visitorAddress: addressIn(sent) });
});

/** Reads of the catalogue: a guest's are kept, a customer's have the customer's prices and are asked each time. */
export const reader = cache(async () => ((await read("customer")) === null ? guests : shopper()));

/** What a merchant's system does: it records payments. */
export const merchant = new Shop({ url, key: settings.merchantKey });

/** The path that is being rendered, for the page that asks to wait. */
const here = cache(() => ({ path: "/" }));

/** The body of an answer, or null if there is no such thing. Any other failure is the error page's; beyond a limit, the waiting page's. */
export function found<T>(result: Result<T>): T | null {
  if (result.ok) return result.body;
  const { kind, status, message } = result.failure;
  if (status === 404 || status === 403 || status === 401) return null;
  if (kind === "limited") redirect(`/busy?to=${encodeURIComponent(here().path)}`);
  throw new Error(`cartd: ${status} ${message}`);
}

export function must<T>(result: Result<T>): T {
  const body = found(result);
  if (body === null && !result.ok) throw new Error(`cartd: ${result.failure.status} ${result.failure.message}`);
  return body as T;
}
