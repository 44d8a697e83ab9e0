import type { Failure, Refused } from "cartd-client";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Cart } from "../api.js";
import { cents, money } from "../shared/formats.js";
import { forgetCart } from "../cart.js";
import { changes, type Sight } from "../changes.js";
import { vatOf, type Page, type PageProps } from "../checkout.js";
import { useAction } from "../shared/load.js";
import { placeOrder } from "../place-order.js";
import { placed } from "../last-order.js";
import { href } from "../shared/router.js";
import { account } from "../session.js";
import { useStore } from "../shared/store.js";
import { useVat } from "../vat.js";
import { AddressText } from "./address.js";
import { codeError } from "./codes.js";
import { Form } from "../shared/form.js";
import { short } from "./proceed.js";
import { t } from "../shared/t.js";

/** The order as it would be placed. */
export function Order({
  cart,
  of,
  ships,
  aside,
  instead,
  etag,
  reading,
  again,
}: PageProps & { etag: string | null; reading: boolean; again: () => void }) {
  const visitor = useStore(account);
  const { total } = of.totals;
  const method = of.shipping_methods.find((one) => one.id === of.shipping_method_id);
  const { pick } = useVat();
  const lines = cart.lines.map((one) => ({ ...one, unit_price_amount: pick(one, "unit_price").amount }));
  const now: Sight = { lines, total: total.amount, delivery: method?.name ?? null, address: of.shipping_address };
  const seen = useRef(now);
  const [first] = useState(total.amount); // what the page has shown at first: another device may change the cart
  const order = useAction(
    (_: FormData, key) => {
      seen.current = now;
      return placeOrder({ cart: cart.id, body: { expected_total_amount: total.amount }, ifMatch: etag, key });
    },
    ({ data }, { orderToken }) => {
      forgetCart();
      placed(data, orderToken!);
    },
  );
  useEffect(() => {
    if (order.failure?.kind === "refused") again();
  }, [order.failure]);
  const facts: [string, ComponentChildren, Page | null][] = [
    [t.fields.email, visitor?.email ?? of.email, visitor ? null : "where"],
    [t.checkout.goesTo, ships && of.shipping_address && <AddressText of={of.shipping_address} />, "where"],
    [t.checkout.invoiceTo, of.billing_address && <AddressText of={of.billing_address} />, "where"],
    [t.fields.vat, vatOf(cart), "where"],
    [t.fields.delivery, ships && method?.name, "how"],
    [t.fields.reference, of.reference, "how"],
    [t.fields.note, of.customer_note, "how"],
  ];
  return (
    <Form
      action={order}
      values={[]}
      label={t.checkout.orderFor(money(total))}
      notice={
        <Way of={order.failure} cart={cart} changed={reading ? [] : changes(seen.current, now, cents)} told={instead !== undefined} />
      }
      aside={aside}
      instead={instead}
    >
      <section class="step" aria-labelledby="look">
        <h2 id="look">{t.checkout.whatYouOrder}</h2>
        <div role="status">{total.amount !== first && <p class="notice">{t.checkout.newTotal(money(total))}</p>}</div>
        <dl class="facts">
          {facts
            .filter(([, value]) => value)
            .map(([name, value, page]) => (
              <div>
                <dt>{name}</dt>
                <dd>
                  {value}{" "}
                  {page !== null && (
                    <a href={href(["checkout", page])} aria-label={t.checkout.changeFor(name)}>
                      {t.checkout.change}
                    </a>
                  )}
                </dd>
              </div>
            ))}
        </dl>
      </section>
    </Form>
  );
}

/** What to do after a refusal. `told`: what is short stands in place of the button. */
function Way({ of, cart, changed, told }: { of: Failure | null; cart: Cart; changed: string[]; told: boolean }) {
  if (of?.kind !== "refused") return null;
  const { current_total: now, out_of_stock: items, discount_codes: codes } = of.details;
  const failing = (codes ?? []).flatMap(({ code, error }) => (error === null ? [] : [`${code}: ${codeError(error)}`]));
  const said = [...failing, ...(of.code === "OUT_OF_STOCK" ? [] : changed), ...(told ? [] : (items ?? []).map((one) => short(one, cart)))];
  switch (of.code) {
    case "CART_CHANGED":
    case "version_mismatch":
    case "OUT_OF_STOCK":
      return (
        <>
          {said.length > 0 ? (
            <ul>
              {said.map((one) => (
                <li>{one}</li>
              ))}
            </ul>
          ) : (
            now !== undefined && <p>{t.checkout.wouldCost(cents(now))}</p>
          )}
          {items && !told && <a href="#/cart">{t.checkout.changeCart}</a>}
        </>
      );
    case "QUOTE_REQUIRED":
      return (
        <p>
          <a href="#/request">{t.cart.askQuote}</a>
        </p>
      );
    case "login_required":
      return (
        <p>
          <a href="#/login?to=checkout">{t.shell.logIn}</a>
        </p>
      );
    default:
      return <FaultyLines of={of} cart={cart} />;
  }
}

/** The lines that a refusal is about. What is wrong with them stands above. */
function FaultyLines({ of, cart }: { of: Refused; cart: Cart }) {
  const faulty = cart.lines.filter((_, i) => of.errorCodes[`lines.${i}.product_id`]);
  if (faulty.length === 0) return null;
  return (
    <ul>
      {faulty.map((one) => (
        <li>{one.name}</li>
      ))}
    </ul>
  );
}
