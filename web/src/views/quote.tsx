import type { Failure } from "cartd-client";
import { useState } from "preact/hooks";
import { date, money, shop, type Cart, type Profile, type Quote } from "../api.js";
import { cartState, forgetCart } from "../cart.js";
import { useAction, useLoad } from "../load.js";
import { AddressFields, addressFields, readAddress } from "../parts/address.js";
import { Delivery, type Method, type Methods } from "../parts/delivery.js";
import { Loaded, Missing } from "../parts/failure.js";
import { Field, Form, text } from "../parts/form.js";
import { Lines, TaxHint } from "../parts/lines.js";
import { Signature } from "../parts/signature.js";
import { PutAgain } from "../parts/status.js";
import { Sums } from "../parts/sums.js";
import { placed } from "../placed.js";
import { go, href } from "../router.js";
import { account } from "../session.js";
import { store } from "../settings.js";
import { onlyLeft, useStock } from "../stock.js";
import { useStore } from "../store.js";
import { useTitle } from "../title.js";

/** The request of a quote for the cart. */
export function RequestView() {
  useTitle("Ask for a quote");
  const { cart, loading } = useStore(cartState);
  const visitor = useStore(account);
  if (!cart && loading)
    return (
      <div class="outline" aria-busy="true">
        <span class="line title" />
      </div>
    );
  if (!cart || cart.lines.length === 0)
    return (
      <Missing title="Nothing to ask for">
        <p>
          The cart is empty. <a href="#/products">Look around</a>.
        </p>
      </Missing>
    );
  return <Request cart={cart} visitor={visitor ?? null} />;
}

function Request({ cart, visitor }: { cart: Cart; visitor: Profile | null }) {
  const { details } = useStore(cartState);
  const request = useAction(
    (data: FormData, key) => {
      const names = ["email", "name", "company_name", "phone", "message", "reference"] as const;
      const body = Object.fromEntries(names.map((one) => [one, text(data, one)]));
      return shop.post("/v1/api/commerce/carts/{id}/quote-request", { path: { id: cart.id }, body, idempotencyKey: key });
    },
    ({ data }) => {
      forgetCart();
      go(href(["quote", data.token!]));
    },
  );
  const name = [visitor?.first_name, visitor?.last_name].filter(Boolean).join(" ");
  return (
    <>
      <h1 tabIndex={-1}>Ask for a quote</h1>
      <p class="lead">You get a price that holds for thirty days, under a link of its own.</p>
      <Form
        action={request}
        values={["email", "name", "company_name", "phone", "message", "reference"]}
        label="Ask for the quote"
        aside={
          <aside class="summary" aria-label="Summary">
            <h2>Your cart</h2>
            <Lines of={cart.lines} details={details} />
            <Sums of={cart} />
            <TaxHint />
          </aside>
        }
      >
        <h2 class="hidden">About you</h2>
        <div class="fields">
          <Field name="email" label="E-mail" type="email" autocomplete="email" maxLength={255} wide value={visitor?.email ?? cart.email} />
          <Field name="name" label="Name" autocomplete="name" maxLength={150} optional value={name} />
          <Field name="company_name" label="Company" autocomplete="organization" maxLength={255} optional value={visitor?.company_name} />
          <Field name="phone" label="Phone" type="tel" autocomplete="tel" maxLength={50} optional value={visitor?.phone} />
          <Field name="reference" label="Your reference" maxLength={100} optional />
          <Field name="message" label="Message" maxLength={2000} optional multiline wide />
        </div>
      </Form>
    </>
  );
}

/** A quote, read by its link. */
export function QuoteView({ token }: { token: string }) {
  const path = { token };
  const quote = useLoad((signal) => shop.get("/v1/api/sales/quotes/by-token/{token}", { path, signal }), [token]);
  useTitle(quote.body ? `Quote ${quote.body.number}` : "Quote");
  return (
    <Loaded
      from={quote}
      outline={<span class="line title" />}
      missing={
        <Missing title="There is no such quote">
          <p>
            Its link is wrong or incomplete. <a href="#/">Go to the start</a>.
          </p>
        </Missing>
      }
    >
      {(body) => (
        <>
          <h1 tabIndex={-1}>Quote {body.number}</h1>
          <State of={body} />
          {body.status === "offered" ? (
            <Answer of={body} token={token} again={quote.again} />
          ) : (
            <div class="split">
              <Content of={body} />
              <Summary of={body} />
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}

function Content({ of }: { of: Quote }) {
  return (
    <div>
      <h2 class="hidden">Lines</h2>
      <Lines of={of.lines} />
      {of.message && <p class="hint">“{of.message}”</p>}
    </div>
  );
}

function Summary({ of, delivery = null }: { of: Quote; delivery?: Method | null | undefined }) {
  return (
    <aside class="summary" aria-label="Summary">
      <h2>Summary</h2>
      <Sums of={of} delivery={delivery} />
      <TaxHint />
      <p class="hint">Keep the address of this page: whoever has it can read, accept and decline this quote.</p>
    </aside>
  );
}

function State({ of }: { of: Quote }) {
  switch (of.status) {
    case "accepted":
      return (
        <p class="notice notice-good">
          Accepted{of.signer_name && ` by ${of.signer_name}`}
          {of.accepted_at && ` on ${date(of.accepted_at)}`}. The order is placed.
        </p>
      );
    case "declined":
      return (
        <div class="notice">
          <p>
            Declined{of.declined_at && ` on ${date(of.declined_at)}`}
            {of.decline_reason && `: “${of.decline_reason}”`}.
          </p>
          <QuoteAgain of={of} />
        </div>
      );
    case "expired":
      return (
        <div class="notice">
          <p>This quote ended on {date(of.valid_until)}. With the same in your cart you can ask again.</p>
          <QuoteAgain of={of} />
        </div>
      );
    default:
      return <p class="lead">These prices hold until {date(of.valid_until)}.</p>;
  }
}

/** A quote was asked for from a cart: a copy of that one has the same lines. */
function QuoteAgain({ of }: { of: Quote }) {
  const path = { id: of.cart_id };
  return (
    <PutAgain of={of} copy={(query, idempotencyKey) => shop.post("/v1/api/commerce/carts/{id}/copy", { path, query, idempotencyKey })} />
  );
}

/** Accepts or declines an offered quote. */
function Answer({ of, token, again }: { of: Quote; token: string; again: () => void }) {
  const settings = useStore(store);
  const [country, setCountry] = useState<string>();
  const chosenCountry = country ?? settings?.shipping_countries?.[0] ?? "NL";
  const methods = useQuoteMethods(token, chosenCountry);
  const [methodId, setMethodId] = useState<string | null>(null);
  const method = methods.body?.data.find((one) => one.id === methodId) ?? methods.body?.data[0];
  const ships = methods.body === null || methods.body.data.length > 0;
  const [signature, setSignature] = useState<string | null>(null);
  const total = method?.order_total ?? of.totals.total;
  const accept = useAction(
    (data: FormData, key) => {
      const body = {
        signer_name: text(data, "signer_name"),
        signature,
        ...(ships && method && { shipping_method_id: method.id, shipping_address: readAddress(data, "shipping_address.") }),
        expected_total_amount: total.amount,
      };
      return shop.post("/v1/api/sales/quotes/by-token/{token}/accept", { path: { token }, body, idempotencyKey: key });
    },
    ({ order }, { orderToken }) => placed(order, orderToken!),
  );
  const stock = useStock(of.lines.filter((one) => !one.attributes?.configuration));
  const missing = of.lines.filter((one) => (stock(one) ?? Infinity) < one.quantity);
  const instead = missing.length > 0 && (
    <div class="notice notice-failure" role="status">
      <p>
        <b>This quote cannot be accepted now.</b> Too little of it is there; we get more.
      </p>
      <ul>
        {missing.map((one) => (
          <li>
            {one.name}: {stock(one) === 0 ? "sold out." : onlyLeft(stock(one)!, 0, one.unit)}
          </li>
        ))}
      </ul>
    </div>
  );
  const values = ["signer_name", "signature", "shipping_method_id", ...addressFields.map((one) => `shipping_address.${one}`)];
  return (
    <>
      <Form
        action={accept}
        values={values}
        label={`Accept and order for ${money(total)}`}
        notice={<Way of={accept.failure} again={again} />}
        aside={<Summary of={of} delivery={method} />}
        instead={instead || undefined}
      >
        <Content of={of} />
        {ships && (
          <section class="step" aria-labelledby="to">
            <h2 id="to">Where to</h2>
            <AddressFields
              prefix="shipping_address."
              delivered={settings?.shipping_countries}
              country={chosenCountry}
              onCountry={setCountry}
            />
          </section>
        )}
        {ships && <Delivery methods={methods} chosen={method} choose={setMethodId} country={chosenCountry} />}
        <section class="step" aria-labelledby="sign">
          <h2 id="sign">{of.acceptance_mode === "signature" ? "Your signature" : "Your name"}</h2>
          <div class="fields">
            <Field name="signer_name" label="Name" autocomplete="name" maxLength={150} wide value={of.name} optional />
          </div>
          {of.acceptance_mode === "signature" && <Signature onChange={setSignature} failure={accept.failure} />}
        </section>
      </Form>
      <Decline token={token} again={again} />
    </>
  );
}

function useQuoteMethods(token: string, country: string): Methods {
  return useLoad(
    (signal) => shop.get("/v1/api/sales/quotes/by-token/{token}/shipping-methods", { path: { token }, query: { country }, signal }),
    [token, country],
  );
}

/** What to do after a refusal. */
function Way({ of, again }: { of: Failure | null; again: () => void }) {
  if (of?.kind !== "refused" || of.status === 422) return null;
  return (
    <p>
      <button type="button" class="link" onClick={again}>
        Show me the quote as it is
      </button>
    </p>
  );
}

function Decline({ token, again }: { token: string; again: () => void }) {
  const decline = useAction(
    (data: FormData, key) =>
      shop.post("/v1/api/sales/quotes/by-token/{token}/decline", {
        path: { token },
        body: { reason: text(data, "reason") },
        idempotencyKey: key,
      }),
    again,
  );
  return (
    <details class="fold decline">
      <summary>Decline it</summary>
      <Form action={decline} values={["reason"]} label="Decline">
        <Field name="reason" label="Why" maxLength={1000} optional />
      </Form>
    </details>
  );
}
