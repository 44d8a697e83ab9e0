import type { Order } from "../api.js";
import { cents, date, quantity } from "../shared/formats.js";
import { Tracking } from "./tracking.js";
import { t } from "../shared/t.js";

type Part = Order["parts"][number];

/** What happened to an order after its sale: parcels, cancels of lines, returns and refunds. One parcel with all of it is shown above. */
export function OrderParts({ of }: { of: Order }) {
  const [first, ...more] = of.parts;
  if (!first || (more.length === 0 && first.kind === "shipment" && of.fulfilment === "shipped")) return null;
  return (
    <section class="parts">
      <h2>{t.order.happened}</h2>
      <ul>
        {of.parts.map((part) => (
          <li>
            <b>{title(part)}</b> {contents(of, part)}
            {part.kind === "shipment" && <Tracking of={part} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function title({ kind, at, amount }: Part): string {
  switch (kind) {
    case "shipment":
      return t.order.parcel(date(at));
    case "cancel":
      return t.order.taken(date(at));
    case "return":
      return t.order.returned(date(at));
    default:
      return t.order.refunded(cents(amount ?? 0), date(at));
  }
}

/** The pieces of a part, and the delivery of a refund. */
function contents({ lines }: Order, part: Part): string {
  const pieces = part.lines.map(({ line_id, quantity: n }) => {
    const line = lines.find(({ id }) => id === line_id);
    return `${quantity(n, line?.unit)} × ${line?.name ?? t.cart.aLine}`;
  });
  return [...pieces, ...(part.shipping ? [t.fields.delivery] : [])].join(", ");
}
