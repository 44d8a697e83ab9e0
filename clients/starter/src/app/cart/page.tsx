import type { Metadata } from "next";
import Link from "next/link";
import { formatMoney } from "cartd-client";
import { addCode, askQuote, changeLine, removeCode, removeLine } from "./actions";
import { Follow } from "./follow";
import { Picture } from "@/parts/card";
import { Field, Form, Submit } from "@/parts/form";
import { Words } from "@/parts/record";
import { Sums } from "@/parts/sums";
import { cart } from "@/server/cart";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await texts()).word("cart"), robots: { index: false } };
}

export default async function CartPage() {
  const [{ word, language, codeError }, current] = await Promise.all([texts(), cart()]);
  if (!current || current.data.lines.length === 0) {
    return (
      <>
        <h1>{word("cart")}</h1>
        <p>{word("cart_empty")}</p>
      </>
    );
  }
  const { data, details } = current;
  const euro = (money: Parameters<typeof formatMoney>[0]) => formatMoney(money, language);
  return (
    <>
      <Follow />
      <h1>{word("cart")}</h1>
      <ul className="lines">
        {data.lines.map((line) => {
          const more = details.lines[line.id];
          const moved = more?.price_changed && more.current_unit_price;
          return (
            <li key={line.id}>
              <Picture media={more?.media} />
              <div>
                {more?.slug ? <Link href={`/p/${encodeURIComponent(more.slug)}`}>{line.name}</Link> : line.name} <small>{more?.variant_name}</small>
                <p>
                  {euro(line.unit_price)} {more?.original_unit_price && <s aria-label={`${word("instead_of")} ${euro(more.original_unit_price)}`}>{euro(more.original_unit_price)}</s>}
                </p>
                {moved && <p className="moved">{word("price_moved", { was: euro(more.stored_unit_price), now: euro(moved) })}</p>}
                {line.attributes?.configuration && <small>{line.attributes.configuration.breakdown.map(({ label }) => label).join(", ")}</small>}
                <Words of={line} slug={more?.slug} />
                <Form action={changeLine.bind(null, line.id)} className="inline" key={line.quantity}>
                  <Field label={`${word("quantity")}: ${line.name}`} name="quantity" inputMode="decimal" defaultValue={line.quantity} className="field quantity" />
                  <Submit>{word("change")}</Submit>
                </Form>
                <Form action={removeLine.bind(null, line.id)} className="inline">
                  <Submit aria-label={`${word("remove")}: ${line.name}`}>{word("remove")}</Submit>
                </Form>
              </div>
              <span>{euro(line.line_total)}</span>
            </li>
          );
        })}
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
      <Sums totals={data.totals} discounts={data.discounts} />
      {data.requires_quote ? (
        <p>{word("quote_needed")}</p>
      ) : (
        <p>
          <Link className="button" href="/checkout/address">
            {word("checkout")}
          </Link>
        </p>
      )}
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
    </>
  );
}
