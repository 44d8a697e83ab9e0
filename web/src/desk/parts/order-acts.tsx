import { useState } from "preact/hooks";
import { cents } from "../../shared/formats.js";
import { Field, text } from "../../shared/form.js";
import { lacking } from "../../shared/load.js";
import { t } from "../../shared/t.js";
import { parseAmount } from "../amounts.js";
import { actsOf, leftToRefund, leftToReturn, leftToShip } from "../orders.js";
import { useChange, type Record } from "../record.js";
import { api, can } from "../session.js";
import type { Order } from "../types.js";
import { Ask } from "./ask.js";
import { isAll, Pieces, piecesOf } from "./pieces.js";

interface Act {
  order: Order;
  record: Record<Order>;
  close: () => void;
}

const acts = { pay: Pay, ship: Ship, correct: Correct, deliver: Deliver, takeBack: TakeBack, refund: Refund, cancel: Cancel };

/** What can be done with an order. Nothing is done before it is asked a second time. */
export function OrderActs({ record, order }: { record: Record<Order>; order: Order }) {
  const [asked, ask] = useState<keyof typeof acts | null>(null);
  if (!can("orders:write")) return null;
  const may = actsOf(order);
  const names = (Object.keys(acts) as (keyof typeof acts)[]).filter((one) => may[one]);
  const Asked = asked && acts[asked];
  return (
    <div class="acts">
      {names.map((one, i) => (
        <button type="button" class={`button${i === 0 && one !== "cancel" ? "" : " button-quiet"}`} onClick={() => ask(one)}>
          {t.act[one]}
        </button>
      ))}
      {Asked && <Asked order={order} record={record} close={() => ask(null)} />}
    </div>
  );
}

function Pay({ order, record, close }: Act) {
  const { id } = order;
  const { amount } = order.totals.total;
  const pay = useChange<FormData, Order>(
    record,
    (data, ifMatch, idempotencyKey) => {
      const reference = text(data, "reference");
      if (reference === null) return lacking("reference");
      return api.post("/v1/api/orders/{id}/payment", { path: { id }, body: { reference, amount }, ifMatch, idempotencyKey });
    },
    close,
  );
  return (
    <Ask title={t.act.pay} yes={t.ask.pay(cents(amount))} action={pay} values={["reference"]} close={close}>
      <p>{t.ask.payWhy}</p>
      <Field name="reference" label={t.ask.payReference} maxLength={255} />
    </Ask>
  );
}

function Carrier({ of }: { of?: Order["shipment"] }) {
  return (
    <>
      <Field name="carrier" label={t.ask.carrier} optional maxLength={255} value={of?.carrier} />
      <Field name="tracking_number" label={t.ask.tracking} optional maxLength={255} value={of?.tracking_number} />
      <Field name="tracking_url" label={t.ask.trackingUrl} optional maxLength={2000} value={of?.tracking_url} />
    </>
  );
}

const carrierOf = (data: FormData) => ({
  carrier: text(data, "carrier"),
  tracking_number: text(data, "tracking_number"),
  tracking_url: text(data, "tracking_url"),
});

const carrierFields = ["carrier", "tracking_number", "tracking_url"];

function Ship({ order, record, close }: Act) {
  const { id, lines } = order;
  const ship = useChange<FormData, Order>(
    record,
    (data, ifMatch, idempotencyKey) => {
      const pieces = piecesOf(data, lines);
      const body = { ...carrierOf(data), reference: text(data, "reference"), lines: isAll(pieces, lines, leftToShip) ? null : pieces };
      return api.post("/v1/api/orders/{id}/shipments", { path: { id }, body, ifMatch, idempotencyKey });
    },
    close,
  );
  return (
    <Ask title={t.act.ship} yes={t.ask.ship} action={ship} values={[...carrierFields, "reference"]} close={close}>
      <Pieces lines={lines} left={leftToShip} all />
      <Carrier />
      <Field name="reference" label={t.ask.reference} hint={t.ask.referenceHint} optional maxLength={100} />
      <p class="hint">{t.ask.shipWhy}</p>
    </Ask>
  );
}

function Correct({ order, record, close }: Act) {
  const { id } = order;
  const correct = useChange<FormData, Order>(
    record,
    (data, ifMatch, idempotencyKey) =>
      api.post("/v1/api/orders/{id}/shipment", { path: { id }, body: carrierOf(data), ifMatch, idempotencyKey }),
    close,
  );
  return (
    <Ask title={t.act.correct} yes={t.ask.correct} action={correct} values={carrierFields} close={close}>
      <Carrier of={order.shipment} />
    </Ask>
  );
}

function Deliver({ order, record, close }: Act) {
  const { id } = order;
  const deliver = useChange<FormData, Order>(
    record,
    (_, ifMatch, idempotencyKey) => api.post("/v1/api/orders/{id}/delivered", { path: { id }, ifMatch, idempotencyKey }),
    close,
  );
  return (
    <Ask title={t.act.deliver} yes={t.ask.deliver} action={deliver} close={close}>
      <p>{t.ask.deliverWhy}</p>
    </Ask>
  );
}

/** Whether the pieces go back into the stock. */
function Restock() {
  return (
    <label class="check">
      <input type="checkbox" name="restock" defaultChecked />
      <span>{t.ask.restock}</span>
    </label>
  );
}

function Cancel({ order, record, close }: Act) {
  const { id, lines } = order;
  const parted = order.payment.status === "due" ? null : lines; // pieces of an unpaid order cannot be cancelled alone
  const cancel = useChange<FormData, Order>(
    record,
    (data, ifMatch, idempotencyKey) => {
      const pieces = parted ? piecesOf(data, lines) : [];
      const whole = parted === null || (order.fulfilment === "none" && isAll(pieces, lines, leftToShip));
      const body = { reason: text(data, "reason"), restock: data.has("restock"), ...(!whole && { lines: pieces }) };
      return api.post("/v1/api/orders/{id}/cancel", { path: { id }, body, ifMatch, idempotencyKey });
    },
    close,
  );
  return (
    <Ask title={t.act.cancel} yes={t.ask.cancel} action={cancel} values={["reason"]} danger close={close}>
      <p>{order.payment.status === "paid" ? t.ask.cancelPaid : t.ask.cancelWhy}</p>
      {parted && <Pieces lines={lines} left={leftToShip} all />}
      <Field name="reason" label={t.ask.reason} optional maxLength={255} />
      <Restock />
    </Ask>
  );
}

function TakeBack({ order, record, close }: Act) {
  const { id, lines } = order;
  const back = useChange<FormData, Order>(
    record,
    (data, ifMatch, idempotencyKey) => {
      const body = {
        lines: piecesOf(data, lines),
        reason: text(data, "reason"),
        restock: data.has("restock"),
        reference: text(data, "reference"),
      };
      return api.post("/v1/api/orders/{id}/returns", { path: { id }, body, ifMatch, idempotencyKey });
    },
    close,
  );
  return (
    <Ask title={t.act.takeBack} yes={t.ask.takeBack} action={back} values={["reason", "reference"]} close={close}>
      <Pieces lines={lines} left={leftToReturn} all={false} />
      <Field name="reason" label={t.ask.reason} optional maxLength={255} />
      <Field name="reference" label={t.ask.reference} hint={t.ask.referenceHint} optional maxLength={100} />
      <Restock />
      <p class="hint">{t.ask.noMoney}</p>
    </Ask>
  );
}

type Kind = "whole" | "pieces" | "amount";

function Refund({ order, record, close }: Act) {
  const { id, lines } = order;
  const left = order.totals.total.amount - order.refunded_amount;
  const [kind, setKind] = useState<Kind>("whole");
  const shippingLeft = order.shipping_share !== null && order.shipping_share.amount > 0 && !order.parts.some((one) => one.shipping);
  const refund = useChange<FormData, Order>(
    record,
    (data, ifMatch, idempotencyKey) => {
      const reference = text(data, "reference");
      if (reference === null) return lacking("reference");
      const path = { id };
      if (kind === "whole") return api.post("/v1/api/orders/{id}/refund", { path, body: { reference }, ifMatch, idempotencyKey });
      const typed = text(data, "amount");
      const amount = typed === null ? null : parseAmount(typed);
      if (typed !== null && amount === null) return lacking("amount", "numeric");
      if (typed === null && kind === "amount") return lacking("amount");
      const pieces = kind === "pieces" ? piecesOf(data, lines) : [];
      const body = {
        reference,
        reason: text(data, "reason"),
        ...(amount !== null && { amount }),
        ...(pieces.length > 0 && { lines: pieces }),
        ...(data.has("shipping") && { shipping: true }),
      };
      return api.post("/v1/api/orders/{id}/refunds", { path, body, ifMatch, idempotencyKey });
    },
    close,
  );
  const kinds: [Kind, string][] = [
    ["whole", t.ask.refundWhole(cents(left))],
    ["pieces", t.ask.refundPieces],
    ["amount", t.ask.refundAmount],
  ];
  return (
    <Ask title={t.act.refund} yes={t.ask.refund} action={refund} values={["reference", "amount", "reason"]} danger close={close}>
      <p>{t.ask.refundWhy}</p>
      <fieldset class="choices">
        <legend class="hidden">{t.ask.refundWhat}</legend>
        {kinds
          .filter(([one]) => one === "whole" || order.archived_at === undefined || one === "amount")
          .map(([one, name]) => (
            <label class="check">
              <input type="radio" name="kind" value={one} checked={kind === one} onChange={() => setKind(one)} />
              <span>{name}</span>
            </label>
          ))}
      </fieldset>
      {kind === "pieces" && <Pieces lines={lines} left={leftToRefund} all={false} />}
      {kind === "pieces" && shippingLeft && (
        <label class="check">
          <input type="checkbox" name="shipping" />
          <span>{t.ask.refundDelivery(cents(order.shipping_share!.amount))}</span>
        </label>
      )}
      {kind !== "whole" && (
        <Field
          key={kind}
          name="amount"
          label={kind === "pieces" ? t.ask.lessAmount : t.ask.amount}
          optional={kind === "pieces"}
          hint={t.ask.atMost(cents(left))}
        />
      )}
      <Field name="reference" label={t.ask.refundReference} maxLength={100} />
      {kind !== "whole" && <Field name="reason" label={t.ask.reason} optional maxLength={255} />}
    </Ask>
  );
}
