import type { Failure, Result, Success } from "cartd-client";
import { useEffect, useState } from "preact/hooks";
import { cents, money, shop, type Address, type Cart, type Profile } from "../api.js";
import { cartState, forgetCart, openCart } from "../cart.js";
import { useExplain } from "../explain.js";
import { readDraft } from "../drafts.js";
import { known, useAction, useLoad } from "../load.js";
import { AddressFields, addressFields, AddressText, countryName, readAddress } from "../parts/address.js";
import { Delivery, useMethods } from "../parts/delivery.js";
import { FailureNotice } from "../parts/failure.js";
import { Field, Form, GroupErrors, text } from "../parts/form.js";
import { Lines, TaxHint } from "../parts/lines.js";
import { blocked, Proceed, short } from "../parts/proceed.js";
import { Sums } from "../parts/sums.js";
import { checkoutDraft, placeOrder, type OrderBody } from "../ordering.js";
import { placed } from "../placed.js";
import { account } from "../session.js";
import { store } from "../settings.js";
import { useStore } from "../store.js";
import { sums } from "../sums.js";
import { useTitle } from "../title.js";

export function CheckoutView() {
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
  return <Checkout cart={cart} />;
}

function Checkout({ cart }: { cart: Cart }) {
  const visitor = useStore(account);
  const { requiresShipping: ships, details } = useStore(cartState);
  const explained = useExplain(cart);
  const settings = useStore(store);
  const book = useLoad(
    (signal) =>
      visitor
        ? shop.get("/v1/api/contacts/me/addresses", { signal })
        : Promise.resolve(known<Success<"/v1/api/contacts/me/addresses", "get">>({ data: [] })),
    [visitor?.id],
  );
  const saved = book.body?.data.filter((one) => one.type === "shipping") ?? [];
  const [addressId, setAddressId] = useState<string | null | undefined>(undefined); // undefined: the first saved one
  const address =
    addressId === null ? undefined : (saved.find((one) => one.id === addressId) ?? saved.find((one) => one.is_default) ?? saved[0]);
  const [draft] = useState(() => readDraft(checkoutDraft));
  const [typed, setTyped] = useState(draft["shipping_address.country"]);
  const country = address?.country ?? typed ?? settings?.shipping_countries?.[0] ?? "NL";
  const methods = useMethods(cart, country);
  const [methodId, setMethodId] = useState(draft.shipping_method_id ?? null);
  const method = methods.body?.data.find((one) => one.id === methodId) ?? methods.body?.data[0];
  const total = (ships && method?.order_total) || cart.totals.total;

  const order = useAction(
    async (data: FormData, key) => {
      const body: OrderBody = {
        email: text(data, "email"),
        customer_note: text(data, "customer_note"),
        reference: text(data, "reference"),
        expected_total_amount: total.amount,
      };
      if (ships && method) body.shipping_method_id = method.id;
      if (ships && address) body.shipping_address_id = address.id;
      else if (ships) body.shipping_address = readAddress(data, "shipping_address.");
      const invoice = readAddress(data, "billing_address.");
      if (invoice.name || invoice.street || invoice.postal_code || invoice.city) body.billing_address = invoice;
      const noted = await noteVAT(cart, text(data, "vat_number"));
      return noted.ok ? placeOrder(cart.id, body, key) : noted;
    },
    ({ data }, { orderToken }) => {
      forgetCart();
      placed(data, orderToken!);
    },
  );
  useEffect(() => {
    if (order.failure?.kind === "refused") explained.again(); // what refused it may be told ahead of the next try
  }, [order.failure]);

  const values = [
    "email",
    "shipping_method_id",
    "shipping_address_id",
    "customer_note",
    "reference",
    ...addressFields.flatMap((one) => [`shipping_address.${one}`, `billing_address.${one}`]),
  ];
  const undeliverable = ships && methods.body?.data.length === 0 && (
    <p class="notice notice-failure">Nothing delivers this cart to {countryName(country)}, so it cannot be ordered from there.</p>
  );
  const instead = blocked(cart, explained) ? <Proceed cart={cart} explained={explained} /> : undeliverable || undefined;
  return (
    <>
      <h1 tabIndex={-1}>Checkout</h1>
      <Form
        action={order}
        draft={checkoutDraft}
        values={values}
        label={`Order for ${money(total)}`}
        notice={<Way of={order.failure} cart={cart} />}
        instead={instead}
        aside={
          <aside class="summary" aria-label="Summary">
            <h2>Your order</h2>
            <Lines of={cart.lines} details={details} />
            <Sums of={cart} delivery={ships ? method : null} />
            <TaxHint withTax={sums(cart, null).withTax} />
            <p class="hint">
              <a href="#/cart">Change the cart</a>
            </p>
          </aside>
        }
      >
        <Contact visitor={visitor} cart={cart} />
        {ships && (
          <section class="step" aria-labelledby="to">
            <h2 id="to">Where to</h2>
            <Saved all={saved} chosen={address} choose={setAddressId} />
            {!address && (
              <AddressFields prefix="shipping_address." delivered={settings?.shipping_countries} country={country} onCountry={setTyped} />
            )}
          </section>
        )}
        {ships && <Delivery methods={methods} chosen={method} choose={setMethodId} country={country} />}
        <Invoice
          visitor={visitor}
          cart={cart}
          open={Object.keys(order.failure?.kind === "refused" ? order.failure.errors : {}).some(isInvoice)}
        />
        <section class="step" aria-labelledby="notes">
          <h2 id="notes">Anything else</h2>
          <div class="fields">
            <Field name="reference" label="Your reference" optional maxLength={100} />
            <Field name="customer_note" label="Note to us" optional multiline wide maxLength={1000} />
          </div>
        </section>
      </Form>
    </>
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
function Invoice({ visitor, cart, open }: { visitor: Profile | null | undefined; cart: Cart; open: boolean }) {
  const [draft] = useState(() => readDraft(checkoutDraft));
  const [country, setCountry] = useState(draft["billing_address.country"] ?? "NL");
  const kept = Object.entries(draft).some(([name, value]) => (isInvoice(name) || name === vatField) && !name.endsWith(".country") && value);
  return (
    <details class="fold" open={open || kept}>
      <summary>Another address for the invoice, a VAT number</summary>
      <div class="fields">
        <Field name={vatField} label="VAT number" maxLength={50} optional wide value={vatOf(cart) ?? visitor?.vat_id} />
      </div>
      <AddressFields prefix="billing_address." delivered={null} country={country} onCountry={setCountry} />
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
function Way({ of, cart }: { of: Failure | null; cart: Cart }) {
  if (of?.kind !== "refused") return null;
  const { current_total: now, out_of_stock: items } = of.details;
  switch (of.code) {
    case "CART_CHANGED":
      return (
        <p>
          {now !== undefined && <>It would cost {cents(now)} now. </>}
          <button type="button" class="link" onClick={openCart}>
            Show me the cart as it is
          </button>
        </p>
      );
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
      return Object.keys(of.errors).length > 0 ? (
        <ul>
          {Object.values(of.errors)
            .flat()
            .map((one) => (
              <li>{one}</li>
            ))}
        </ul>
      ) : null;
  }
}
