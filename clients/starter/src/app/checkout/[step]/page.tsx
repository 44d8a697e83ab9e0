import type { Metadata } from "next";
import Link from "next/link";
import { notFound, redirect } from "next/navigation";
import { formatMoney } from "cartd-client";
import { keepAddress, keepDelivery, placeOrder } from "./actions";
import { Billing } from "./billing";
import { AddressFields } from "@/parts/address";
import { Field, Form, Submit } from "@/parts/form";
import { Address, Record } from "@/parts/record";
import { cart, checkout } from "@/server/cart";
import { store } from "@/server/catalogue";
import { texts } from "@/texts/texts";

const steps = ["address", "delivery", "review"] as const;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await texts()).word("till"), robots: { index: false } };
}

/** The checkout in three pages. Each keeps its part with the cart, so that it survives a reload and a second tab. */
export default async function CheckoutPage({ params }: { params: Promise<{ step: string }> }) {
  const { step } = await params;
  if (!steps.some((one) => one === step)) notFound();
  const [{ word, language, refusal }, current, kept, shop] = await Promise.all([texts(), cart(), checkout(), store()]);
  if (!current || !kept || current.data.lines.length === 0) redirect("/cart");
  const { data, checks } = kept;
  const ships = current.details.requires_shipping;
  const addressMissing = data.missing.some((name) => name === "email" || name === "shipping_address");
  if (step !== "address" && addressMissing) redirect("/checkout/address");
  if (step === "review" && !data.ready) redirect("/checkout/delivery");
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
      {step === "address" && (
        <Form action={keepAddress}>
          <Field label={word("email")} name="email" type="email" autoComplete="email" defaultValue={data.email ?? ""} />
          {ships && <AddressFields of="shipping_address" kept={data.shipping_address} countries={shop.shipping_countries} language={language} />}
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
            {data.shipping_methods.map((method, i) => (
              <label key={method.id}>
                <input type="radio" name="shipping_method_id" value={method.id} defaultChecked={method.id === data.shipping_method_id || (!data.shipping_method_id && i === 0)} />{" "}
                {method.name}: {formatMoney(method.price, language)}{" "}
                {method.min_days !== null && <small>{word("days", { min: method.min_days, max: method.max_days ?? method.min_days })}</small>}
                {method.description && <small> {method.description}</small>}
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
          <p>
            {data.email}
            {ships && <> – {data.shipping_methods.find(({ id }) => id === data.shipping_method_id)?.name}</>}
          </p>
          <Record
            record={{
              lines: current.data.lines.map((line) => {
                const more = current.details.lines[line.id];
                return { ...line, variant_name: more?.variant_name ?? null, slug: more?.slug ?? null };
              }),
              discounts: current.data.discounts,
              totals: data.totals,
            }}
          />
          {checks.map(({ code, message }) => (
            <p key={message} className="fault">
              {(code && refusal(code)) ?? message}
            </p>
          ))}
          <Form action={placeOrder}>
            <input type="hidden" name="etag" value={kept.etag ?? ""} />
            <input type="hidden" name="expected_total_amount" value={data.totals.total.amount} />
            <Submit>
              {word("order_now")} – {formatMoney(data.totals.total, language)}
            </Submit>
          </Form>
        </>
      )}
    </>
  );
}
