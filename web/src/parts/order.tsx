import type { Order } from "../api.js";
import { date } from "../shared/formats.js";
import { AddressText } from "./address.js";
import { Lines, TaxHint } from "./lines.js";
import { OrderParts } from "./order-parts.js";
import { Sums } from "./sums.js";
import { Exemption } from "../vat.js";
import { t } from "../shared/t.js";

/** An order, whole. */
export function OrderDetails({ of }: { of: Order }) {
  const facts: [string, preact.ComponentChildren][] = [
    [t.fields.number, of.number],
    [t.fields.date, date(of.placed_at)],
    [t.fields.email, of.email],
    [t.fields.reference, of.reference],
    [t.fields.note, of.customer_note],
    [t.fields.delivery, of.shipping_method?.name],
    [t.checkout.goesTo, of.shipping_address && <AddressText of={of.shipping_address} />],
    [t.fields.vat, typeof of.metadata?.vat_number === "string" && of.metadata.vat_number],
    [t.checkout.invoiceTo, of.billing_address && <AddressText of={of.billing_address} />],
  ];
  return (
    <Exemption.Provider value={of.tax_exemption}>
      <div class="split">
        <div>
          <h2 class="hidden">{t.cart.lines}</h2>
          <Lines of={of.lines} />
          <OrderParts of={of} />
          <dl class="facts">
            {facts
              .filter(([, value]) => value)
              .map(([name, value]) => (
                <div>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
          </dl>
        </div>
        <aside class="summary" aria-label={t.cart.summary}>
          <h2>{t.cart.summary}</h2>
          <Sums of={of} delivery={of.shipping_method} />
          <TaxHint />
        </aside>
      </div>
    </Exemption.Provider>
  );
}
