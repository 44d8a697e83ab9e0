import { useState } from "preact/hooks";
import { shop } from "../api.js";
import { showHappened } from "../requests-panel.js";
import { useAction } from "../shared/load.js";
import { awaitMail } from "../mail.js";
import { northwind } from "../page.js";
import { Field, Form, text } from "../shared/form.js";
import { session } from "../session.js";
import { useTitle } from "../title.js";
import { Linked } from "../shared/linked.js";
import { t } from "../shared/t.js";

/** A forgotten password: the store's mailer sends a link. */
export function ForgotView() {
  useTitle(t.login.forgotten);
  const [email, setEmail] = useState<string | null>(null);
  const ask = useAction(
    async (data: FormData) => {
      const body = { email: text(data, "email") ?? "" };
      const sent = await shop.post("/v1/api/contacts/forgot-password", { body });
      return sent.ok ? { ...sent, body } : sent;
    },
    (body) => {
      setEmail(body.email);
      showHappened();
      void awaitMail(body.email);
    },
  );
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{t.login.forgotten}</h1>
      {email === null ? (
        <>
          <p class="lead">{t.login.forgottenLead}</p>
          <Form action={ask} values={["email"]} label={t.login.sendLink} draft="forgot">
            <div class="fields">
              <Field name="email" label={t.fields.email} type="email" autocomplete="username" maxLength={255} wide />
            </div>
          </Form>
        </>
      ) : (
        <p class="lead" role="status">
          {northwind ? `${t.login.sent(email)} ${t.login.sentHere}` : t.login.sent(email)}
        </p>
      )}
      <p class="aside">
        <a href="#/login">{t.login.back}</a>
      </p>
    </div>
  );
}

/** The page of the mail's link. */
export function ResetView({ token, email }: { token: string; email: string | null }) {
  useTitle(t.fields.newPassword);
  const [done, setDone] = useState(false);
  const reset = useAction(
    (data: FormData) =>
      shop.post("/v1/api/contacts/reset-password", { body: { token, email: text(data, "email") ?? "", ...passwords(data) } }),
    () => {
      session.logOut(); // the new password has ended all sessions
      setDone(true);
    },
  );
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{t.fields.newPassword}</h1>
      {done ? (
        <p class="lead" role="status">
          <Linked text={t.login.changed} to="#/login" />
        </p>
      ) : (
        <Form action={reset} values={["email", "password", "password_confirmation"]} label={t.login.changePassword} draft="reset">
          <div class="fields">
            <Field name="email" label={t.fields.email} type="email" autocomplete="username" maxLength={255} wide value={email} />
            <NewPassword />
          </div>
        </Form>
      )}
    </div>
  );
}

/** The change of the password of today. */
export function PasswordForm() {
  const [changes, setChanges] = useState(0);
  const change = useAction(
    (data: FormData) =>
      shop.put("/v1/api/contacts/me/password", {
        body: { current_password: String(data.get("current_password") ?? ""), ...passwords(data) },
      }),
    () => setChanges(changes + 1),
  );
  return (
    <details class="fold">
      <summary>{t.login.changePassword}</summary>
      <Form
        key={changes} // empty again
        action={change}
        values={["current_password", "password", "password_confirmation"]}
        label={t.login.changeIt}
        draft="password"
        done={changes > 0 && t.login.changedHere}
      >
        <div class="fields">
          <Field name="current_password" label={t.fields.oldPassword} type="password" autocomplete="current-password" wide />
          <NewPassword />
        </div>
      </Form>
    </details>
  );
}

function NewPassword() {
  return (
    <>
      <Field name="password" label={t.fields.newPassword} type="password" autocomplete="new-password" hint={t.fields.eight} />
      <Field name="password_confirmation" label={t.fields.onceMore} type="password" autocomplete="new-password" />
    </>
  );
}

function passwords(data: FormData) {
  return { password: String(data.get("password") ?? ""), password_confirmation: String(data.get("password_confirmation") ?? "") };
}
