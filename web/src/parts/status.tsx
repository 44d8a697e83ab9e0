import type { Result } from "cartd-client";
import { useEffect, useState } from "preact/hooks";
import type { Order, Quote } from "../api.js";
import { cents, date, quantity } from "../shared/formats.js";
import { applyCode, cartState, takeCopy, type Copy } from "../cart.js";
import { codeText } from "../shared/language.js";
import { useAction } from "../shared/load.js";
import { go } from "../shared/router.js";
import { account } from "../session.js";
import { useStore } from "../shared/store.js";
import { ahead, moment, useNow } from "../time.js";
import { explain, FailureNotice } from "../shared/failure.js";
import { Tracking } from "./tracking.js";
import { t } from "../shared/t.js";

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
        <b>{of.status === "completed" ? t.order.arrived : stands(of)}</b> {payment(of)}
      </p>
      {of.shipment && of.parts.length === 1 && of.fulfilment === "shipped" && <Shipment of={of.shipment} />}
      {!of.shipment && of.status === "placed" && of.payment.status !== "refunded" && <p>{t.order.packed}</p>}
    </div>
  );
}

function stands({ fulfilment }: Order): string {
  return { none: t.order.isPlaced, partial: t.order.partlyOnItsWay, shipped: t.order.onItsWay }[fulfilment];
}

function payment({ status: state, payment: { status, paid_at }, totals, refunded_amount }: Order): string {
  const amount = cents(totals.total.amount);
  switch (status) {
    case "paid":
      if (state === "cancelled") return t.order.comesBack(amount);
      return paid_at ? t.order.paidAt(amount, moment(paid_at)) : t.order.paid(amount);
    case "partially_refunded":
      return t.order.gotSomeBack(amount, cents(refunded_amount));
    case "refunded":
      return t.order.gotBack(amount);
    default:
      return totals.total.amount === 0 ? t.order.nothingToPay : t.order.nothingAhead;
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
        <b>{t.order.isUnpaid}</b> {over ? t.order.timeOver : end !== null && t.order.payUntil(moment(end), ahead(end, now))}
      </p>
      <p class="choices">
        <a class="button" href={pay}>
          {t.order.pay(cents(of.totals.total.amount))}
        </a>{" "}
        <button type="button" class="link" aria-disabled={leave.busy} data-busy={leave.busy} onClick={() => leave.run(null)}>
          {t.order.cancel}
        </button>
      </p>
      <FailureNotice failure={leave.failure} again={leave.again} busy={leave.busy} />
    </div>
  );
}

function ended(of: Order): string {
  switch (of.cancel_reason) {
    case "unpaid":
      return t.order.endedUnpaid;
    case "customer":
      return t.order.endedByYou;
    default:
      return payment(of);
  }
}

function Cancelled({ of, copy }: { of: Order; copy: CopyRequest }) {
  return (
    <div class="notice notice-failure">
      <p>
        <b>
          {t.order.ended}
          {of.cancelled_at && `: ${moment(of.cancelled_at)}`}.
        </b>{" "}
        {ended(of)} {of.shipping_method && t.order.onShelf}
      </p>
      <PutAgain of={of} copy={copy} />
    </div>
  );
}

/** Puts the same as an order or a quote into a cart, as far as the shop has it. */
export function PutAgain({ of, copy, codes = [] }: { of: Order | Quote; copy: CopyRequest; codes?: string[] }) {
  const [left, setLeft] = useState<Copy["left_out"]>([]);
  const [lost, setLost] = useState<[code: string, why: string][]>([]);
  const visitor = useStore(account);
  const { cart } = useStore(cartState);
  const put = useAction(
    (_: null, key) => takeCopy((query) => copy(query, key)),
    async ({ data, left_out }) => {
      const gone = left_out.filter((one) => one.reason !== "OUT_OF_STOCK"); // the cart has and shows what is short
      const refused = data.lines.length > 0 ? await applyAgain(codes) : [];
      setLeft(gone);
      setLost(refused);
      if (gone.length === 0 && refused.length === 0) go("#/cart");
    },
  );
  if (left.length + lost.length > 0) {
    return (
      <>
        <ul role="alert">
          {left.map((one) => (
            <li>
              {nameIn(of, one)}, {quantity(one.quantity)}: {codeText(one.reason, one.reason)}
            </li>
          ))}
          {lost.map(([code, why]) => (
            <li>{t.order.codeLost(code, why)}</li>
          ))}
        </ul>
        <a class="button button-quiet" href="#/cart">
          {t.order.toCart}
        </a>
      </>
    );
  }
  const makesWay = visitor === null && cart !== null && cart.lines.length > 0;
  return (
    <>
      {makesWay && <p class="hint">{t.order.makesWay}</p>}
      <button type="button" class="button button-quiet" aria-disabled={put.busy} data-busy={put.busy} onClick={() => put.run(null)}>
        {t.order.putAgain}
      </button>
      <FailureNotice failure={put.failure} again={put.again} busy={put.busy} />
    </>
  );
}

/** Uses codes again that a copy does not have. Returns those that are refused, with the reason. What a code does not do the cart says. */
async function applyAgain(codes: string[]): Promise<[code: string, why: string][]> {
  const refused: [string, string][] = [];
  for (const code of codes) {
    const applied = await applyCode(code);
    if (!applied.ok) refused.push([code, explain(applied.failure)]);
  }
  return refused;
}

/** The name of a line that a copy has left out. */
function nameIn({ lines }: Order | Quote, left: Copy["left_out"][number]): string {
  return lines.find((one) => one.product_id === left.product_id && one.variant_id === left.variant_id)?.name ?? t.cart.aLine;
}

function Shipment({ of }: { of: NonNullable<Order["shipment"]> }) {
  return (
    <p>
      {of.delivered_at ? t.order.deliveredOn(date(of.delivered_at)) : t.order.shippedOn(date(of.shipped_at))}
      <Tracking of={of} />
    </p>
  );
}
