import type { components, Failure, Input, Refused, Result, Success } from "cartd-client";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { cents, money, shop, type Address, type Cart, type Profile } from "../api.js";
import { cartState, forgetCart, openCart } from "../cart.js";
import { changes, type Sight } from "../changes.js";
import { useExplain } from "../explain.js";
import { readDraft } from "../drafts.js";
import { known, useAction, useLoad } from "../load.js";
import { AddressFields, addressFields, AddressText, countryName, readAddress } from "../parts/address.js";
import { codeErrors } from "../parts/codes.js";
import { Delivery } from "../parts/delivery.js";
import { FailureNotice, Loaded } from "../parts/failure.js";
import { Field, Form, GroupErrors, text } from "../parts/form.js";
import { Lines, TaxHint } from "../parts/lines.js";
import { blocked, Proceed, short } from "../parts/proceed.js";
import { Sums } from "../parts/sums.js";
import { placeOrder } from "../ordering.js";
import { pendingOrder } from "../pending.js";
import { placed } from "../placed.js";
import { go, href } from "../router.js";
import { account } from "../session.js";
import { store } from "../settings.js";
import { useStore } from "../store.js";
import { useTitle } from "../title.js";
import { useVat } from "../vat.js";

export function CheckoutView({ page }: { page: string | undefined }) {
  useTitle("Checkout");
  const { cart, loading, failure } = useStore(cartState);
  if (failure)
    return (
      <>
        <h1 tabIndex={-1}>Checkout</h1>
        <FailureNotice failure={failure} again={openCart} busy={loading} />
      </>
    );
  if (!cart && loading)
    return (
      <>
        <h1 tabIndex={-1}>Checkout</h1>
        <div class="outline" aria-busy="true">
          <span class="line" />
          <span class="line" />
        </div>
      </>
    );
  if (!cart || cart.lines.length === 0) {
    return (
      <div class="empty">
        <h1 tabIndex={-1}>Nothing to check out</h1>
        <p>
          The cart is empty. <a href="#/products">Look around</a>.
        </p>
      </div>
    );
  }
  return (
    <>
      <h1 tabIndex={-1}>Checkout</h1>
      <Checkout cart={cart} asked={isPage(page) ? page : "where"} />
    </>
  );
}

type Schemas = components["schemas"];

/** The pages, by the last part of their addresses. Between them the checkout is kept with the cart: on any device, and after a reload. */
const pages = ["where", "how", "order"] as const;
type Page = (typeof pages)[number];
type Kept = Schemas["KeptCheckout"];

const isPage = (name: string | undefined): name is Page => pages.some((one) => one === name);

function Checkout({ cart, asked }: { cart: Cart; asked: Page }) {
  const kept = useLoad((signal) => shop.get("/v1/api/commerce/carts/{id}/checkout", { path: { id: cart.id }, signal }), [cart]);
  const { requiresShipping: ships, details } = useStore(cartState);
  const explained = useExplain(cart);
  const [of, setOf] = useState<Kept | null>(null);
  const [picked, setPicked] = useState(readDraft(howDraft).shipping_method_id);
  useEffect(() => {
    if (kept.body && of === null) setOf(kept.body.data); // the fields keep what is typed while the cart changes
  }, [kept.body]);
  const sent = pendingOrder() !== null; // a sold cart keeps no checkout: the page stays until the answer is known
  const now = sent ? of : (kept.body?.data ?? of);
  if (!now || !of) return <Loaded from={kept} outline={<span class="line" />} children={() => null} />;
  const page = sent ? "order" : reachable(asked, now);
  const chosenId = page === "how" ? (picked ?? now.shipping_method_id) : now.shipping_method_id;
  const chosen = now.shipping_methods.find((one) => one.id === chosenId) ?? (page === "how" ? now.shipping_methods[0] : undefined);
  const method = ships ? chosen : undefined;
  const aside = (
    <aside class="summary" aria-label="Summary">
      <h2>Your order</h2>
      <Lines of={cart.lines} details={details} />
      {page === "order" ? (
        <Sums of={{ ...cart, totals: now.totals }} delivery={method && { ...method, order_total: undefined }} />
      ) : (
        <Sums of={cart} delivery={page === "where" ? null : (method ?? null)} />
      )}
      <TaxHint />
      <p class="hint">
        <a href="#/cart">Change the cart</a>
      </p>
    </aside>
  );
  const instead = blocked(cart, explained) ? <Proceed cart={cart} explained={explained} /> : undefined;
  const shared = { cart, of, ships, aside, instead };
  return (
    <>
      <Steps at={page} />
      {page === "where" && <Where {...shared} />}
      {page === "how" && <How {...shared} method={method} choose={setPicked} />}
      {page === "order" && (
        <Order
          {...shared}
          of={now}
          etag={kept.etag}
          reading={kept.loading}
          again={() => {
            explained.again(); // what refused it may be told ahead of the next try
            void openCart();
          }}
        />
      )}
    </>
  );
}

/** The page that is asked for, or an earlier one that still lacks something. */
function reachable(asked: Page, { missing }: Kept): Page {
  if (missing.includes("email") || missing.includes("shipping_address")) return "where";
  if (missing.includes("shipping_method_id") && asked === "order") return "how";
  return asked;
}

const labels: Record<Page, string> = { where: "Where to", how: "How", order: "Order" };

function Steps({ at }: { at: Page }) {
  return (
    <nav class="stages" aria-label="Checkout">
      <ol>
        {pages.map((one, i) => (
          <li>
            {i < pages.indexOf(at) ? (
              <a href={href(["checkout", one])}>{labels[one]}</a>
            ) : (
              <span aria-current={one === at ? "step" : undefined}>{labels[one]}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface PageProps {
  cart: Cart;
  of: Kept;
  ships: boolean;
  aside: ComponentChildren;
  instead: ComponentChildren;
}

type Patch = NonNullable<Input<"/v1/api/commerce/carts/{id}/checkout", "patch">["body"]>;

/** Keeps a page's values with the cart. */
const keep = (cart: Cart, body: Patch, key?: string) =>
  shop.patch("/v1/api/commerce/carts/{id}/checkout", { path: { id: cart.id }, body, idempotencyKey: key });

/** Who orders, where it goes, and where the invoice goes. */
function Where({ cart, of, ships, aside, instead }: PageProps) {
  const visitor = useStore(account);
  const settings = useStore(store);
  const book = useLoad(
    (signal) =>
      visitor
        ? shop.get("/v1/api/contacts/me/addresses", { signal })
        : Promise.resolve(known<Success<"/v1/api/contacts/me/addresses", "get">>({ data: [] })),
    [visitor?.id],
  );
  const saved = book.body?.data.filter((one) => one.type === "shipping") ?? [];
  const [addressId, setAddressId] = useState<string | null | undefined>(undefined); // undefined: the kept one, else the preferred one
  const before = of.shipping_address;
  const same = saved.find((one) => one.name === before?.name && one.street === before?.street && one.postal_code === before?.postal_code);
  const first = before ? same : (saved.find((one) => one.is_default) ?? saved[0]);
  const address = addressId === null ? undefined : (saved.find((one) => one.id === addressId) ?? first);
  const [draft] = useState(() => readDraft(whereDraft));
  const [country, setCountry] = useState(draft["shipping_address.country"] ?? before?.country);
  const next = useAction(
    async (data: FormData, key) => {
      const invoice = readAddress(data, "billing_address.");
      const body: Patch = {
        billing_address: invoice.name || invoice.company || invoice.street || invoice.postal_code || invoice.city ? invoice : null,
      };
      if (!visitor) body.email = text(data, "email") ?? "";
      if (ships && address) body.shipping_address_id = address.id;
      else if (ships) body.shipping_address = readAddress(data, "shipping_address.");
      const noted = await noteVAT(cart, text(data, "vat_number"));
      return noted.ok ? keep(cart, body, key) : noted;
    },
    () => go(href(["checkout", "how"])),
  );
  const values = ["email", "shipping_address_id", ...addressFields.flatMap((one) => [`shipping_address.${one}`, `billing_address.${one}`])];
  const refused = Object.keys(next.failure?.kind === "refused" ? next.failure.errors : {});
  // Nothing is asked of a visitor whose addresses are on their way.
  if (visitor === undefined || (visitor && book.loading && !next.busy))
    return (
      <div class="outline" aria-busy="true" aria-label="Loading">
        <span class="line" />
      </div>
    );
  return (
    <Form action={next} draft={whereDraft} values={values} label="Continue" aside={aside} instead={instead}>
      <Contact visitor={visitor} cart={cart} />
      {ships && (
        <section class="step" aria-labelledby="to">
          <h2 id="to">Where to</h2>
          <Saved all={saved} chosen={address} choose={setAddressId} />
          {!address && (
            <AddressFields
              prefix="shipping_address."
              delivered={settings?.shipping_countries}
              country={country ?? settings?.shipping_countries?.[0] ?? "NL"}
              onCountry={setCountry}
              of={before ?? undefined}
            />
          )}
        </section>
      )}
      <Invoice visitor={visitor} cart={cart} of={of.billing_address} open={refused.some(isInvoice)} />
    </Form>
  );
}

const whereDraft = "checkout: where";
const howDraft = "checkout: how";

/** How it is delivered, and what else there is to say. */
function How({
  cart,
  of,
  ships,
  aside,
  instead,
  method,
  choose,
}: PageProps & { method: Kept["shipping_methods"][number] | undefined; choose: (id: string) => void }) {
  const country = of.shipping_address?.country ?? "";
  const next = useAction(
    (data: FormData, key) => {
      const body: Patch = { customer_note: text(data, "customer_note"), reference: text(data, "reference") };
      if (ships && method) body.shipping_method_id = method.id;
      return keep(cart, body, key);
    },
    () => go(href(["checkout", "order"])),
  );
  const undeliverable = ships && !method && (
    <p class="notice notice-failure">Nothing delivers this cart to {countryName(country)}, so it cannot be ordered from there.</p>
  );
  return (
    <Form
      action={next}
      draft={howDraft}
      values={["shipping_method_id", "customer_note", "reference"]}
      label="Continue"
      aside={aside}
      instead={instead ?? (undeliverable || undefined)}
    >
      {ships && (
        <Delivery
          methods={{ body: { data: of.shipping_methods }, failure: null, loading: false, again: () => {} }}
          chosen={method}
          choose={choose}
          country={country}
        />
      )}
      <section class="step" aria-labelledby="notes">
        <h2 id="notes">Anything else</h2>
        <div class="fields">
          <Field name="reference" label="Your reference" optional maxLength={100} value={of.reference} />
          <Field name="customer_note" label="Note to us" optional multiline wide maxLength={1000} value={of.customer_note} />
        </div>
      </section>
    </Form>
  );
}

/** The order as it would be placed. */
function Order({
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

function Contact({ visitor, cart }: { visitor: Profile | null | undefined; cart: Cart }) {
  if (visitor)
    return (
      <p class="as">
        You order as <b>{visitor.display_name}</b>, {visitor.email}.
      </p>
    );
  return (
    <section class="step" aria-labelledby="who">
      <h2 id="who">Who you are</h2>
      <p class="hint">
        You order as a guest. With an account, <a href="#/login?to=checkout">log in</a>: your addresses and prices are there.
      </p>
      <div class="fields">
        <Field name="email" label="E-mail" type="email" autocomplete="email" maxLength={255} wide value={cart.email ?? undefined} />
      </div>
    </section>
  );
}

/** Where the invoice goes, if it goes elsewhere, and for which company. */
function Invoice({
  visitor,
  cart,
  of,
  open,
}: {
  visitor: Profile | null | undefined;
  cart: Cart;
  of: Kept["billing_address"];
  open: boolean;
}) {
  const [draft] = useState(() => readDraft(whereDraft));
  const [country, setCountry] = useState(draft["billing_address.country"] ?? of?.country ?? "NL");
  const vat = vatOf(cart) ?? visitor?.vat_id;
  const typed = Object.entries(draft).some(
    ([name, value]) => (isInvoice(name) || name === vatField) && !name.endsWith(".country") && value,
  );
  const [first] = useState(typed || Boolean(of) || Boolean(vat));
  return (
    <details class="fold" open={open || first}>
      <summary>Invoice to another address, VAT number</summary>
      <div class="fields">
        <Field name={vatField} label="VAT number" maxLength={50} optional wide value={vat} />
      </div>
      <AddressFields prefix="billing_address." delivered={null} country={country} onCountry={setCountry} of={of ?? undefined} />
    </details>
  );
}

const isInvoice = (name: string) => name.startsWith("billing_address.");

// The API has no field for it: it stands in the cart's metadata, which the order keeps.
const vatField = "vat_number";

function vatOf({ metadata }: Pick<Cart, "metadata">): string | null {
  const vat = metadata?.[vatField];
  return typeof vat === "string" ? vat : null;
}

/** Notes the VAT number in the cart, where it is another one. As long as it is not noted, nothing is ordered. */
async function noteVAT(cart: Cart, vat: string | null): Promise<Result<unknown>> {
  if (vat === vatOf(cart)) return known(null);
  const { [vatField]: _, ...others } = cart.metadata ?? {};
  const metadata = vat === null ? others : { ...others, [vatField]: vat };
  const noted = await shop.patch("/v1/api/commerce/carts/{id}", { path: { id: cart.id }, body: { metadata } });
  if (noted.ok || noted.failure.kind !== "unknown") return noted;
  const { status, message } = noted.failure;
  return { ...noted, failure: { kind: "unavailable", status, message } };
}

/** The choice between the account's addresses and another one. */
function Saved({ all, chosen, choose }: { all: Address[]; chosen: Address | undefined; choose: (id: string | null) => void }) {
  if (all.length === 0) return null;
  return (
    <div class="choices" role="radiogroup" aria-label="Address">
      {all.map((one) => (
        <label class="choice">
          <input type="radio" name="address" checked={one.id === chosen?.id} onChange={() => choose(one.id)} />
          <span class="choice-text">
            {one.label && <b>{one.label}</b>}
            <AddressText of={one} />
          </span>
        </label>
      ))}
      <label class="choice">
        <input type="radio" name="address" checked={!chosen} onChange={() => choose(null)} />
        <span class="choice-text">
          <b>Another address</b>
        </span>
      </label>
      <GroupErrors name="shipping_address_id" label="Address" />
    </div>
  );
}

/** What to do after a refusal. */
function Way({ of, cart, changed }: { of: Failure | null; cart: Cart; changed: string[] }) {
  if (of?.kind !== "refused") return null;
  const { current_total: now, out_of_stock: items, discount_codes: codes } = of.details;
  const failing = (codes ?? []).flatMap(({ code, error }) => (error === null ? [] : [`${code}: ${codeErrors[error]}`]));
  switch (of.code) {
    case "CART_CHANGED":
    case "version_mismatch":
      return changed.length + failing.length > 0 ? (
        <ul>
          {[...failing, ...changed].map((one) => (
            <li>{one}</li>
          ))}
        </ul>
      ) : now !== undefined ? (
        <p>It would cost {cents(now)} now.</p>
      ) : null;
    case "OUT_OF_STOCK":
      return (
        <>
          <ul>
            {items?.map((one) => (
              <li>{short(one, cart)}</li>
            ))}
          </ul>
          <a href="#/cart">Change the cart</a>
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
