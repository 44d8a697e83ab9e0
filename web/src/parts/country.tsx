import { cartState } from "../cart.js";
import { keep } from "../checkout.js";
import type { Cart } from "../api.js";
import { useAction } from "../shared/load.js";
import { store } from "../settings.js";
import { useStore } from "../shared/store.js";
import { countries } from "./address.js";
import { FailureNotice } from "../shared/failure.js";
import { Select } from "../shared/form.js";
import { t } from "../shared/t.js";

/**
 * The country whose tax the cart has, in a store that taxes by country. The choice is kept with the cart. A kept address, whose country would count in its
 * place, is given up.
 */
export function CountryPicker({ cart }: { cart: Cart }) {
  const settings = useStore(store);
  const { taxCountry, requiresShipping: ships } = useStore(cartState);
  const choose = useAction((country: string, key) =>
    keep(cart, { country, ...(ships ? { shipping_address: null } : { billing_address: null }) }, key),
  );
  if (!settings?.country || !taxCountry) return null;
  const options = countries(settings.shipping_countries);
  const known = options.some(([code]) => code === taxCountry) ? options : countries([...options.map(([code]) => code), taxCountry]);
  return (
    <>
      <Select name="tax_country" label={t.cart.taxCountry} options={known} value={taxCountry} onChange={(country) => choose.run(country)} />
      <FailureNotice failure={choose.failure} again={choose.again} busy={choose.busy} />
    </>
  );
}
