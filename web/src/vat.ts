import { store } from "./settings.js";
import { useStore } from "./store.js";
import { withoutTax } from "./sums.js";

type Twin<K extends string> = `${K}_without_tax`;

/** How this visitor sees prices: with tax, or without it as companies do. The store says which, for the session's account. */
export interface Vat {
  /** Prices are shown without tax. */
  ex: boolean;
  /** What stands beside such a price. */
  label: string | null;
  /** The member of this name, or its twin without tax. */
  pick<K extends string, T extends Record<K | Twin<K>, unknown>>(of: T, name: K): T[K] | T[Twin<K>];
  /** A sum of a product's prices. */
  sum(amount: number, of: { price_includes_tax: boolean; tax_rate: number }): number;
}

const inc: Vat = { ex: false, label: null, pick: (of, name) => of[name], sum: (amount) => amount };

const ex: Vat = {
  ex: true,
  label: "excl. tax",
  pick: (of, name) => of[`${name}_without_tax`],
  sum: (amount, of) => (of.price_includes_tax ? withoutTax(amount, of.tax_rate) : amount),
};

export const useVat = (): Vat => (useStore(store)?.policy.pricing.vat_display === "ex" ? ex : inc);
