import type { Metadata } from "next";
import { formatMoney } from "cartd-client";
import { logIn, logOut, register } from "./actions";
import { Field, Form, Submit } from "@/parts/form";
import { read } from "@/server/session";
import { found, must, shopper } from "@/server/shop";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await texts()).word("account"), robots: { index: false } };
}

export default async function Account() {
  const { word, named, language, date } = await texts();
  const shop = await shopper();
  const profile = (await read("customer")) === null ? null : found(await shop.get("/v1/api/contacts/me"));
  if (profile === null) {
    return (
      <>
        <h1>{word("account")}</h1>
        <div className="columns">
          <Form action={logIn}>
            <h2>{word("log_in")}</h2>
            <Field label={word("email")} name="email" type="email" autoComplete="email" required />
            <Field label={word("password")} name="password" type="password" autoComplete="current-password" required />
            <Submit>{word("log_in")}</Submit>
          </Form>
          <Form action={register}>
            <h2>{word("register")}</h2>
            <Field label={word("first_name")} name="first_name" autoComplete="given-name" />
            <Field label={word("last_name")} name="last_name" autoComplete="family-name" />
            <Field label={word("email")} name="email" type="email" autoComplete="email" required />
            <Field label={word("password")} name="password" type="password" autoComplete="new-password" minLength={8} required />
            <Submit>{word("register")}</Submit>
          </Form>
        </div>
      </>
    );
  }
  const [orders, quotes] = await Promise.all([shop.get("/v1/api/commerce/orders"), shop.get("/v1/api/sales/quotes")]);
  const rows = [
    { title: word("orders"), at: "orders", list: must(orders).data.map((one) => ({ ...one, title: word("order", { n: one.number }), time: one.placed_at })) },
    { title: word("quotes"), at: "quotes", list: (found(quotes)?.data ?? []).map((one) => ({ ...one, title: word("quote", { n: one.number }), time: one.created_at })) },
  ];
  return (
    <>
      <h1>{profile.display_name}</h1>
      <p>
        {profile.email} {profile.customer_group && <span className="badge">{profile.customer_group.name}</span>}
      </p>
      <form action={logOut}>
        <button>{word("log_out")}</button>
      </form>
      {rows.map(({ title, at, list }) => (
        <section key={at}>
          <h2>{title}</h2>
          {list.length === 0 && <p>{word("none_yet")}</p>}
          <ul className="lines">
            {list.map((one) => (
              <li key={one.id}>
                <span>
                  <a href={`/account/${at}/${one.id}`}>{one.title}</a> <small>{date(one.time)}</small> {named(one.status)}
                </span>
                <span>{formatMoney(one.totals.total, language)}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
