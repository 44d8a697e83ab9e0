import { useState } from "preact/hooks";
import { shop } from "../api.js";
import { showHappened } from "../happened.js";
import { useAction } from "../load.js";
import { awaitMail } from "../mail.js";
import { Field, Form, text } from "../parts/form.js";
import { session } from "../session.js";
import { useTitle } from "../title.js";

/** A forgotten password: the store's mailer sends a link. */
export function ForgotView() {
  useTitle("Forgotten password");
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
      <h1 tabIndex={-1}>Forgotten password</h1>
      {email === null ? (
        <>
          <p class="lead">You get a mail with a link, under which you choose a new one.</p>
          <Form action={ask} values={["email"]} label="Send the link">
            <div class="fields">
              <Field name="email" label="E-mail" type="email" autocomplete="username" maxLength={255} wide />
            </div>
          </Form>
        </>
      ) : (
        <p class="lead" role="status">
          If {email} has an account, its mail is on its way. This is a demo: the mail stands in “What happened”, at the end of this page.
        </p>
      )}
      <p class="aside">
        <a href="#/login">Back to the login</a>
      </p>
    </div>
  );
}

/** The page of the mail's link. */
export function ResetView({ token, email }: { token: string; email: string | null }) {
  useTitle("New password");
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
      <h1 tabIndex={-1}>New password</h1>
      {done ? (
        <p class="lead" role="status">
          Your password has changed, and all devices are logged out. <a href="#/login">Log in</a>.
        </p>
      ) : (
        <Form action={reset} values={["email", "password", "password_confirmation"]} label="Change the password">
          <div class="fields">
            <Field name="email" label="E-mail" type="email" autocomplete="username" maxLength={255} wide value={email} />
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
      <summary>Change the password</summary>
      <Form
        key={changes} // empty again
        action={change}
        values={["current_password", "password", "password_confirmation"]}
        label="Change it"
        done={changes > 0 && "Changed. Other devices are logged out."}
      >
        <div class="fields">
          <Field name="current_password" label="Password of today" type="password" autocomplete="current-password" wide />
          <NewPassword />
        </div>
      </Form>
    </details>
  );
}

function NewPassword() {
  return (
    <>
      <Field name="password" label="New password" type="password" autocomplete="new-password" hint="At least eight characters." />
      <Field name="password_confirmation" label="Once more" type="password" autocomplete="new-password" />
    </>
  );
}

function passwords(data: FormData) {
  return { password: String(data.get("password") ?? ""), password_confirmation: String(data.get("password_confirmation") ?? "") };
}
