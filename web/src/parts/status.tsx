import type { Result } from "cartd-client";
import { useEffect, useState } from "preact/hooks";
import { cents, date, type Order } from "../api.js";
import { orderAgain } from "../again.js";
import { known, useAction } from "../load.js";
import { go } from "../router.js";
import { ahead, moment, useNow } from "../time.js";
import { explain, FailureNotice } from "./failure.js";

/** How the visitor of a page cancels its order. */
type Cancel = (key?: string) => Promise<Result<Order>>;

/** Where an order stands, and what can be done about it. It is read again when the visitor comes back to it, and when its time is over. */
export function OrderStatus({ of, pay, cancel, again }: { of: Order; pay: string; cancel: Cancel; again: () => void }) {
  const due = of.status === "placed" && of.payment.status === "due";
  useEffect(() => {
    if (!due) return;
    const back = () => document.visibilityState === "visible" && again();
    document.addEventListener("visibilitychange", back);
    addEventListener("pageshow", back);
    return () => {
      document.removeEventListener("visibilitychange", back);
      removeEventListener("pageshow", back);
    };
  }, [due, of.id]);
  if (of.status === "cancelled") return <Cancelled of={of} />;
  if (due) return <Due of={of} pay={pay} cancel={cancel} again={again} />;
  return (
    <div class="notice notice-good">
      <p>
        <b>{of.status === "completed" ? "It has arrived." : of.shipment ? "It is on its way." : "It is placed."}</b> {payment(of)}
      </p>
      {of.shipment && <Shipment of={of.shipment} />}
      {!of.shipment && of.status === "placed" && of.payment.status !== "refunded" && (
        <p>We pack it next. There is nothing that you need to do.</p>
      )}
    </div>
  );
}

function payment({ payment: { status, paid_at }, totals }: Order): string {
  switch (status) {
    case "paid":
      return `You paid ${cents(totals.total.amount)}${paid_at ? `: ${moment(paid_at)}` : ""}.`;
    case "refunded":
      return `You got ${cents(totals.total.amount)} back.`;
    default:
      return totals.total.amount === 0 ? "There is nothing to pay." : "There is nothing to pay ahead.";
  }
}

function Due({ of, pay, cancel, again }: { of: Order; pay: string; cancel: Cancel; again: () => void }) {
  const now = useNow();
  const end = of.payment.due_at;
  const over = end !== null && Date.parse(end) < now;
  const leave = useAction((_: null, key) => cancel(key), again);
  useEffect(() => {
    if (over) again(); // it has ended, or ends within a minute
  }, [over, now]);
  return (
    <div class="notice">
      <p role="status">
        <b>It is placed, and not paid yet.</b>{" "}
        {over
          ? "Its time to pay is over: it ends now."
          : end !== null && `Pay until ${moment(end)}, ${ahead(end, now)}. Then the order ends by itself.`}
      </p>
      <p class="choices">
        <a class="button" href={pay}>
          Pay {cents(of.totals.total.amount)}
        </a>{" "}
        <button type="button" class="link" aria-disabled={leave.busy} data-busy={leave.busy} onClick={() => leave.run(null)}>
          Cancel this order
        </button>
      </p>
      <FailureNotice failure={leave.failure} again={leave.again} busy={leave.busy} />
    </div>
  );
}

function ended(of: Order): string {
  switch (of.cancel_reason) {
    case "unpaid":
      return "It was not paid in time, and nothing was charged.";
    case "customer":
      return "You have cancelled it, and nothing was charged.";
    default:
      return payment(of);
  }
}

function Cancelled({ of }: { of: Order }) {
  return (
    <div class="notice notice-failure">
      <p>
        <b>This order has ended{of.cancelled_at && `: ${moment(of.cancelled_at)}`}.</b> {ended(of)} What was in it is back on our shelf.
      </p>
      <OrderAgain of={of} />
    </div>
  );
}

/** Puts the lines of an order or a quote into the cart again. */
export function OrderAgain({ of }: { of: Pick<Order, "lines"> }) {
  const [left, setLeft] = useState<Awaited<ReturnType<typeof orderAgain>>>([]);
  const put = useAction(
    async (_: null) => known(await orderAgain(of.lines)),
    (body) => {
      setLeft(body);
      if (body.length === 0) go("#/cart");
    },
  );
  return (
    <>
      {left.length > 0 && (
        <ul role="alert">
          {left.map((one) => (
            <li>
              {one.name}: {explain(one.failure)}
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="button button-quiet" aria-disabled={put.busy} data-busy={put.busy} onClick={() => put.run(null)}>
        Put the same into the cart
      </button>
    </>
  );
}

function Shipment({ of }: { of: NonNullable<Order["shipment"]> }) {
  const number = of.tracking_url ? (
    <a href={of.tracking_url} rel="noreferrer">
      {of.tracking_number ?? "Follow it"}
    </a>
  ) : (
    of.tracking_number
  );
  return (
    <p>
      {of.delivered_at ? `Delivered on ${date(of.delivered_at)}` : `Shipped on ${date(of.shipped_at)}`}
      {of.carrier && ` with ${of.carrier}`}
      {number && <>, number {number}</>}.
    </p>
  );
}
