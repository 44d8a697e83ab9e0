import type { Result, Success } from "cartd-client";
import { useState } from "preact/hooks";
import { shop, type Address, type Cart, type Profile } from "../api.js";
import { keep, vatField, vatOf, whereDraft, type Kept, type PageProps, type Patch } from "../checkout.js";
import { readDraft } from "../drafts.js";
import { known, useAction, useLoad } from "../load.js";
import { go, href } from "../router.js";
import { account } from "../session.js";
import { store } from "../settings.js";
import { useStore } from "../store.js";
import { AddressFields, addressFields, AddressText, readAddress } from "./address.js";
import { Field, Form, GroupErrors, text } from "./form.js";

/** Who orders, where it goes, and where the invoice goes. */
export function Where({ cart, of, ships, aside, instead }: PageProps) {
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
