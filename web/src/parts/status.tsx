import type { Result } from "cartd-client";
import { useEffect, useState } from "preact/hooks";
import { cents, date, quantity, type Order, type Quote } from "../api.js";
import { cartState, takeCopy, type Copy } from "../cart.js";
import { codeText } from "../language.js";
import { useAction } from "../load.js";
import { go } from "../router.js";
import { account } from "../session.js";
import { useStore } from "../store.js";
import { ahead, moment, useNow } from "../time.js";
import { FailureNotice } from "./failure.js";

/** How the visitor of a page cancels its order, and copies it into a cart. */
export interface OrderRequests {
  cancel(key?: string): Promise<Result<Order>>;
  copy: CopyRequest;
}

type CopyRequest = (query: { include: ["details"] }, key?: string) => Promise<Result<Copy>>;

/** Where an order stands, and what can be done about it. It is read again when the visitor comes back to it, and when its time is over. */
export function OrderStatus({ of, pay, requests, again }: { of: Order; pay: string; requests: OrderRequests; again: () => void }) {
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
  if (of.status === "cancelled") return <Cancelled of={of} copy={requests.copy} />;
  if (due) return <Due of={of} pay={pay} cancel={requests.cancel} again={again} />;
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

function Due({ of, pay, cancel, again }: { of: Order; pay: string; cancel: OrderRequests["cancel"]; again: () => void }) {
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

function Cancelled({ of, copy }: { of: Order; copy: CopyRequest }) {
  return (
    <div class="notice notice-failure">
      <p>
        <b>This order has ended{of.cancelled_at && `: ${moment(of.cancelled_at)}`}.</b> {ended(of)} What was in it is back on our shelf.
      </p>
      <PutAgain of={of} copy={copy} />
    </div>
  );
}

/** Puts the same as an order or a quote into a cart, as far as the shop has it. */
export function PutAgain({ of, copy }: { of: Order | Quote; copy: CopyRequest }) {
  const [left, setLeft] = useState<Copy["left_out"]>([]);
  const visitor = useStore(account);
  const { cart } = useStore(cartState);
  const put = useAction(
    (_: null, key) => takeCopy((query) => copy(query, key)),
    ({ left_out }) => {
      const gone = left_out.filter((one) => one.reason !== "OUT_OF_STOCK"); // the cart has and shows what is short
      setLeft(gone);
      if (gone.length === 0) go("#/cart");
    },
  );
  if (left.length > 0) {
    return (
      <>
        <ul role="alert">
          {left.map((one) => (
            <li>
              {nameIn(of, one)}, {quantity(one.quantity)}: {codeText(one.reason, one.reason)}
            </li>
          ))}
        </ul>
        <a class="button button-quiet" href="#/cart">
          Go to the cart
        </a>
      </>
    );
  }
  const makesWay = visitor === null && cart !== null && cart.lines.length > 0;
  return (
    <>
      {makesWay && <p class="hint">What is in your cart now makes way for it.</p>}
      <button type="button" class="button button-quiet" aria-disabled={put.busy} data-busy={put.busy} onClick={() => put.run(null)}>
        Put the same into the cart
      </button>
      <FailureNotice failure={put.failure} again={put.again} busy={put.busy} />
    </>
  );
}

/** The name of a line that a copy has left out. */
function nameIn({ lines }: Order | Quote, left: Copy["left_out"][number]): string {
  return lines.find((one) => one.product_id === left.product_id && one.variant_id === left.variant_id)?.name ?? "A line";
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
