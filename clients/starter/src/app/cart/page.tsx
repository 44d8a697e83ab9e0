import type { Metadata } from "next";
import { anyQuantity, fullTotal } from "cartd-client";
import { addCode, askQuote, changeLine, chooseCountry, removeCode, removeLine } from "./actions";
import { Follow } from "./follow";
import { OwnWords } from "@/app/p/[slug]/buy";
import { Field, Form, Select, Submit } from "@/parts/form";
import { Link } from "@/parts/link";
import { Obstacles, obstaclesOf } from "@/parts/obstacles";
import { Picture } from "@/parts/picture";
import { quantityField } from "@/parts/quantity";
import { Made, Words } from "@/parts/record";
import { Refocus } from "@/parts/refocus";
import { Sums } from "@/parts/sums";
import { cartState, soldOrder, type CartState } from "@/server/cart";
import { prices, product, store } from "@/server/catalogue";
import { ownPage } from "@/server/meta";
import { read } from "@/server/session";
import { must, type Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("cart"));
}

type Active = Extract<CartState, { kind: "active" }>;

/** The cart. After an order was taken over, `left_out` is how many of its lines are not for sale now. */
export default async function CartPage({ searchParams }: { searchParams: Promise<{ left_out?: string }> }) {
  const [{ word }, state] = await Promise.all([texts(), cartState()]);
  const leftOut = Number((await searchParams).left_out) || 0;
  if (state.kind === "unknown") must({ ok: false, failure: state.failure, requestId: null, customerTokenStatus: null });
  const full = state.kind === "active" && state.data.lines.length > 0;
  const ids = full ? state.data.lines.map(({ id }) => id) : [];
  return (
    <>
      <h1>{word("cart")}</h1>
      <Refocus after={[...ids, full ? state.details.discount_codes.length : 0].join()} />
      {leftOut > 0 && <p className="fault">{word("left_out", { n: leftOut })}</p>}
      {full ? <Filled of={state} /> : <Empty state={state} />}
    </>
  );
}

/** A cart with nothing to order: empty, or ordered, or of an account that is not logged in. */
async function Empty({ state }: { state: CartState }) {
  const { word } = await texts();
  const sold = state.kind === "sold" ? await soldOrder(state.id) : null;
  if (state.kind === "locked") {
    return (
      <p>
        {word("cart_locked")} <Link href="/account">{word("log_in")}</Link>
      </p>
    );
  }
  if (sold === null) return <p>{word("cart_empty")}</p>;
  return (
    <>
      <p>{word("cart_sold")}</p>
      <p>
        {sold === "unknown" ? (
          word("unavailable")
        ) : (
          <Link className="button" href={`/thanks/${sold.token}`}>
            {word("to_order", { n: sold.order.number })}
          </Link>
        )}
      </p>
    </>
  );
}

async function Filled({ of }: { of: Active }) {
  const [{ word, codeError }, { label }, { modules }, customer] = await Promise.all([texts(), prices(), store(), read("customer")]);
  const { data, details, etag } = of;
  const said = await obstaclesOf({ cart: data, details, customer: customer !== null });
  return (
    <>
      <Follow version={etag?.slice(1, 17) ?? null} />
      <p>
        <small>{label}</small>
      </p>
      <ul className="lines">
        {data.lines.map((line) => (
          <Line key={line.id} line={line} more={details.lines[line.id]} />
        ))}
      </ul>
      <section className="codes" aria-label={word("code")}>
        <ul>
          {details.discount_codes.map(({ code, error }) => (
            <li key={code}>
              <strong>{code}</strong> {error && <span className="fault">{codeError(error)}</span>}
              <Form action={removeCode.bind(null, code)} className="inline">
                <Submit aria-label={`${word("remove")}: ${code}`}>{word("remove")}</Submit>
              </Form>
            </li>
          ))}
        </ul>
        <Form action={addCode} className="inline" key={details.discount_codes.length}>
          <Field label={word("code")} name="code" maxLength={64} required />
          <Submit>{word("apply")}</Submit>
        </Form>
      </section>
      <CountryPicker of={details} />
      <Sums of={data} details={details} />
      <Obstacles said={said} />
      {data.requires_quote && <p>{word("quote_needed")}</p>}
      {!data.requires_quote && said.length === 0 && (
        <p>
          <Link className="button" href="/checkout/address">
            {word("checkout")}
          </Link>
        </p>
      )}
      {modules.includes("sales") && (
        <details open={data.requires_quote}>
          <summary>{word("ask_quote")}</summary>
          <Form action={askQuote}>
            <Field label={word("email")} name="email" type="email" autoComplete="email" defaultValue={data.email ?? ""} />
            <Field label={word("name")} name="name" autoComplete="name" />
            <Field label={word("company")} name="company_name" autoComplete="organization" hint={word("optional")} />
            <Field label={word("reference")} name="reference" hint={word("optional")} />
            <Submit>{word("ask_quote")}</Submit>
          </Form>
        </details>
      )}
    </>
  );
}

/** The country whose tax the cart has, in a store that taxes by country. */
async function CountryPicker({ of: { tax_country, requires_shipping } }: { of: Schemas["CartDetails"] }) {
  const [{ word, country }, { shipping_countries }] = await Promise.all([texts(), store()]);
  if (tax_country === null || shipping_countries === null) return null;
  return (
    <Form action={chooseCountry.bind(null, requires_shipping)} className="inline" key={tax_country}>
      <Select label={word("delivery_country")} name="country" defaultValue={tax_country}>
        {[...new Set([...shipping_countries, tax_country])].map((code) => (
          <option key={code} value={code}>
            {country(code)}
          </option>
        ))}
      </Select>
      <Submit aria-label={`${word("change")}: ${word("delivery_country")}`}>{word("change")}</Submit>
    </Form>
  );
}

/** A line at its price before discounts: these are rows of the sums. */
async function Line({ line, more }: { line: Schemas["CartLine"]; more: Schemas["CartLineDetails"] | undefined }) {
  const [{ word, language, reason, ships }, { vat, pick, money }] = await Promise.all([texts(), prices()]);
  const unit = more ? pick({ unit_price: line.unit_price, unit_price_without_tax: more.unit_price_without_tax }, "unit_price") : line.unit_price;
  const before = more && pick(more, "original_unit_price");
  const now = more?.price_changed ? pick(more, "current_unit_price") : null;
  const fields = line.properties && more?.slug ? ((await product(more.slug))?.text_fields ?? []) : [];
  const short = more?.available != null && more.available < line.quantity;
  const later = !short && more?.available_now != null && more.available_now < line.quantity;
  return (
    <li>
      <Picture media={more?.media} sizes="5rem" />
      <div>
        {more?.slug ? <Link href={`/p/${encodeURIComponent(more.slug)}`}>{line.name}</Link> : line.name} <small>{more?.variant_name}</small>
        <p>
          {money(unit)} {before && <s aria-label={`${word("instead_of")} ${money(before)}`}>{money(before)}</s>}
        </p>
        {now && <p className="moved">{word("price_moved", { was: money(pick(more!, "stored_unit_price")), now: money(now) })}</p>}
        {short && <p className="fault">{word(more.available! > 0 ? "only_left" : "all_gone", { available: more.available! })}</p>}
        {later && <p>{more.available_now! > 0 ? word("rest_later", { available: more.available_now! }) : ships(more.available_from ?? null)}</p>}
        {more && !more.purchasable && !short && <p className="fault">{reason(more.reason ?? "")}</p>}
        <Made of={line.attributes} />
        <Words of={line} slug={more?.slug} />
        <div className="row">
          <Form action={changeLine.bind(null, line.id)} className="inline" key={line.quantity}>
            <Field
              label={`${word("quantity")}: ${line.name}`}
              name="quantity"
              inputMode="decimal"
              {...quantityField(more ?? anyQuantity, line.quantity)}
              className="field quantity"
            />
            <Submit>{word("change")}</Submit>
          </Form>
          <Form action={removeLine.bind(null, line.id)} className="inline">
            <Submit aria-label={`${word("remove")}: ${line.name}`}>{word("remove")}</Submit>
          </Form>
        </div>
        {fields.length > 0 && (
          <details key={JSON.stringify(line.properties)}>
            <summary>{word("change_text")}</summary>
            <Form action={changeLine.bind(null, line.id)}>
              <input type="hidden" name="quantity" value={line.quantity} />
              <OwnWords fields={fields} written={line.properties ?? {}} language={language} />
              <Submit>{word("save")}</Submit>
            </Form>
          </details>
        )}
      </div>
      <span>{money({ ...line.line_total, amount: fullTotal({ ...line, ...more }, vat) })}</span>
    </li>
  );
}
