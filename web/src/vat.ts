import { shownPrice, withoutTax, type VatDisplay } from "cartd-client";
import { store } from "./settings.js";
import { useStore } from "./store.js";
import { t } from "./t.js";

type Twin<K extends string> = `${K}_without_tax`;

/** How this visitor sees prices: with tax, or without it as companies do. The store says which, for the session's account. */
export interface Vat {
  display: VatDisplay;
  /** Prices are shown without tax. */
  ex: boolean;
  /** What stands beside such a price. */
  label: string | null;
  /** The member of this name, or its twin without tax. */
  pick<K extends string, T extends Record<K | Twin<K>, unknown>>(of: T, name: K): T[K] | T[Twin<K>];
  /** A sum of a product's prices. */
  sum(amount: number, of: { price_includes_tax: boolean; tax_rate: number }): number;
}

export function useVat(): Vat {
  const display = useStore(store)?.policy.pricing.vat_display ?? "inc";
  const ex = display === "ex";
  return {
    display,
    ex,
    label: ex ? t.product.exTax : null,
    pick: (of, name) => shownPrice(of, name, display),
    sum: (amount, of) => (ex && of.price_includes_tax ? withoutTax(amount, of.tax_rate) : amount),
  };
}
