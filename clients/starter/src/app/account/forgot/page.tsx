import type { Metadata } from "next";
import { forgotPassword } from "../actions";
import { Field, Form, Submit } from "@/parts/form";
import { Link } from "@/parts/link";
import { ownPage } from "@/server/meta";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("forgot_title"));
}

export default async function Forgot() {
  const { word } = await texts();
  return (
    <>
      <h1>{word("forgot_title")}</h1>
      <Form action={forgotPassword}>
        <Field label={word("email")} name="email" type="email" autoComplete="email" />
        <Submit>{word("forgot_send")}</Submit> <Link href="/account">{word("log_in")}</Link>
      </Form>
    </>
  );
}
