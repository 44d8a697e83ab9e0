import { useState } from "preact/hooks";
import { date, shop, type Profile } from "../api.js";
import { cartState, forgetCart, merged } from "../cart.js";
import { useAction } from "../load.js";
import { AccountTabs, ForAccount } from "../parts/account.js";
import { FailureNotice } from "../parts/failure.js";
import { Field, Form, text } from "../parts/form.js";
import { Merged } from "../parts/merged.js";
import { go } from "../router.js";
import { account, session } from "../session.js";
import { useStore } from "../store.js";
import { useTitle } from "../title.js";
import { PasswordForm } from "./password.js";

export function AccountView() {
  useTitle("Account");
  const report = useStore(merged);
  const { cart } = useStore(cartState);
  return (
    <ForAccount>
      {(visitor) => (
        <>
          <h1 tabIndex={-1}>Hello, {visitor.first_name ?? visitor.display_name}</h1>
          <AccountTabs here="account" />
          {report && <Merged report={report} cart={cart} />}
          <ProfileForm of={visitor} />
          <PasswordForm />
          <LogOut />
        </>
      )}
    </ForAccount>
  );
}

function ProfileForm({ of }: { of: Profile }) {
  const [saved, setSaved] = useState(false);
  const save = useAction(
    (data: FormData, key) => {
      setSaved(false);
      const body = { first_name: text(data, "first_name"), last_name: text(data, "last_name"), phone: text(data, "phone") };
      return shop.patch("/v1/api/contacts/me", { body, idempotencyKey: key });
    },
    (body) => {
      account.set(body);
      setSaved(true);
    },
  );
  return (
    <div class="narrow">
      <dl class="facts">
        <div>
          <dt>E-mail</dt>
          <dd>{of.email}</dd>
        </div>
        {of.company_name && (
          <div>
            <dt>Company</dt>
            <dd>{of.company_name}</dd>
          </div>
        )}
        {of.vat_id && (
          <div>
            <dt>VAT number</dt>
            <dd>{of.vat_id}</dd>
          </div>
        )}
        {of.registration_number && (
          <div>
            <dt>Registration number</dt>
            <dd>{of.registration_number}</dd>
          </div>
        )}
        {of.customer_group && (
          <div>
            <dt>Prices of</dt>
            <dd>{of.customer_group.name}</dd>
          </div>
        )}
        <div>
          <dt>Since</dt>
          <dd>{date(of.created_at)}</dd>
        </div>
      </dl>
      <Form action={save} values={["first_name", "last_name", "phone"]} label="Save" done={saved && "Saved."}>
        <div class="fields">
          <Field name="first_name" label="First name" autocomplete="given-name" maxLength={100} value={of.first_name} optional />
          <Field name="last_name" label="Last name" autocomplete="family-name" maxLength={100} value={of.last_name} optional />
          <Field name="phone" label="Phone" type="tel" autocomplete="tel" maxLength={50} value={of.phone} optional wide />
        </div>
      </Form>
    </div>
  );
}

function LogOut() {
  const leave = useAction(
    (_: null) => shop.post("/v1/api/contacts/logout"),
    () => {
      forgetCart();
      session.logOut();
      merged.set(null);
      go("#/");
    },
  );
  return (
    <p class="aside">
      <button type="button" class="link" onClick={() => leave.run(null)}>
        Log out
      </button>
      <FailureNotice failure={leave.failure} again={leave.again} busy={leave.busy} />
    </p>
  );
}
