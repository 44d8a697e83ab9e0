"use client";
import { Field, Select } from "./form";
import { textsIn, type Language } from "@/texts/language";
import type { Schemas } from "@/server/shop";

type Kept = Partial<Schemas["OrderAddress"]> | null;

/** The fields of an address. Their names begin with `of`, as in cartd's faults: `shipping_address.city`. */
export function AddressFields({
  of,
  kept,
  countries,
  language,
}: {
  of: string;
  kept: Kept;
  countries: readonly string[] | null;
  language: Language;
}) {
  const { word, country } = textsIn(language);
  const field = (name: "name" | "company" | "street" | "postal_code" | "city" | "region" | "phone", autoComplete: string, hint?: string) => (
    <Field label={word(name)} name={`${of}.${name}`} autoComplete={autoComplete} hint={hint} defaultValue={kept?.[name] ?? ""} />
  );
  return (
    <fieldset>
      <legend>{word(of === "shipping_address" || of === "billing_address" ? of : "address")}</legend>
      {field("name", "name")}
      {field("company", "organization", word("optional"))}
      {field("street", "street-address")}
      {field("postal_code", "postal-code")}
      {field("city", "address-level2")}
      {field("region", "address-level1", word("optional"))}
      {countries ? (
        <Select label={word("country")} name={`${of}.country`} autoComplete="country" defaultValue={kept?.country ?? countries[0]}>
          {countries.map((code) => (
            <option key={code} value={code}>
              {country(code)}
            </option>
          ))}
        </Select>
      ) : (
        <Field label={word("country")} name={`${of}.country`} autoComplete="country" maxLength={2} defaultValue={kept?.country ?? ""} />
      )}
      {field("phone", "tel", word("optional"))}
    </fieldset>
  );
}
