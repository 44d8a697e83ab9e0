import type { Metadata } from "next";
import { resetPassword } from "../actions";
import { Field, Form, Submit } from "@/parts/form";
import { Link } from "@/parts/link";
import { ownPage } from "@/server/meta";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("forgot_title"));
}

interface Props {
  searchParams: Promise<{ token?: string; email?: string }>;
}

/** Where the link of the mail leads: /account/reset?token=…&email=… */
export default async function Reset({ searchParams }: Props) {
  const { token = "", email = "" } = await searchParams;
  const { word } = await texts();
  return (
    <>
      <h1>{word("forgot_title")}</h1>
      <Form action={resetPassword}>
        <input type="hidden" name="token" value={token} />
        <Field label={word("email")} name="email" type="email" autoComplete="email" defaultValue={email} />
        <Field label={word("new_password")} name="password" type="password" autoComplete="new-password" minLength={8} />
        <Field label={word("password_confirmation")} name="password_confirmation" type="password" autoComplete="new-password" />
        <Submit>{word("save")}</Submit> <Link href="/account">{word("log_in")}</Link>
      </Form>
    </>
  );
}
