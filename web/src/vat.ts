import { account } from "./session.js";
import { store } from "./settings.js";
import { useStore } from "./store.js";

/** How this visitor wants prices: with tax, or without (companies). */
export function useVatDisplay(): "inc" | "ex" {
  const visitor = useStore(account);
  const settings = useStore(store);
  return visitor?.kind === "b2b" ? "ex" : (settings?.policy.pricing.vat_display ?? "inc");
}

/** What stands beside a price with tax for a visitor who expects prices without; else null. */
export function useTaxLabel(includesTax: boolean): string | null {
  return useVatDisplay() === "ex" && includesTax ? "incl. tax" : null;
}
