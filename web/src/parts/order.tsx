import { date, money, quantity, type Order } from "../api.js";
import { AddressText } from "./address.js";
import { ConfigurationText, Totals } from "./lines.js";

/** An order, whole. */
export function OrderDetails({ of }: { of: Order }) {
  return (
    <div class="split">
      <div>
        <ul class="short-lines">
          {of.lines.map((one) => (
            <li>
              <span>
                {quantity(one.quantity)} × {one.name}
                <ConfigurationText of={one.attributes?.configuration} />
              </span>
              <b>{money(one.line_total)}</b>
            </li>
          ))}
        </ul>
        <dl class="facts">
          <div>
            <dt>Number</dt>
            <dd>{of.number}</dd>
          </div>
          <div>
            <dt>Date</dt>
            <dd>{date(of.placed_at)}</dd>
          </div>
          {of.email && (
            <div>
              <dt>E-mail</dt>
              <dd>{of.email}</dd>
            </div>
          )}
          {of.reference && (
            <div>
              <dt>Your reference</dt>
              <dd>{of.reference}</dd>
            </div>
          )}
          {of.customer_note && (
            <div>
              <dt>Note</dt>
              <dd>{of.customer_note}</dd>
            </div>
          )}
          {of.shipping_method && (
            <div>
              <dt>Delivery</dt>
              <dd>{of.shipping_method.name}</dd>
            </div>
          )}
          {of.shipping_address && (
            <div>
              <dt>Goes to</dt>
              <dd>
                <AddressText of={of.shipping_address} />
              </dd>
            </div>
          )}
        </dl>
      </div>
      <aside class="summary" aria-label="Summary">
        <h2>Summary</h2>
        <Totals of={of} shipping={of.shipping_method ? of.totals.shipping_total : null} />
      </aside>
    </div>
  );
}
