import type { Money, Product } from "./api.js";

/** A price by quantity. */
export interface Tier {
  /** The least quantity; null for the price below the first tier. */
  from: number | null;
  price: Money;
}

/** The prices by quantity, the one without a tier first. Tiers that are no cheaper than what precedes them have no effect and are left out. */
export function tiersOf(price: Money | null, tiers: Product["tier_prices"]): Tier[] {
  if (price === null) return [];
  const all: Tier[] = [{ from: null, price }];
  for (const one of tiers) {
    if (one.unit_price.amount < all.at(-1)!.price.amount) all.push({ from: one.min_quantity, price: one.unit_price });
  }
  return all;
}

/** The tier that holds for a quantity. */
export const tierFor = (all: Tier[], quantity: number): Tier | undefined =>
  all.findLast((one) => one.from === null || one.from <= quantity);
