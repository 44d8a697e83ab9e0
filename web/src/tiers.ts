import type { Product } from "./api.js";
import type { Money } from "./shared/formats.js";

/** A price by quantity. */
export interface Tier {
  /** The least quantity; null for the price below the first tier. */
  from: number | null;
  price: Money;
  price_without_tax: Money;
}

/** The prices by quantity, the one without a tier first. Tiers that are no cheaper than what precedes them have no effect and are left out. */
export function tiersOf({ price, price_without_tax, tier_prices }: Pick<Product, "price" | "price_without_tax" | "tier_prices">): Tier[] {
  if (price === null || price_without_tax === null) return [];
  const all: Tier[] = [{ from: null, price, price_without_tax }];
  for (const { min_quantity: from, unit_price, unit_price_without_tax } of tier_prices) {
    if (unit_price.amount < all.at(-1)!.price.amount) all.push({ from, price: unit_price, price_without_tax: unit_price_without_tax });
  }
  return all;
}

/** The tier that holds for a quantity. */
export const tierFor = (all: Tier[], quantity: number): Tier | undefined =>
  all.findLast((one) => one.from === null || one.from <= quantity);
