import { shownPrice, withoutTax, type VatDisplay } from "cartd-client";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Cart } from "./api.js";
import { cartState } from "./cart.js";
import { store } from "./settings.js";
import { useStore } from "./shared/store.js";
import { t } from "./shared/t.js";

type Twin<K extends string> = `${K}_without_tax`;

/** Why the order or the quote that is shown has no tax. Outside of them that of the visitor's cart counts. */
export const Exemption = createContext<Cart["tax_exemption"] | undefined>(undefined);

/** How this visitor sees prices: with tax, or without it as companies do. The store says which, for the session's account. */
export interface Vat {
  display: VatDisplay;
  /** Prices are shown without tax. */
  ex: boolean;
  /** There is no tax: an export, or reverse charge. Listed prices have the home tax, so they are shown without it. */
  exempt: boolean;
  /** What stands beside such a price. */
  label: string | null;
  /** The member of this name, or its twin without tax. */
  pick<K extends string, T extends Record<K | Twin<K>, unknown>>(of: T, name: K): T[K] | T[Twin<K>];
  /** A sum of a product's prices; null where that is not known: of an exempt product the answer does not say the home rate. */
  sum(amount: number, of: { price_includes_tax: boolean; tax_rate: number }): number | null;
}

export function useVat(): Vat {
  const asCompany = useStore(store)?.policy.pricing.vat_display === "ex";
  const { cart } = useStore(cartState);
  const shown = useContext(Exemption);
  const exempt = Boolean(shown === undefined ? cart?.tax_exemption : shown);
  const ex = asCompany || exempt;
  const display = ex ? "ex" : "inc";
  return {
    display,
    ex,
    exempt,
    label: exempt ? t.product.noTax : ex ? t.product.exTax : null,
    pick: (of, name) => shownPrice(of, name, display),
    sum: (amount, of) => (!ex || !of.price_includes_tax ? amount : exempt ? null : withoutTax(amount, of.tax_rate)),
  };
}

/** The country whose rates the catalogue is asked for: the cart's. Empty where that is the store's own, which holds without being asked for. */
export function useTaxCountry(): { country?: string } {
  const { taxCountry } = useStore(cartState);
  const home = useStore(store)?.country;
  return home && taxCountry && taxCountry !== home ? { country: taxCountry } : {};
}
