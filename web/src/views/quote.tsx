import type { Failure } from "cartd-client";
import { useState } from "preact/hooks";
import { shop, type Address, type Cart, type Profile, type Quote } from "../api.js";
import { date, money } from "../shared/formats.js";
import { cartState, forgetCart } from "../cart.js";
import { useAction, useLoad } from "../shared/load.js";
import { AddressFields, addressFields, AddressText, readAddress, type AddressBody } from "../parts/address.js";
import { Delivery, type Method, type Methods } from "../parts/delivery.js";
import { Loaded, Missing } from "../shared/failure.js";
import { Field, Form, text } from "../shared/form.js";
import { Lines, TaxHint } from "../parts/lines.js";
import { Signature } from "../parts/signature.js";
import { PutAgain } from "../parts/status.js";
import { Sums } from "../parts/sums.js";
import { Saved, sorted, useBook } from "../parts/where.js";
import { placed } from "../last-order.js";
import { go, href } from "../shared/router.js";
import { account } from "../session.js";
import { store } from "../settings.js";
import { leftOf, onlyLeft, useStock } from "../stock.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../title.js";
import { Linked } from "../shared/linked.js";
import { Exemption } from "../vat.js";
import { t } from "../shared/t.js";

/** The request of a quote for the cart. */
export function RequestView() {
  const { cart, loading } = useStore(cartState);
  const visitor = useStore(account);
  const [asked, setAsked] = useState<Quote | null>(null);
  useTitle(asked ? quoteName(asked) : t.quote.ask);
  if (asked) return <Shown of={asked} />;
  if (!cart && loading)
    return (
      <div class="outline" aria-busy="true">
        <span class="line title" />
      </div>
    );
  if (!cart || cart.lines.length === 0)
    return (
      <Missing title={t.quote.nothing}>
        <p>
          <Linked text={t.checkout.emptyCart} to="#/products" />
        </p>
      </Missing>
    );
  return <Request cart={cart} visitor={visitor ?? null} onAsked={setAsked} />;
}

function Request({ cart, visitor, onAsked }: { cart: Cart; visitor: Profile | null; onAsked: (quote: Quote) => void }) {
  const { details } = useStore(cartState);
  const request = useAction(
    (data: FormData, key) => {
      const names = ["email", "name", "company_name", "phone", "message", "reference"] as const;
      const body = Object.fromEntries(names.map((one) => [one, text(data, one)]));
      return shop.post("/v1/api/commerce/carts/{id}/quote-request", { path: { id: cart.id }, body, idempotencyKey: key });
    },
    ({ data }) => {
      forgetCart();
      if (data.token) go(href(["quote", data.token]));
      else if (visitor) go(href(["quotes", data.id]));
      else onAsked(data);
    },
  );
  const name = [visitor?.first_name, visitor?.last_name].filter(Boolean).join(" ");
  return (
    <>
      <h1 tabIndex={-1}>{t.quote.ask}</h1>
      <p class="lead">{t.quote.lead}</p>
      <Form
        action={request}
        values={["email", "name", "company_name", "phone", "message", "reference"]}
        label={t.quote.askFor}
        draft="request"
        aside={
          <aside class="summary" aria-label={t.cart.summary}>
            <h2>{t.quote.yourCart}</h2>
            <Lines of={cart.lines} details={details} />
            <Sums of={cart} />
            <TaxHint />
          </aside>
        }
      >
        <h2 class="hidden">{t.quote.aboutYou}</h2>
        <div class="fields">
          <Field
            name="email"
            label={t.fields.email}
            type="email"
            autocomplete="email"
            maxLength={255}
            wide
            value={visitor?.email ?? cart.email}
          />
          <Field name="name" label={t.fields.name} autocomplete="name" maxLength={150} optional value={name} />
          <Field
            name="company_name"
            label={t.fields.company}
            autocomplete="organization"
            maxLength={255}
            optional
            value={visitor?.company_name}
          />
          <Field name="phone" label={t.fields.phone} type="tel" autocomplete="tel" maxLength={50} optional value={visitor?.phone} />
          <Field name="reference" label={t.fields.reference} maxLength={100} optional />
          <Field name="message" label={t.fields.message} maxLength={2000} optional multiline wide />
        </div>
      </Form>
    </>
  );
}

/** What a quote is called: a request that is not answered has no number. */
export const quoteName = ({ number }: Pick<Quote, "number">) => (number === null ? t.quote.asked : t.quote.number(number));

/** A quote, read by its link. */
export function QuoteView({ token }: { token: string }) {
  const path = { token };
  const quote = useLoad((signal) => shop.get("/v1/api/sales/quotes/by-token/{token}", { path, signal }), [token]);
  useTitle(quote.body ? quoteName(quote.body) : t.quote.title);
  return (
    <Loaded
      from={quote}
      outline={<span class="line title" />}
      missing={
        <Missing title={t.quote.none}>
          <p>
            <Linked text={t.order.noneWhy} to="#/" />
          </p>
        </Missing>
      }
    >
      {(body) => <Shown of={body} token={token} again={quote.again} />}
    </Loaded>
  );
}

/** A quote, to be answered by whoever has its token. */
export function Shown({ of, token, again }: { of: Quote; token?: string; again?: () => void }) {
  return (
    <Exemption.Provider value={of.tax_exemption}>
      <h1 tabIndex={-1}>{quoteName(of)}</h1>
      <State of={of} />
      {of.status === "offered" && token && again ? (
        <Answer key={of.version} of={of} token={token} again={again} />
      ) : (
        <div class="split">
          <Content of={of} />
          <Summary of={of} />
        </div>
      )}
    </Exemption.Provider>
  );
}

function Content({ of }: { of: Quote }) {
  return (
    <div>
      <h2 class="hidden">{t.cart.lines}</h2>
      <Lines of={of.lines} />
      {of.offer_message && <p class="notice several">{of.offer_message}</p>}
      {of.message && <p class="hint">“{of.message}”</p>}
    </div>
  );
}

function Summary({ of, delivery = null }: { of: Quote; delivery?: Method | null | undefined }) {
  return (
    <aside class="summary" aria-label={t.cart.summary}>
      <h2>{t.cart.summary}</h2>
      <Sums of={of} delivery={delivery} />
      <TaxHint />
      {of.version > 0 && <p class="hint">{t.quote.keepAddress}</p>}
    </aside>
  );
}

function State({ of }: { of: Quote }) {
  switch (of.status) {
    case "draft":
      return <p class="notice notice-good">{t.quote.isAsked(of.email!)}</p>;
    case "withdrawn":
      return (
        <div class="notice">
          <p>{t.quote.isWithdrawn(of.withdrawn_at && date(of.withdrawn_at), of.withdraw_reason)}</p>
          <QuoteAgain of={of} />
        </div>
      );
    case "accepted":
      return <p class="notice notice-good">{t.quote.isAccepted(of.signer_name, of.accepted_at && date(of.accepted_at))}</p>;
    case "declined":
      return (
        <div class="notice">
          <p>{t.quote.isDeclined(of.declined_at && date(of.declined_at), of.decline_reason)}</p>
          <QuoteAgain of={of} />
        </div>
      );
    case "expired":
      return (
        <div class="notice">
          <p>{t.quote.isExpired(date(of.valid_until!))}</p>
          <QuoteAgain of={of} />
        </div>
      );
    default:
      return (
        <>
          <p class="lead">
            {of.version > 1 && `${t.quote.version(of.version)}. `}
            {t.quote.holds(date(of.valid_until!))}
          </p>
          {of.change_request?.message && <p class="notice">{t.quote.wishSent(of.change_request.message)}</p>}
        </>
      );
  }
}

/** A quote that was asked for from a cart: a copy of that one has the same lines. */
function QuoteAgain({ of }: { of: Quote }) {
  if (of.cart_id === null) return null;
  const path = { id: of.cart_id };
  return (
    <PutAgain
      of={of}
      codes={of.discounts.flatMap(({ code }) => code ?? [])}
      copy={(query, idempotencyKey) => shop.post("/v1/api/commerce/carts/{id}/copy", { path, query, idempotencyKey })}
    />
  );
}

const blank = { street: "", postal_code: "", city: "", country: "" };

/** A saved address as a quote takes it: the request has no ids of addresses. */
const given = ({ name, street, postal_code, city, country, phone, ...more }: Address): AddressBody => ({
  name,
  street,
  postal_code,
  city,
  country,
  phone,
  company: more.company ?? null,
  region: more.region ?? null,
});

/** Accepts or declines an offered quote. */
function Answer({ of, token, again }: { of: Quote; token: string; again: () => void }) {
  const visitor = useStore(account);
  const ownName = [visitor?.first_name, visitor?.last_name].filter(Boolean).join(" ");
  const settings = useStore(store);
  const [country, setCountry] = useState<string>();
  const book = useBook();
  const [addressId, setAddressId] = useState<string | null | undefined>(undefined);
  const taxed = of.tax_country; // the quote is for this country only
  const saved = sorted(book.body?.data ?? [], "shipping").filter((one) => taxed === null || one.country === taxed);
  const address = addressId === null ? undefined : (saved.find((one) => one.id === addressId) ?? saved[0]);
  const chosenCountry = address?.country ?? taxed ?? country ?? settings?.shipping_countries?.[0] ?? "NL";
  const methods = useQuoteMethods(token, chosenCountry);
  const [methodId, setMethodId] = useState<string | null>(null);
  const method = methods.body?.data.find((one) => one.id === methodId) ?? methods.body?.data[0];
  const ships = methods.body === null || methods.body.data.length > 0;
  const [signature, setSignature] = useState<string | null>(null);
  const total = method?.order_total ?? of.order_total ?? of.totals.total;
  const invoice = book.body?.data.find((one) => one.type === "billing" && one.is_default);
  const accept = useAction(
    (data: FormData, key) => {
      const body = {
        signer_name: text(data, "signer_name"),
        signature,
        ...(ships &&
          method && { shipping_method_id: method.id, shipping_address: address ? given(address) : readAddress(data, "shipping_address.") }),
        ...(invoice && { billing_address: given(invoice) }),
        expected_total_amount: total.amount,
        version: of.version,
      };
      return shop.post("/v1/api/sales/quotes/by-token/{token}/accept", { path: { token }, body, idempotencyKey: key });
    },
    ({ order }, { orderToken }) => placed(order, orderToken!),
  );
  const stock = useStock(of.lines.flatMap(stocked));
  const left = (one: (typeof of.lines)[number]) => {
    const [item] = stocked(one);
    return (item && leftOf(stock(item))) ?? Infinity;
  };
  const missing = of.lines.filter((one) => left(one) < one.quantity);
  // An offer may hold its stock, which is not on sale then: only a refusal says that it cannot be accepted.
  const short = accept.failure?.kind === "refused" && accept.failure.code === "OUT_OF_STOCK";
  const instead = short && missing.length > 0 && (
    <div class="notice notice-failure" role="status">
      <p>
        <b>{t.quote.notNow}</b> {t.quote.tooLittle}
      </p>
      <ul>
        {missing.map((one) => (
          <li>
            {one.name}: {left(one) === 0 ? t.quote.soldOut : onlyLeft(left(one), 0, one.unit)}
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
        label={t.quote.acceptFor(money(total))}
        draft={`accept ${of.id}`}
        notice={<Way of={accept.failure} again={again} />}
        aside={<Summary of={of} delivery={method} />}
        instead={instead || undefined}
      >
        <Content of={of} />
        {ships && (
          <section class="step" aria-labelledby="to">
            <h2 id="to">{t.checkout.where}</h2>
            <Saved
              name="shipping_address_id"
              label={t.checkout.address}
              all={saved}
              chosen={address?.id ?? "another"}
              choose={(id) => setAddressId(id === "another" ? null : id)}
            />
            {!address && (
              <AddressFields
                prefix="shipping_address."
                delivered={taxed === null ? settings?.shipping_countries : [taxed]}
                country={chosenCountry}
                onCountry={setCountry}
                of={ownName ? { ...blank, name: ownName } : undefined}
              />
            )}
            {invoice && (
              <dl class="facts">
                <div>
                  <dt>{t.checkout.invoiceTo}</dt>
                  <dd>
                    <AddressText of={invoice} />
                  </dd>
                </div>
              </dl>
            )}
          </section>
        )}
        {ships && <Delivery methods={methods} chosen={method} choose={setMethodId} country={chosenCountry} />}
        <section class="step" aria-labelledby="sign">
          <h2 id="sign">{of.acceptance_mode === "signature" ? t.quote.yourSignature : t.quote.yourName}</h2>
          <div class="fields">
            <Field name="signer_name" label={t.fields.name} autocomplete="name" maxLength={150} wide value={of.name ?? ownName} optional />
          </div>
          {of.acceptance_mode === "signature" && <Signature onChange={setSignature} failure={accept.failure} />}
        </section>
      </Form>
      <AskForChange of={of} token={token} again={again} />
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
        {t.quote.asItIs}
      </button>
    </p>
  );
}

/** The item of a line whose stock is counted. */
const stocked = ({ product_id, variant_id, attributes }: Quote["lines"][number]) =>
  product_id === null || attributes?.configuration ? [] : [{ product_id, variant_id }];

/** Asks the merchant for another offer. This one stands. */
function AskForChange({ of, token, again }: { of: Quote; token: string; again: () => void }) {
  const ask = useAction(
    (data: FormData, key) =>
      shop.post("/v1/api/sales/quotes/by-token/{token}/change-request", {
        path: { token },
        body: { message: text(data, "message") ?? "" },
        idempotencyKey: key,
      }),
    again,
  );
  return (
    <details class="fold decline">
      <summary>{t.quote.askChange}</summary>
      <Form action={ask} values={["message"]} label={t.quote.sendWish} draft={`change ${of.id}`}>
        <Field name="message" label={t.quote.wish} maxLength={2000} multiline value={of.change_request?.message} />
      </Form>
    </details>
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
      <summary>{t.quote.declineIt}</summary>
      <Form action={decline} values={["reason"]} label={t.quote.decline} draft="decline">
        <Field name="reason" label={t.fields.why} maxLength={1000} optional />
      </Form>
    </details>
  );
}
