import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { keepAddress, keepDelivery, placeOrder } from "./actions";
import { Addresses, Billing } from "./addresses";
import { Field, Form, Submit } from "@/parts/form";
import { Link } from "@/parts/link";
import { Obstacles, obstaclesOf } from "@/parts/obstacles";
import { Address, Record } from "@/parts/record";
import { cartState, checkout, soldOrder } from "@/server/cart";
import { prices, store } from "@/server/catalogue";
import { ownPage } from "@/server/meta";
import { read } from "@/server/session";
import { found, must, shopper } from "@/server/shop";
import { texts } from "@/texts/texts";

const steps = ["address", "delivery", "review"] as const;

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("till"));
}

/** The checkout in three pages. Each keeps its part with the cart, so that it survives a reload and a second tab. */
export default async function CheckoutPage({ params }: { params: Promise<{ step: string }> }) {
  const { step } = await params;
  if (!steps.some((one) => one === step)) notFound();
  const state = await cartState();
  if (state.kind === "unknown") must({ ok: false, failure: state.failure, requestId: null, customerTokenStatus: null });
  const sold = state.kind === "sold" ? await soldOrder(state.id) : null;
  if (sold !== null && sold !== "unknown") redirect(`/thanks/${sold.token}`);
  const kept = await checkout();
  if (state.kind !== "active" || !kept || state.data.lines.length === 0) redirect("/cart");
  const { data, checks } = kept;
  const { data: cart, details } = state;
  const customer = (await read("customer")) !== null;
  const ships = details.requires_shipping;
  const addressMissing = data.missing.some((name) => name === "email" || name === "shipping_address");
  if (step !== "address" && addressMissing) redirect("/checkout/address");
  if (step === "review" && !data.ready) redirect("/checkout/delivery");
  const [{ word, language }, { money, pick }, { shipping_countries }] = await Promise.all([texts(), prices(), store()]);
  const said = await obstaclesOf({ cart, details, customer, checks });
  const method = data.shipping_methods.find(({ id }) => id === data.shipping_method_id);
  return (
    <>
      <h1>{word("till")}</h1>
      <ol className="steps">
        {steps.map((one) => (
          <li key={one} aria-current={one === step ? "step" : undefined}>
            <Link href={`/checkout/${one}`}>{word(`step_${one}`)}</Link>
          </li>
        ))}
      </ol>
      <Obstacles said={said} />
      {step === "address" && (
        <Form action={keepAddress}>
          <Field label={word("email")} name="email" type="email" autoComplete="email" defaultValue={data.email ?? ""} />
          {ships && (
            <Addresses
              kept={data.shipping_address}
              saved={customer ? await book() : null}
              country={data.country}
              countries={shipping_countries}
              language={language}
            />
          )}
          <Billing kept={data.billing_address} language={language} />
          <Field label={word("customer_note")} name="customer_note" hint={word("optional")} defaultValue={data.customer_note ?? ""} />
          <Field label={word("reference")} name="reference" hint={word("optional")} defaultValue={data.reference ?? ""} />
          <Submit>{word("continue")}</Submit>
        </Form>
      )}
      {step === "delivery" && (
        <Form action={keepDelivery}>
          <fieldset>
            <legend>{word("shipping_method_id")}</legend>
            {ships && data.shipping_methods.length === 0 && <p className="fault">{word("no_delivery")}</p>}
            {data.shipping_methods.map((one, i) => (
              <label key={one.id}>
                <input type="radio" name="shipping_method_id" value={one.id} defaultChecked={one.id === method?.id || (!method && i === 0)} />{" "}
                {one.name}: {pick(one, "price").amount === 0 ? word("free") : money(pick(one, "price"))}{" "}
                {one.min_days !== null && <small>{word("days", { min: one.min_days, max: one.max_days ?? one.min_days })}</small>}
                {one.description && <small> {one.description}</small>}
              </label>
            ))}
          </fieldset>
          <Submit>{word("continue")}</Submit>
        </Form>
      )}
      {step === "review" && (
        <>
          {data.shipping_address && (
            <section>
              <h2>{word("shipping_address")}</h2>
              <Address address={data.shipping_address} />
            </section>
          )}
          {data.billing_address && (
            <section>
              <h2>{word("billing_address")}</h2>
              <Address address={data.billing_address} />
            </section>
          )}
          <p>
            {data.email}
            {ships && method && <> – {method.name}</>}
          </p>
          <Record
            record={{ ...cart, totals: data.totals }}
            details={details}
            delivery={method ? { price: method.price, price_without_tax: method.price_without_tax } : null}
          />
          {said.length === 0 && (
            <Form action={placeOrder}>
              <input type="hidden" name="etag" value={kept.etag ?? ""} />
              <input type="hidden" name="expected_total_amount" value={data.totals.total.amount} />
              <Submit>
                {word("order_now")} – {money(data.totals.total)}
              </Submit>
            </Form>
          )}
        </>
      )}
    </>
  );
}

/** The customer's addresses, those of delivery first. */
async function book() {
  const rows = found(await (await shopper()).get("/v1/api/contacts/me/addresses"))?.data ?? [];
  return rows.filter(({ type }) => type !== "billing");
}
