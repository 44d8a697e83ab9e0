import type { Result, Success } from "cartd-client";
import { useState } from "preact/hooks";
import { shop, type Address, type Cart, type Profile } from "../api.js";
import { keep, vatField, vatOf, whereDraft, type Kept, type PageProps, type Patch } from "../checkout.js";
import { readDraft } from "../drafts.js";
import { known, useAction, useLoad } from "../shared/load.js";
import { note } from "../notes.js";
import { go, href } from "../shared/router.js";
import { account } from "../session.js";
import { store } from "../settings.js";
import { useStore } from "../shared/store.js";
import { t } from "../shared/t.js";
import { AddressFields, addressFields, AddressText, readAddress, type AddressBody } from "./address.js";
import { Field, Form, GroupErrors, text } from "../shared/form.js";
import { Linked } from "../shared/linked.js";

type Book = Success<"/v1/api/contacts/me/addresses", "get">;

/** The account's address book; empty for a guest. */
export function useBook() {
  const visitor = useStore(account);
  return useLoad(
    (signal) => (visitor ? shop.get("/v1/api/contacts/me/addresses", { signal }) : Promise.resolve(known<Book>({ data: [] }))),
    [visitor?.id],
  );
}

/** The addresses of a book, those of a type first, and of each type the preferred one. */
export const sorted = (all: Address[], type: Address["type"]): Address[] =>
  all.toSorted((a, b) => Number(b.type === type) - Number(a.type === type) || Number(b.is_default) - Number(a.is_default));

/** An address as an order has it. */
type Given = Pick<Address, "name" | "street" | "postal_code">;

const sameAs = (all: Address[], of: Given | null): Address | undefined =>
  all.find((one) => one.name === of?.name && one.street === of?.street && one.postal_code === of?.postal_code);

/** Who orders, where it goes, and where the invoice goes. */
export function Where({ cart, of, ships, aside, instead }: PageProps) {
  const visitor = useStore(account);
  const settings = useStore(store);
  const book = useBook();
  const saved = sorted(book.body?.data ?? [], "shipping");
  const [addressId, setAddressId] = useState<string | null | undefined>(undefined); // undefined: the kept one, else the preferred one
  const before = of.shipping_address;
  const address =
    addressId === null ? undefined : (saved.find((one) => one.id === addressId) ?? (before ? sameAs(saved, before) : saved[0]));
  const billing = sorted(book.body?.data ?? [], "billing");
  const [billingId, setBillingId] = useState<Choice>(undefined);
  const invoice = invoiceOf(billing, of.billing_address, billingId);
  const [draft] = useState(() => readDraft(whereDraft));
  const [country, setCountry] = useState(draft["shipping_address.country"] ?? before?.country);
  const delivered = settings?.shipping_countries?.find((one) => one === of.country); // chosen in the cart
  const next = useAction(
    async (data: FormData, key) => {
      const body: Patch = {};
      const typed = readAddress(data, "billing_address.");
      if (typeof invoice === "object") body.billing_address_id = invoice.id;
      else body.billing_address = invoice === "another" && isFilled(typed) ? typed : null;
      if (!visitor) body.email = text(data, "email") ?? "";
      if (ships && address) body.shipping_address_id = address.id;
      else if (ships) body.shipping_address = readAddress(data, "shipping_address.");
      const noted = await noteVAT(cart, text(data, "vat_number"));
      if (!noted.ok) return noted;
      const kept = await keep(cart, body, key);
      if (kept.ok && visitor) await keepInBook(data, body);
      return kept;
    },
    () => go(href(["checkout", "how"])),
  );
  const values = [
    "email",
    "shipping_address_id",
    "billing_address_id",
    ...addressFields.flatMap((one) => [`shipping_address.${one}`, `billing_address.${one}`]),
  ];
  const refused = Object.keys(next.failure?.kind === "refused" ? next.failure.errors : {});
  // Nothing is asked of a visitor whose addresses are on their way.
  if (visitor === undefined || (visitor && book.loading && !next.busy))
    return (
      <div class="outline" aria-busy="true" aria-label={t.shell.loading}>
        <span class="line" />
      </div>
    );
  return (
    <Form action={next} draft={whereDraft} values={values} label={t.checkout.continue} aside={aside} instead={instead}>
      <Contact visitor={visitor} cart={cart} />
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
            <>
              <AddressFields
                prefix="shipping_address."
                delivered={settings?.shipping_countries}
                country={country ?? delivered ?? settings?.shipping_countries?.[0] ?? "NL"}
                onCountry={setCountry}
                of={before ?? undefined}
              />
              {visitor && <KeepIt name={keepShipping} />}
            </>
          )}
        </section>
      )}
      <Invoice
        visitor={visitor}
        cart={cart}
        of={of.billing_address}
        saved={billing}
        chosen={invoice}
        choose={setBillingId}
        open={refused.some(isInvoice)}
      />
    </Form>
  );
}

function Contact({ visitor, cart }: { visitor: Profile | null | undefined; cart: Cart }) {
  if (visitor) return <p class="as">{t.checkout.youOrderAs(visitor.display_name ?? "", visitor.email ?? "")}</p>;
  return (
    <section class="step" aria-labelledby="who">
      <h2 id="who">{t.checkout.who}</h2>
      <p class="hint">
        <Linked text={t.checkout.asGuest} to="#/login?to=checkout" />
      </p>
      <div class="fields">
        <Field name="email" label={t.fields.email} type="email" autocomplete="email" maxLength={255} wide value={cart.email ?? undefined} />
      </div>
    </section>
  );
}

/** What the visitor has chosen for the invoice: an address of the book, another one, none; undefined if nothing yet. */
type Choice = string | undefined;

/** Where the invoice goes: to an address of the book, to another one that is typed, or to none of its own. The preferred one of the book is chosen at first. */
function invoiceOf(saved: Address[], kept: Kept["billing_address"], choice: Choice): Address | "another" | "none" {
  if (choice === "another" || choice === "none") return choice;
  const chosen = saved.find((one) => one.id === choice);
  if (chosen) return chosen;
  if (kept) return sameAs(saved, kept) ?? "another";
  if (saved.length === 0) return "another"; // without a book the fields are there, and may stay blank
  return saved.find((one) => one.type === "billing" && one.is_default) ?? "none";
}

/** Where the invoice goes, if it goes elsewhere, and for which company. */
function Invoice({
  visitor,
  cart,
  of,
  saved,
  chosen,
  choose,
  open,
}: {
  visitor: Profile | null | undefined;
  cart: Cart;
  of: Kept["billing_address"];
  saved: Address[];
  chosen: ReturnType<typeof invoiceOf>;
  choose: (id: string) => void;
  open: boolean;
}) {
  const [draft] = useState(() => readDraft(whereDraft));
  const [country, setCountry] = useState(draft["billing_address.country"] ?? of?.country ?? "NL");
  const vat = vatOf(cart) ?? visitor?.vat_id;
  const typed = Object.entries(draft).some(
    ([name, value]) => (isInvoice(name) || name === vatField) && !name.endsWith(".country") && value,
  );
  const [first] = useState(typed || Boolean(of) || Boolean(vat) || typeof chosen === "object");
  return (
    <details class="fold" open={open || first}>
      <summary>{t.checkout.invoice}</summary>
      <div class="fields">
        <Field name={vatField} label={t.fields.vat} maxLength={50} optional wide value={vat} />
      </div>
      <Saved
        name="billing_address_id"
        label={t.checkout.invoiceAddress}
        all={saved}
        chosen={typeof chosen === "object" ? chosen.id : chosen}
        choose={choose}
        none
      />
      {chosen === "another" && (
        <>
          <AddressFields prefix="billing_address." delivered={null} country={country} onCountry={setCountry} of={of ?? undefined} />
          {visitor && <KeepIt name={keepBilling} />}
        </>
      )}
    </details>
  );
}

const isInvoice = (name: string) => name.startsWith("billing_address");

const isFilled = (of: AddressBody): boolean => Boolean(of.name || of.company || of.street || of.postal_code || of.city);

const keepShipping = "keep_shipping";
const keepBilling = "keep_billing";

function KeepIt({ name }: { name: string }) {
  const [draft] = useState(() => readDraft(whereDraft));
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={draft[name] !== undefined} /> {t.checkout.keepAddress}
    </label>
  );
}

/** Keeps the typed addresses of a checkout in the account's book, where the visitor wants it. The checkout goes on if that fails. */
async function keepInBook(data: FormData, { shipping_address: to, billing_address: invoice }: Patch): Promise<void> {
  const kept = [
    data.has(keepShipping) && to && ({ ...(to as AddressBody), type: "shipping" } as const),
    data.has(keepBilling) && invoice && ({ ...(invoice as AddressBody), type: "billing" } as const),
  ];
  for (const body of kept) {
    if (!body) continue;
    const added = await shop.post("/v1/api/contacts/me/addresses", { body });
    if (!added.ok) note({ about: "order", text: () => t.checkout.notKept });
  }
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

/** The choice between the account's addresses and another one; `none`: or no address at all. */
export function Saved({
  name,
  label,
  all,
  chosen,
  choose,
  none,
}: {
  name: string;
  label: string;
  all: Address[];
  chosen: string;
  choose: (id: string) => void;
  none?: boolean;
}) {
  if (all.length === 0) return null;
  const others = [...(none ? [["none", t.checkout.invoiceSame]] : []), ["another", t.checkout.another]] as [string, string][];
  return (
    <div class="choices" role="radiogroup" aria-label={label}>
      {all.map((one) => (
        <label class="choice">
          <input type="radio" name={`${name}.choice`} checked={one.id === chosen} onChange={() => choose(one.id)} />
          <span class="choice-text">
            {one.label && <b>{one.label}</b>}
            <AddressText of={one} />
          </span>
        </label>
      ))}
      {others.map(([id, text]) => (
        <label class="choice">
          <input type="radio" name={`${name}.choice`} checked={chosen === id} onChange={() => choose(id)} />
          <span class="choice-text">
            <b>{text}</b>
          </span>
        </label>
      ))}
      <GroupErrors name={name} label={label} />
    </div>
  );
}
