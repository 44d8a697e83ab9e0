import type { Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";
import { Form, Submit, type Action } from "./form";
import { OrderParts } from "./order-parts";
import { Address, Record } from "./record";

interface Props {
  order: Schemas["Order"];
  /** The last payment has failed. */
  failed?: boolean;
  pay: Action;
  cancel: Action;
  again: Action;
}

/** An order, at its link and in the account, with what can be done with it: it is paid or cancelled while it is due, and ordered again. */
export async function OrderView({ order, failed, pay, cancel, again }: Props) {
  const { word, named, date } = await texts();
  const due = order.payment.status === "due" && order.status === "placed";
  return (
    <>
      {due && (
        <section>
          {failed && <p className="fault">{word("pay_failed")}</p>}
          {order.payment.due_at && <p>{word("pay_before", { date: date(order.payment.due_at) })}</p>}
          <Form action={pay} className="inline">
            <Submit>{word("pay")}</Submit>
          </Form>
          <Form action={cancel} className="inline">
            <Submit>{word("cancel")}</Submit>
          </Form>
        </section>
      )}
      <p>
        {word("order", { n: order.number })}, {date(order.placed_at)}: {named(order.status)}
        {(order.status !== "cancelled" || order.payment.status !== "due") && <>, {named(order.payment.status)}</>}
      </p>
      {order.cancel_reason === "unpaid" && <p>{word("ended_unpaid")}</p>}
      <OrderParts order={order} />
      {order.shipping_address && <Address address={order.shipping_address} />}
      <Record record={order} />
      {!due && !order.archived_at && (
        <Form action={again} className="inline">
          <Submit>{word("order_again")}</Submit>
        </Form>
      )}
    </>
  );
}
