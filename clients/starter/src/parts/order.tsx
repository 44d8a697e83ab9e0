import type { Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";
import { Address, Record } from "./record";

/** An order, at its link and in the account. */
export async function OrderView({ order }: { order: Schemas["Order"] }) {
  const { word, named, date } = await texts();
  return (
    <>
      <p>
        {word("order", { n: order.number })}, {date(order.placed_at)}: {named(order.status)}
        {(order.status !== "cancelled" || order.payment.status !== "due") && <>, {named(order.payment.status)}</>}
      </p>
      {order.shipment && (
        <p>
          {word("shipped")}: {order.shipment.tracking_url ? <a href={order.shipment.tracking_url}>{order.shipment.tracking_number}</a> : order.shipment.tracking_number}
        </p>
      )}
      {order.shipping_address && <Address address={order.shipping_address} />}
      <Record record={order} />
    </>
  );
}
