import type { Success } from "cartd-client";
import { shop } from "./api.js";
import { makeStore } from "./store.js";

/** What the store says of itself; null until it is read. */
export const store = makeStore<Success<"/v1/api/me", "get"> | null>(null);

export async function loadSettings(): Promise<void> {
  const read = await shop.get("/v1/api/me");
  if (read.ok) store.set(read.body);
}
