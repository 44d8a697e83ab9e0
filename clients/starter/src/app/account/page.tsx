import type { Metadata } from "next";
import { logIn, logOut, register } from "./actions";
import { AccountMenu } from "@/parts/account";
import { Field, Form, Submit } from "@/parts/form";
import { Link } from "@/parts/link";
import { Pager } from "@/parts/pager";
import { pageOf, prices } from "@/server/catalogue";
import { ownPage } from "@/server/meta";
import { read } from "@/server/session";
import { found, must, shopper } from "@/server/shop";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("account"));
}

interface Props {
  searchParams: Promise<{ page?: string; quotes?: string }>;
}

/** The account with its orders and quotes; without a login the forms to log in and to register. */
export default async function Account({ searchParams }: Props) {
  const shop = await shopper();
  const profile = (await read("customer")) === null ? null : found(await shop.get("/v1/api/contacts/me"));
  const { word, named, date } = await texts();
  if (profile === null) {
    return (
      <>
        <h1>{word("account")}</h1>
        <div className="columns">
          <Form action={logIn}>
            <h2>{word("log_in")}</h2>
            <Field label={word("email")} name="email" type="email" autoComplete="email" required />
            <Field label={word("password")} name="password" type="password" autoComplete="current-password" required />
            <Submit>{word("log_in")}</Submit> <Link href="/account/forgot">{word("forgot")}</Link>
          </Form>
          <div>
            <Register company={false} />
            <details>
              <summary>{word("as_company")}</summary>
              <Register company />
            </details>
          </div>
        </div>
      </>
    );
  }
  const asked = await searchParams;
  const pages = { orders: pageOf(asked.page), quotes: pageOf(asked.quotes) };
  const [orders, quotes, { money }] = await Promise.all([
    shop.get("/v1/api/commerce/orders", { query: { page: pages.orders } }),
    shop.get("/v1/api/sales/quotes", { query: { page: pages.quotes } }),
    prices(),
  ]);
  const lists = [
    { at: "orders" as const, one: "order" as const, list: must(orders), to: `/account?quotes=${pages.quotes}&page=` },
    { at: "quotes" as const, one: "quote" as const, list: found(quotes), to: `/account?page=${pages.orders}&quotes=` },
  ];
  return (
    <>
      <h1>{profile.display_name}</h1>
      <AccountMenu />
      <p>
        {profile.email} {profile.customer_group && <span className="badge">{profile.customer_group.name}</span>}
      </p>
      <Form action={logOut}>
        <Submit>{word("log_out")}</Submit>
      </Form>
      {lists.map(({ at, one, list, to }) => (
        <section key={at}>
          <h2>{word(at)}</h2>
          {!list?.data.length && <p>{word("none_yet")}</p>}
          <ul className="lines">
            {list?.data.map((row) => (
              <li key={row.id}>
                <span>
                  <Link href={`/account/${at}/${row.id}`}>{row.number === null ? word("quote_asked") : word(one, { n: row.number })}</Link>{" "}
                  <small>{date("placed_at" in row ? row.placed_at : row.created_at)}</small> {named(row.status)}
                  {"payment" in row && row.status !== "cancelled" && row.payment.status === "due" && (
                    <>
                      , <strong>{named("due")}</strong>
                    </>
                  )}
                </span>
                <span>{money(row.totals.total)}</span>
              </li>
            ))}
          </ul>
          {list && <Pager page={list.meta.current_page} last={list.meta.last_page} to={to} />}
        </section>
      ))}
    </>
  );
}

/** A new account: a person's, or a company's, which the merchant approves first. */
async function Register({ company }: { company: boolean }) {
  const { word } = await texts();
  return (
    <Form action={register}>
      <h2>{word("register")}</h2>
      {company && (
        <>
          <p>{word("company_awaits")}</p>
          <Field label={word("company_name")} name="company_name" autoComplete="organization" required />
          <Field label={word("registration_number")} name="registration_number" hint={word("optional")} />
          <Field label={word("vat_id")} name="vat_id" hint={word("optional")} />
        </>
      )}
      <Field label={word("first_name")} name="first_name" autoComplete="given-name" />
      <Field label={word("last_name")} name="last_name" autoComplete="family-name" />
      <Field label={word("email")} name="email" type="email" autoComplete="email" required />
      <Field label={word("password")} name="password" type="password" autoComplete="new-password" minLength={8} required />
      <Submit>{word("register")}</Submit>
    </Form>
  );
}
