import type { Success } from "cartd-client";
import { useState } from "preact/hooks";
import { shop } from "../api.js";
import { claimCart } from "../cart.js";
import { useAction } from "../load.js";
import { FailureNotice } from "../parts/failure.js";
import { Field, Form, text } from "../parts/form.js";
import { northwind } from "../page.js";
import { go } from "../router.js";
import { session } from "../session.js";
import { useTitle } from "../title.js";

type SignedIn = Success<"/v1/api/contacts/login", "post">;

/** After a login or a registration: the cart becomes the account's. `to` is the view that asked for it. */
async function enter({ token, contact }: SignedIn, to: string | null) {
  session.logIn(token, contact);
  await claimCart();
  go(to === "checkout" ? "#/checkout" : "#/account");
}

export function LoginView({ to }: { to: string | null }) {
  useTitle("Log in");
  const login = useAction(
    (data: FormData) =>
      shop.post("/v1/api/contacts/login", { body: { email: text(data, "email") ?? "", password: String(data.get("password") ?? "") } }),
    (body) => void enter(body, to),
  );
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>Log in</h1>
      <p class="lead">What is in your cart comes with you, and meets what you left in it elsewhere.</p>
      <Form action={login} values={["email", "password"]} label="Log in">
        <div class="fields">
          <Field name="email" label="E-mail" type="email" autocomplete="username" maxLength={255} wide />
          <Field name="password" label="Password" type="password" autocomplete="current-password" wide />
        </div>
      </Form>
      <p class="aside">
        New here? <a href={to ? `#/register?to=${to}` : "#/register"}>Make an account</a>
      </p>
      <p class="aside">
        <a href="#/forgot">Forgot your password?</a>
      </p>
      {northwind && <Demo to={to} />}
    </div>
  );
}

const people: [string, string, string][] = [
  ["Ada", "ada@example.com", "northwind-ada"],
  ["Van Dijk, a company with prices of its own", "inkoop@vandijk.example.com", "northwind-trade"],
];

/** The accounts of the demo, whose passwords are public. */
function Demo({ to }: { to: string | null }) {
  const enterAs = useAction(
    ([, email, password]: (typeof people)[number]) => shop.post("/v1/api/contacts/login", { body: { email, password } }),
    (body) => void enter(body, to),
  );
  return (
    <section class="demo" aria-labelledby="demo">
      <h2 id="demo">Just looking?</h2>
      <p class="hint">This is a demo. Try it as one of its customers:</p>
      <p class="demo-people">
        {people.map((one) => (
          <button type="button" class="button button-quiet" aria-disabled={enterAs.busy} onClick={() => enterAs.run(one)}>
            {one[0]}
          </button>
        ))}
      </p>
      <FailureNotice failure={enterAs.failure} again={enterAs.again} busy={enterAs.busy} />
    </section>
  );
}

export function RegisterView({ to }: { to: string | null }) {
  useTitle("Make an account");
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
      <h1 tabIndex={-1}>Make an account</h1>
      <p class="lead">For addresses, orders and quotes in one place, and one cart on all your devices.</p>
      <Form action={register} values={values} label="Make the account">
        <div class="options-values" role="radiogroup" aria-label="The account is for">
          <label class="option">
            <input type="radio" name="kind" checked={!company} onChange={() => setCompany(false)} />
            <span>Myself</span>
          </label>
          <label class="option">
            <input type="radio" name="kind" checked={company} onChange={() => setCompany(true)} />
            <span>A company</span>
          </label>
        </div>
        <div class="fields">
          {company && (
            <>
              <Field name="company_name" label="Company" autocomplete="organization" maxLength={255} wide />
              <Field name="registration_number" label="Registration number" maxLength={50} optional />
              <Field name="vat_id" label="VAT number" maxLength={50} optional />
            </>
          )}
          <Field name="first_name" label="First name" autocomplete="given-name" maxLength={100} optional />
          <Field name="last_name" label="Last name" autocomplete="family-name" maxLength={100} optional />
          {company && <Field name="phone" label="Phone" type="tel" autocomplete="tel" maxLength={50} optional wide />}
          <Field name="email" label="E-mail" type="email" autocomplete="username" maxLength={255} wide />
          <Field name="password" label="Password" type="password" autocomplete="new-password" hint="At least eight characters." wide />
        </div>
        {company && <p class="hint">We look at companies before they can order. Until then the cart and quotes work.</p>}
      </Form>
      <p class="aside">
        Have an account? <a href={to ? `#/login?to=${to}` : "#/login"}>Log in</a>
      </p>
    </div>
  );
}
