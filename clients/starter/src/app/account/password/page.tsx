import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { changePassword } from "../actions";
import { AccountMenu } from "@/parts/account";
import { Field, Form, Submit } from "@/parts/form";
import { ownPage } from "@/server/meta";
import { read } from "@/server/session";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("change_password"));
}

export default async function Password() {
  if ((await read("customer")) === null) redirect("/account");
  const { word } = await texts();
  return (
    <>
      <h1>{word("change_password")}</h1>
      <AccountMenu />
      <Form action={changePassword}>
        <Field label={word("current_password")} name="current_password" type="password" autoComplete="current-password" />
        <Field label={word("new_password")} name="password" type="password" autoComplete="new-password" minLength={8} />
        <Field label={word("password_confirmation")} name="password_confirmation" type="password" autoComplete="new-password" />
        <Submit>{word("save")}</Submit>
      </Form>
    </>
  );
}
