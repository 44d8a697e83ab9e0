import { date, type Order } from "../api.js";
import { AddressText } from "./address.js";
import { Lines, TaxHint } from "./lines.js";
import { Sums } from "./sums.js";

/** An order, whole. */
export function OrderDetails({ of }: { of: Order }) {
  const facts: [string, preact.ComponentChildren][] = [
    ["Number", of.number],
    ["Date", date(of.placed_at)],
    ["E-mail", of.email],
    ["Your reference", of.reference],
    ["Note", of.customer_note],
    ["Delivery", of.shipping_method?.name],
    ["Goes to", of.shipping_address && <AddressText of={of.shipping_address} />],
    ["VAT number", typeof of.metadata?.vat_number === "string" && of.metadata.vat_number],
    ["Invoice to", of.billing_address && <AddressText of={of.billing_address} />],
  ];
  return (
    <div class="split">
      <div>
        <h2 class="hidden">Lines</h2>
        <Lines of={of.lines} />
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
      <aside class="summary" aria-label="Summary">
        <h2>Summary</h2>
        <Sums of={of} delivery={of.shipping_method} />
        <TaxHint />
      </aside>
    </div>
  );
}
