import type { Failure, Refused } from "cartd-client";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { cents, money, type Cart } from "../api.js";
import { forgetCart } from "../cart.js";
import { changes, type Sight } from "../changes.js";
import { vatOf, type Page, type PageProps } from "../checkout.js";
import { useAction } from "../load.js";
import { placeOrder } from "../ordering.js";
import { placed } from "../placed.js";
import { href } from "../router.js";
import { account } from "../session.js";
import { useStore } from "../store.js";
import { useVat } from "../vat.js";
import { AddressText } from "./address.js";
import { codeErrors } from "./codes.js";
import { Form } from "./form.js";
import { short } from "./proceed.js";

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
    ["E-mail", visitor?.email ?? of.email, visitor ? null : "where"],
    ["Goes to", ships && of.shipping_address && <AddressText of={of.shipping_address} />, "where"],
    ["Invoice to", of.billing_address && <AddressText of={of.billing_address} />, "where"],
    ["VAT number", vatOf(cart), "where"],
    ["Delivery", ships && method?.name, "how"],
    ["Your reference", of.reference, "how"],
    ["Note", of.customer_note, "how"],
  ];
  return (
    <Form
      action={order}
      values={[]}
      label={`Order for ${money(total)}`}
      notice={<Way of={order.failure} cart={cart} changed={reading ? [] : changes(seen.current, now, cents)} />}
      aside={aside}
      instead={instead}
    >
      <section class="step" aria-labelledby="look">
        <h2 id="look">What you order</h2>
        <dl class="facts">
          {facts
            .filter(([, value]) => value)
            .map(([name, value, page]) => (
              <div>
                <dt>{name}</dt>
                <dd>
                  {value}{" "}
                  {page !== null && (
                    <a href={href(["checkout", page])} aria-label={`Change: ${name}`}>
                      Change
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

/** What to do after a refusal. */
function Way({ of, cart, changed }: { of: Failure | null; cart: Cart; changed: string[] }) {
  if (of?.kind !== "refused") return null;
  const { current_total: now, out_of_stock: items, discount_codes: codes } = of.details;
  const failing = (codes ?? []).flatMap(({ code, error }) => (error === null ? [] : [`${code}: ${codeErrors[error]}`]));
  const said = [...failing, ...(of.code === "OUT_OF_STOCK" ? [] : changed), ...(items ?? []).map((one) => short(one, cart))];
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
            now !== undefined && <p>It would cost {cents(now)} now.</p>
          )}
          {items && <a href="#/cart">Change the cart</a>}
        </>
      );
    case "QUOTE_REQUIRED":
      return (
        <p>
          <a href="#/request">Ask for a quote</a>
        </p>
      );
    case "login_required":
      return (
        <p>
          <a href="#/login?to=checkout">Log in</a>
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
