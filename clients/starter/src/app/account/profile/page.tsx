import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { saveProfile } from "../actions";
import { AccountMenu } from "@/parts/account";
import { Field, Form, Submit } from "@/parts/form";
import { ownPage } from "@/server/meta";
import { found, shopper } from "@/server/shop";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("profile"));
}

export default async function Profile() {
  const profile = found(await (await shopper()).get("/v1/api/contacts/me"));
  if (!profile) redirect("/account");
  const { word } = await texts();
  const company = [profile.company_name, profile.registration_number, profile.vat_id].filter(Boolean);
  return (
    <>
      <h1>{word("profile")}</h1>
      <AccountMenu />
      <p>{profile.email}</p>
      {company.length > 0 && <p>{company.join(", ")}</p>}
      <Form action={saveProfile}>
        <Field label={word("first_name")} name="first_name" autoComplete="given-name" defaultValue={profile.first_name ?? ""} />
        <Field label={word("last_name")} name="last_name" autoComplete="family-name" defaultValue={profile.last_name ?? ""} />
        <Field label={word("phone")} name="phone" autoComplete="tel" defaultValue={profile.phone ?? ""} />
        <Submit>{word("save")}</Submit>
      </Form>
    </>
  );
}
