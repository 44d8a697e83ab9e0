import { useState } from "preact/hooks";
import { shop, type Cart, type Profile } from "../api.js";
import { date } from "../shared/formats.js";
import { cartState, forgetCart, merged } from "../cart.js";
import { useExplain } from "../explain.js";
import { useAction } from "../shared/load.js";
import { AccountTabs, ForAccount } from "../parts/account.js";
import { FailureNotice } from "../shared/failure.js";
import { Field, Form, text } from "../shared/form.js";
import { Merged } from "../parts/merged.js";
import { go } from "../shared/router.js";
import { account, session } from "../session.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../title.js";
import { PasswordForm } from "./password.js";
import { t } from "../shared/t.js";

export function AccountView() {
  useTitle(t.account.title);
  const report = useStore(merged);
  const { cart } = useStore(cartState);
  return (
    <ForAccount>
      {(visitor) => (
        <>
          <h1 tabIndex={-1}>{t.account.hello(visitor.first_name ?? visitor.display_name ?? "")}</h1>
          <AccountTabs here="account" />
          {visitor.kind === "b2b" && cart && <Waiting cart={cart} />}
          {report && <Merged report={report} cart={cart} />}
          <ProfileForm of={visitor} />
          <PasswordForm />
          <LogOut />
        </>
      )}
    </ForAccount>
  );
}

/** Tells a company that it has not been approved yet: a checkout of its cart says so. */
function Waiting({ cart }: { cart: Cart }) {
  const waits = useExplain(cart).body?.data.checks.some((one) => one.code === "b2b_approval_required");
  return <div role="status">{waits && <p class="notice">{t.account.waiting}</p>}</div>;
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
          <dt>{t.fields.email}</dt>
          <dd>{of.email}</dd>
        </div>
        {of.company_name && (
          <div>
            <dt>{t.fields.company}</dt>
            <dd>{of.company_name}</dd>
          </div>
        )}
        {of.vat_id && (
          <div>
            <dt>{t.fields.vat}</dt>
            <dd>{of.vat_id}</dd>
          </div>
        )}
        {of.registration_number && (
          <div>
            <dt>{t.fields.registrationNumber}</dt>
            <dd>{of.registration_number}</dd>
          </div>
        )}
        {of.customer_group && (
          <div>
            <dt>{t.fields.group}</dt>
            <dd>{of.customer_group.name}</dd>
          </div>
        )}
        <div>
          <dt>{t.fields.since}</dt>
          <dd>{date(of.created_at)}</dd>
        </div>
      </dl>
      <Form
        action={save}
        values={["first_name", "last_name", "phone"]}
        label={t.account.save}
        draft="profile"
        done={saved && t.account.saved}
      >
        <div class="fields">
          <Field name="first_name" label={t.fields.firstName} autocomplete="given-name" maxLength={100} value={of.first_name} optional />
          <Field name="last_name" label={t.fields.lastName} autocomplete="family-name" maxLength={100} value={of.last_name} optional />
          <Field name="phone" label={t.fields.phone} type="tel" autocomplete="tel" maxLength={50} value={of.phone} optional wide />
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
        {t.account.logOut}
      </button>
      <FailureNotice failure={leave.failure} again={leave.again} busy={leave.busy} />
    </p>
  );
}
