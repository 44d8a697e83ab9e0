import type { Success } from "cartd-client";
import { shop } from "./api.js";
import { inSession, session } from "./session.js";
import { makeStore } from "./shared/store.js";

/** What the store says of itself, to a company also that its prices are without tax; null until it is read. */
export const store = makeStore<Success<"/v1/api/me", "get"> | null>(null);

async function loadSettings(): Promise<void> {
  const read = await inSession(() => shop.get("/v1/api/me"));
  if (read?.ok) store.set(read.body);
}

session.number.subscribe(() => void loadSettings());
