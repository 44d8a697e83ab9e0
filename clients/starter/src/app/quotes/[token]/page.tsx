import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { accept, askForChange, decline } from "./actions";
import { Delivery } from "./delivery";
import { Sign } from "./sign";
import { AddressFields } from "@/parts/address";
import { Field, Form, Submit } from "@/parts/form";
import { Record } from "@/parts/record";
import { prices, store } from "@/server/catalogue";
import { ownPage } from "@/server/meta";
import { found, must, shopper } from "@/server/shop";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("quotes"));
}

interface Props {
  params: Promise<{ token: string }>;
  searchParams: Promise<{ country?: string; delivery?: string }>;
}

/** The page of a quote, for whoever has its link. It is accepted with the delivery and at the total that the page shows. */
export default async function QuotePage({ params, searchParams }: Props) {
  const path = await params;
  const asked = await searchParams;
  const shop = await shopper();
  const quote = found(await shop.get("/v1/api/sales/quotes/by-token/{token}", { path }));
  if (quote === null) notFound();
  const [{ word, named, date, language, country: countryName }, { shipping_countries }, { money, pick }] = await Promise.all([
    texts(),
    store(),
    prices(),
  ]);
  const open = quote.status === "offered";
  const countries = quote.tax_country ? [quote.tax_country] : (shipping_countries ?? ["NL", "BE", "DE", "FR"]);
  const country = countries.find((one) => one === asked.country) ?? countries[0]!;
  const methods = open ? must(await shop.get("/v1/api/sales/quotes/by-token/{token}/shipping-methods", { path, query: { country } })).data : [];
  const delivery = methods.find(({ id }) => id === asked.delivery) ?? methods[0] ?? null;
  const total = delivery?.order_total ?? quote.order_total ?? quote.totals.total;
  return (
    <>
      <h1>{word("quote", { n: quote.number! })}</h1>
      <p>
        {[quote.company_name ?? quote.name, named(quote.status)].filter(Boolean).join(": ")}.{" "}
        {open && quote.version > 1 && `${word("quote_version", { n: quote.version })}. `}
        {open && word("valid_until", { date: date(quote.valid_until!) })}
        {quote.status === "withdrawn" && quote.withdraw_reason}
      </p>
      {quote.offer_message && <p className="text">{quote.offer_message}</p>}
      {quote.change_request?.message && <p>{word("change_asked", { text: quote.change_request.message })}</p>}
      {delivery && (
        <Delivery
          countries={countries.map((code) => ({ code, name: countryName(code) }))}
          country={country}
          methods={methods.map((one) => ({
            id: one.id,
            text: `${one.name}: ${pick(one, "price").amount === 0 ? word("free") : money(pick(one, "price"))}`,
          }))}
          method={delivery.id}
          words={{ country: word("delivery_country"), method: word("shipping_method_id"), show: word("show_total") }}
        />
      )}
      <Record record={quote} delivery={delivery} />
      {open && (
        <>
          <Form action={accept.bind(null, path.token)}>
            <input type="hidden" name="expected_total_amount" value={total.amount} />
            <input type="hidden" name="version" value={quote.version} />
            {delivery && (
              <>
                <input type="hidden" name="shipping_method_id" value={delivery.id} />
                <AddressFields key={country} of="shipping_address" kept={{ country }} countries={[country]} language={language} />
              </>
            )}
            {quote.acceptance_mode === "signature" && (
              <>
                <Field label={word("signer_name")} name="signer_name" autoComplete="name" required />
                <Sign words={{ title: word("signature"), draw: word("sign_here"), type: word("sign_typed"), again: word("sign_again") }} />
              </>
            )}
            <Submit>
              {word("accept")} – {money(total)}
            </Submit>
          </Form>
          <details>
            <summary>{word("ask_change")}</summary>
            <Form action={askForChange.bind(null, path.token)}>
              <Field label={word("wanted_change")} name="message" maxLength={2000} required />
              <Submit>{word("ask_change")}</Submit>
            </Form>
          </details>
          <Form action={decline.bind(null, path.token)} className="inline">
            <Submit>{word("decline")}</Submit>
          </Form>
        </>
      )}
    </>
  );
}
