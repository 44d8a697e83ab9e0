import type { Result, Success } from "cartd-client";
import { api } from "./session.js";

// Levels of the stock.

type Row = Success<"/v1/api/stock/levels", "get">["data"][number];

/** The level of an item whose stock is tracked. */
export type Level = Row & { on_hand: number; held: number; available: number };

const tracked = (of: Row): of is Level => of.on_hand !== null;

/** Below this many pieces an item counts as few. */
export const low = 5;

/** Lists items of which few are left. */
export async function listFew(after: string | null, signal: AbortSignal) {
  const result = await api.get("/v1/api/stock/levels", { query: { below: low, ...(after !== null && { after }) }, signal });
  if (!result.ok) return result;
  return { ...result, body: { rows: result.body.data.filter(tracked), next: result.body.meta.next_after } };
}

/** How many items there are of which few are left; `more` if there may be others. */
export async function few(signal: AbortSignal): Promise<Result<{ count: number; more: boolean }>> {
  const result = await listFew(null, signal);
  if (!result.ok) return result;
  return { ...result, body: { count: result.body.rows.length, more: result.body.next !== null } };
}

/** The levels of a product and its variants. */
export async function levelsOf(product: string, signal: AbortSignal): Promise<Result<Level[]>> {
  const result = await api.get("/v1/api/stock/levels", { query: { "ids[]": [product] }, signal });
  return result.ok ? { ...result, body: result.body.data.filter(tracked) } : result;
}
