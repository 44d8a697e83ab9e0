// The stand-in of a payment provider's page: /payment#by-token/TOKEN, or /payment#ID of an order of the
// account. A shop sends its visitors there and gets them back. The provider tells the merchant's system
// of a payment: here POST /payment, which cartd serve --demo answers.
import type { Result } from "cartd-client";
import { render } from "preact";
import { useState } from "preact/hooks";
import { shop, type Order } from "./api.js";
import { money, time } from "./shared/formats.js";
import { codeText, loadLanguage } from "./shared/language.js";
import { useLoad } from "./shared/load.js";
import { Loaded, Missing } from "./shared/failure.js";
import { Linked } from "./shared/linked.js";
import { session } from "./session.js";
import { t } from "./shared/t.js";
import { useTitle } from "./title.js";

/** The order, as the merchant's system knows it: by its token, or by its id where the account is logged in. */
const named = location.hash.slice(1);
const [, token] = /^by-token\/(.+)$/.exec(named) ?? [];
const back = token === undefined ? `/#/orders/${named}` : `/#/thanks/${token}`;

function readOrder(signal: AbortSignal): Promise<Result<Order>> {
  if (token !== undefined) return shop.get("/v1/api/commerce/orders/by-token/{token}", { path: { token }, signal });
  return shop.get("/v1/api/commerce/orders/{id}", { path: { id: named }, signal });
}

function Payment() {
  const order = useLoad(readOrder, []);
  useTitle(order.body ? t.payment.payOrder(order.body.number) : t.payment.title);
  if (order.failure?.status === 401) {
    return (
      <main class="payment">
        <Missing title={t.payment.logIn}>
          <p>
            <Linked text={t.payment.logInWhy} to="/#/login" />
          </p>
        </Missing>
      </main>
    );
  }
  return (
    <main class="payment">
      <p class="payment-sign">
        <b>{t.payment.bank}</b> {t.payment.sign}
      </p>
      <Loaded
        from={order}
        outline={<span class="line title" />}
        missing={
          <Missing title={t.order.none}>
            <p>
              <Linked text={t.payment.none} to="/#/" />
            </p>
          </Missing>
        }
      >
        {(body) =>
          body.payment.status === "due" && body.status !== "cancelled" ? <Due of={body} again={order.again} /> : <Done of={body} />
        }
      </Loaded>
    </main>
  );
}

/** Nothing is left to pay. */
function Done({ of }: { of: Order }) {
  return (
    <>
      <h1 tabIndex={-1}>{of.status === "cancelled" ? t.payment.ended(of.number) : t.payment.nothingDue(of.number)}</h1>
      <p class="lead">{of.status === "cancelled" ? t.payment.endedWhy : t.payment.nothingDueWhy}</p>
      <a class="button" href={back}>
        {t.payment.back}
      </a>
    </>
  );
}

function Due({ of, again }: { of: Order; again: () => void }) {
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const pay = async () => {
    setBusy(true);
    setSaid(null);
    try {
      const refusal = await report();
      if (refusal === null) return location.assign(back);
      setSaid(refusal);
      again();
    } finally {
      setBusy(false);
    }
  };
  const { due_at: due } = of.payment;
  return (
    <>
      <h1 tabIndex={-1}>{t.order.pay(money(of.totals.total))}</h1>
      <p class="lead">
        {t.payment.forOrder(of.number)} {due && t.payment.waits(time(due))}
      </p>
      <div role="alert">{said && <p class="notice notice-failure">{said}</p>}</div>
      <p class="payment-actions">
        <button type="button" class="button button-wide" aria-disabled={busy} data-busy={busy} onClick={() => busy || void pay()}>
          {t.order.pay(money(of.totals.total))}
        </button>
        <button type="button" class="button button-quiet button-wide" onClick={() => setSaid(t.payment.failed)}>
          {t.payment.fail}
        </button>
        <a class="link" href={back}>
          {t.payment.leave}
        </a>
      </p>
    </>
  );
}

/** Tells the merchant's system that the order is paid. Returns what it says against it, null if nothing. */
async function report(): Promise<string | null> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (shop.customerToken !== null) headers["X-Customer-Token"] = shop.customerToken;
  try {
    const answer = await fetch("/payment", { method: "POST", headers, body: JSON.stringify({ order: named }) });
    if (answer.ok) return null;
    const refusal: { message?: string; code?: string } = await answer.json();
    return codeText(refusal.code, refusal.message ?? answer.statusText);
  } catch {
    return t.payment.unreached;
  }
}

void session.resume();
await loadLanguage();
render(<Payment />, document.getElementById("shop")!);
