import type { Address } from "../api.js";
import { locale, perLocale, t } from "../shared/t.js";
import { Field, Select, text } from "../shared/form.js";

export interface AddressBody {
  name: string;
  street: string;
  postal_code: string;
  city: string;
  country: string;
  phone: string | null;
  company: string | null;
  region: string | null;
}

/** An address as it is shown. Only one that has a company or a region has the member. */
type Shown = Pick<Address, "name" | "street" | "postal_code" | "city" | "country"> & { company?: string | null; region?: string | null };

const names = perLocale((locale) => new Intl.DisplayNames(locale, { type: "region" }));

/** Where the store delivers if its methods name no country. */
const nearby = "AT BE BG CH CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LT LU LV NL NO PL PT RO SE SI SK".split(" ");

export const countryName = (code: string): string => {
  try {
    return names().of(code.toUpperCase()) ?? code;
  } catch {
    return code; // two characters that are no country
  }
};

/** The countries to choose from, by name. */
export function countries(delivered: string[] | null | undefined): [string, string][] {
  const codes = delivered && delivered.length > 0 ? delivered : nearby;
  return codes.map((code): [string, string] => [code, countryName(code)]).sort((a, b) => a[1].localeCompare(b[1], locale));
}

/** The fields of an address. `prefix` is the path of its refusals, as `shipping_address.`. */
export function AddressFields({
  prefix = "",
  delivered,
  country,
  onCountry,
  of,
}: {
  prefix?: string;
  delivered: string[] | null | undefined;
  country: string;
  onCountry?: (code: string) => void;
  of?: Shown & { phone?: string | null };
}) {
  return (
    <div class="fields">
      <Field name={`${prefix}name`} label={t.fields.name} autocomplete="name" maxLength={150} wide value={of?.name} />
      <Field
        name={`${prefix}company`}
        label={t.fields.company}
        autocomplete="organization"
        maxLength={150}
        wide
        optional
        value={of?.company ?? undefined}
      />
      <Field name={`${prefix}street`} label={t.fields.street} autocomplete="street-address" maxLength={255} wide value={of?.street} />
      <Field name={`${prefix}postal_code`} label={t.fields.postalCode} autocomplete="postal-code" maxLength={20} value={of?.postal_code} />
      <Field name={`${prefix}city`} label={t.fields.city} autocomplete="address-level2" maxLength={100} value={of?.city} />
      <Field
        name={`${prefix}region`}
        label={t.fields.region}
        autocomplete="address-level1"
        maxLength={100}
        optional
        value={of?.region ?? undefined}
      />
      <Select
        name={`${prefix}country`}
        label={t.fields.country}
        autocomplete="country"
        value={country}
        options={countries(delivered)}
        {...(onCountry && { onChange: onCountry })}
      />
      <Field
        name={`${prefix}phone`}
        label={t.fields.phone}
        type="tel"
        autocomplete="tel"
        maxLength={50}
        optional
        value={of?.phone ?? undefined}
      />
    </div>
  );
}

export const addressFields = ["name", "street", "postal_code", "city", "country", "phone", "company", "region"];

/** The address of a form. Blank fields stay blank: the server says which it needs. */
export function readAddress(data: FormData, prefix = ""): AddressBody {
  const get = (name: string) => text(data, prefix + name) ?? "";
  return {
    name: get("name"),
    street: get("street"),
    postal_code: get("postal_code"),
    city: get("city"),
    country: get("country"),
    phone: text(data, `${prefix}phone`),
    company: text(data, `${prefix}company`),
    region: text(data, `${prefix}region`),
  };
}

/** An address in lines. */
export function AddressText({ of }: { of: Shown }) {
  return (
    <address>
      {of.name}
      <br />
      {of.company && (
        <>
          {of.company}
          <br />
        </>
      )}
      {of.street}
      <br />
      {of.postal_code} {of.city}
      <br />
      {of.region && (
        <>
          {of.region}
          <br />
        </>
      )}
      {countryName(of.country)}
    </address>
  );
}
