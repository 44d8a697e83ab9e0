import { cents, quantity } from "../shared/formats.js";
import { t } from "../shared/t.js";
import type { Facts } from "./record.js";
import { when } from "./times.js";
import type { Order, OrderLine, OrderPart } from "./types.js";

// What can still be done with an order, and how it is told.

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** The pieces of a line that have neither left nor been cancelled. */
export const leftToShip = (of: OrderLine): number => round(of.quantity - of.shipped_quantity - of.cancelled_quantity);

/** The pieces that may come back. */
export const leftToReturn = (of: OrderLine): number => round(of.shipped_quantity - of.returned_quantity);

/** The pieces whose money may be given back. */
export const leftToRefund = (of: OrderLine): number => round(of.quantity - of.refunded_quantity);

const open = (of: Order) => of.status === "placed" && of.archived_at === undefined;

export const unpaid = (of: Order): boolean => of.status === "placed" && of.payment.status === "due";

/** Whether a parcel of the order is to be made. */
export const toShip = (of: Order): boolean =>
  open(of) &&
  of.shipping_method !== null &&
  of.fulfilment !== "shipped" &&
  !["due", "refunded"].includes(of.payment.status) &&
  of.lines.some((one) => leftToShip(one) > 0);

/** What the desk may do with an order now. The API has the last word. */
export function actsOf(of: Order) {
  const left = of.lines.some((one) => leftToShip(one) > 0);
  const free = of.payment.status !== "due";
  return {
    pay: open(of) && ["due", "not_required"].includes(of.payment.status) && of.totals.total.amount > 0,
    ship: toShip(of),
    correct: of.shipment !== null && open(of) && of.fulfilment === "shipped",
    deliver: open(of) && free && (of.shipping_method === null || of.fulfilment === "shipped"),
    cancel: open(of) && left,
    takeBack: of.archived_at === undefined && of.status !== "cancelled" && of.lines.some((one) => leftToReturn(one) > 0),
    refund: ["paid", "partially_refunded"].includes(of.payment.status) && of.totals.total.amount > of.refunded_amount,
  };
}

/** Where an order stands, in a word, with the colour of its mark. */
export function stateOf(of: Order): [word: string, mark: "open" | "due" | "done" | "off"] {
  if (of.status === "cancelled") return [t.order.cancelled, "off"];
  if (of.status === "completed") return [t.order.completed, "done"];
  if (unpaid(of)) return [t.order.unpaid, "due"];
  if (of.fulfilment === "shipped") return [t.order.shipped, "done"];
  if (of.fulfilment === "partial") return [t.order.partlyShipped, "open"];
  return [t.order.placed, "open"];
}

export function paymentOf(of: Order): string {
  const { status, paid_at, due_at, reference } = of.payment;
  const words = {
    not_required: t.order.payNone,
    due: of.status === "cancelled" || due_at === null ? t.order.payDue : t.order.payDueUntil(when(due_at)),
    paid: paid_at === null ? t.order.paid : t.order.paidAt(when(paid_at)),
    partially_refunded: t.order.refundedPartly(cents(of.refunded_amount)),
    refunded: t.order.refunded,
  }[status];
  return [words ?? status, reference].filter(Boolean).join(" · ");
}

/** Who an order is for. */
export const nameOf = (of: Pick<Order, "shipping_address" | "billing_address" | "email">): string => {
  const at = of.shipping_address ?? of.billing_address;
  return at?.company || at?.name || of.email || t.order.nobody;
};

export const partTitle = (of: OrderPart): string => t.order.part[of.kind] ?? of.kind;

/** The pieces of a part, as `2 × Roller blind`. */
export const partPieces = (order: Order, part: OrderPart): string =>
  [
    ...part.lines.map(({ line_id, quantity: n }) => {
      const line = order.lines.find(({ id }) => id === line_id);
      return `${quantity(n, line?.unit)} × ${line?.name ?? line_id}`;
    }),
    ...(part.shipping ? [t.order.delivery] : []),
  ].join(", ");

/** What is told of an order where somebody else has changed it. */
export const orderFacts = (of: Order): Facts => [
  [t.order.state, stateOf(of)[0]],
  [t.order.payment, paymentOf(of)],
  ...of.parts.map((part): [string, string] => [
    t.order.happened,
    [partTitle(part), part.amount === null ? "" : cents(part.amount), partPieces(of, part), part.carrier, part.tracking_number]
      .filter(Boolean)
      .join(" "),
  ]),
  ...(of.cancel_reason ? [[t.order.reason, of.cancel_reason] as [string, string]] : []),
];
