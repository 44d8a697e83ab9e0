import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { formatMoney } from "cartd-client";
import { accept, decline } from "./actions";
import { Sign } from "./sign";
import { AddressFields } from "@/parts/address";
import { Field, Form, Select, Submit } from "@/parts/form";
import { Record } from "@/parts/record";
import { store } from "@/server/catalogue";
import { found, must, shopper } from "@/server/shop";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await texts()).word("quotes"), robots: { index: false } };
}

/** The page of a quote, for whoever has its link. */
export default async function QuotePage({ params }: { params: Promise<{ token: string }> }) {
  const path = await params;
  const shop = await shopper();
  const quote = found(await shop.get("/v1/api/sales/quotes/by-token/{token}", { path }));
  if (quote === null) notFound();
  const [{ word, named, date, language }, { shipping_countries }] = await Promise.all([texts(), store()]);
  const open = quote.status === "offered";
  const methods = open ? must(await shop.get("/v1/api/sales/quotes/by-token/{token}/shipping-methods", { path })).data : [];
  return (
    <>
      <h1>{word("quote", { n: quote.number })}</h1>
      <p>
        {[quote.company_name ?? quote.name, named(quote.status)].filter(Boolean).join(": ")}. {open && word("valid_until", { date: date(quote.valid_until) })}
      </p>
      <Record record={quote} />
      {open && (
        <>
          <Form action={accept.bind(null, path.token)}>
            {methods.length > 0 && (
              <>
                <AddressFields of="shipping_address" kept={null} countries={shipping_countries} language={language} />
                <Select label={word("shipping_method_id")} name="shipping_method_id">
                  {methods.map((method) => (
                    <option key={method.id} value={method.id}>
                      {method.name}: {formatMoney(method.price, language)}
                    </option>
                  ))}
                </Select>
              </>
            )}
            {quote.acceptance_mode === "signature" && (
              <>
                <Field label={word("signer_name")} name="signer_name" autoComplete="name" required />
                <Sign label={word("signature")} again={word("sign_again")} />
              </>
            )}
            <Submit>{word("accept")}</Submit>
          </Form>
          <Form action={decline.bind(null, path.token)} className="inline">
            <Submit>{word("decline")}</Submit>
          </Form>
        </>
      )}
    </>
  );
}
