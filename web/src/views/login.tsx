import type { Success } from "cartd-client";
import { useState } from "preact/hooks";
import { shop } from "../api.js";
import { claimCart } from "../cart.js";
import { useAction } from "../shared/load.js";
import { FailureNotice } from "../shared/failure.js";
import { Field, Form, text } from "../shared/form.js";
import { northwind } from "../page.js";
import { go, href } from "../shared/router.js";
import { session } from "../session.js";
import { useTitle } from "../title.js";
import { Linked } from "../shared/linked.js";
import { t } from "../shared/t.js";

type SignedIn = Success<"/v1/api/contacts/login", "post">;

/** After a login or a registration: the cart becomes the account's. `to` is the view that asked for it. */
async function enter({ token, contact }: SignedIn, to: string | null) {
  session.logIn(token, contact);
  await claimCart();
  go(to === null ? "#/account" : `#/${to}`);
}

export function LoginView({ to }: { to: string | null }) {
  useTitle(t.login.title);
  const login = useAction(
    (data: FormData) =>
      shop.post("/v1/api/contacts/login", { body: { email: text(data, "email") ?? "", password: String(data.get("password") ?? "") } }),
    (body) => void enter(body, to),
  );
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{t.login.title}</h1>
      <p class="lead">{t.login.lead}</p>
      <Form action={login} values={["email", "password"]} label={t.login.title} draft="login">
        <div class="fields">
          <Field name="email" label={t.fields.email} type="email" autocomplete="username" maxLength={255} wide />
          <Field name="password" label={t.fields.password} type="password" autocomplete="current-password" wide />
        </div>
      </Form>
      <p class="aside">
        <Linked text={t.login.newHere} to={href(["register"], to === null ? undefined : new URLSearchParams({ to }))} />
      </p>
      <p class="aside">
        <a href="#/forgot">{t.login.forgot}</a>
      </p>
      {northwind && <Demo to={to} />}
    </div>
  );
}

const people: [string, string, string][] = [
  ["Ada", "ada@example.com", "northwind-ada"],
  ["Van Dijk", "inkoop@vandijk.example.com", "northwind-trade"],
];

/** The accounts of the demo, whose passwords are public. */
function Demo({ to }: { to: string | null }) {
  const enterAs = useAction(
    ([, email, password]: (typeof people)[number]) => shop.post("/v1/api/contacts/login", { body: { email, password } }),
    (body) => void enter(body, to),
  );
  return (
    <section class="demo" aria-labelledby="demo">
      <h2 id="demo">{t.login.justLooking}</h2>
      <p class="hint">{t.login.tryAs}</p>
      <p class="demo-people">
        {people.map((one) => (
          <button type="button" class="button button-quiet" aria-disabled={enterAs.busy} onClick={() => enterAs.run(one)}>
            {one[0] === "Ada" ? one[0] : t.login.trade(one[0])}
          </button>
        ))}
      </p>
      <FailureNotice failure={enterAs.failure} again={enterAs.again} busy={enterAs.busy} />
    </section>
  );
}

export function RegisterView({ to }: { to: string | null }) {
  useTitle(t.login.register);
  const [company, setCompany] = useState(false);
  const register = useAction(
    (data: FormData) => {
      const body = {
        email: text(data, "email") ?? "",
        password: String(data.get("password") ?? ""),
        first_name: text(data, "first_name"),
        last_name: text(data, "last_name"),
        kind: company ? ("b2b" as const) : ("b2c" as const),
        ...(company && {
          company_name: text(data, "company_name"),
          registration_number: text(data, "registration_number"),
          vat_id: text(data, "vat_id"),
          phone: text(data, "phone"),
        }),
      };
      return shop.post("/v1/api/contacts/register", { body });
    },
    (body) => void enter(body, to),
  );
  const values = ["email", "password", "first_name", "last_name", "company_name", "registration_number", "vat_id", "phone"];
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{t.login.register}</h1>
      <p class="lead">{t.login.registerLead}</p>
      <Form action={register} values={values} label={t.login.registerDo} draft="register">
        <div class="options-values" role="radiogroup" aria-label={t.login.accountFor}>
          <label class="option">
            <input type="radio" name="kind" checked={!company} onChange={() => setCompany(false)} />
            <span>{t.login.myself}</span>
          </label>
          <label class="option">
            <input type="radio" name="kind" checked={company} onChange={() => setCompany(true)} />
            <span>{t.login.aCompany}</span>
          </label>
        </div>
        <div class="fields">
          {company && (
            <>
              <Field name="company_name" label={t.fields.company} autocomplete="organization" maxLength={255} wide />
              <Field name="registration_number" label={t.fields.registrationNumber} maxLength={50} optional />
              <Field name="vat_id" label={t.fields.vat} maxLength={50} optional />
            </>
          )}
          <Field name="first_name" label={t.fields.firstName} autocomplete="given-name" maxLength={100} optional />
          <Field name="last_name" label={t.fields.lastName} autocomplete="family-name" maxLength={100} optional />
          {company && <Field name="phone" label={t.fields.phone} type="tel" autocomplete="tel" maxLength={50} optional wide />}
          <Field name="email" label={t.fields.email} type="email" autocomplete="username" maxLength={255} wide />
          <Field name="password" label={t.fields.password} type="password" autocomplete="new-password" hint={t.fields.eight} wide />
        </div>
        {company && <p class="hint">{t.login.companies}</p>}
      </Form>
      <p class="aside">
        <Linked text={t.login.haveAccount} to={href(["login"], to === null ? undefined : new URLSearchParams({ to }))} />
      </p>
    </div>
  );
}
