"use client";
import { useState } from "react";
import { AddressFields } from "@/parts/address";
import type { Schemas } from "@/server/shop";
import { textsIn, type Language } from "@/texts/language";

interface Props {
  kept: Schemas["OrderAddress"] | null;
  /** The customer's address book; null for a guest. */
  saved: Schemas["Address"][] | null;
  /** Chosen in the cart. */
  country: string | null;
  countries: readonly string[] | null;
  language: Language;
}

/** The address of delivery: one of the customer's, or one that is typed. Without scripts both are there, and a chosen one counts. */
export function Addresses({ kept, saved, country, countries, language }: Props) {
  const { word } = textsIn(language);
  const first = kept ? saved?.find((one) => sameAddress(one, kept)) : (saved?.find(({ is_default }) => is_default) ?? saved?.[0]);
  const [chosen, choose] = useState<string>(first?.id ?? "");
  const typed = chosen === "";
  return (
    <>
      {saved && saved.length > 0 && (
        <fieldset>
          <legend>{word("saved_address")}</legend>
          {[...saved, null].map((one) => (
            <label key={one?.id ?? ""}>
              <input
                type="radio"
                name="shipping_address_id"
                value={one?.id ?? ""}
                checked={chosen === (one?.id ?? "")}
                onChange={() => choose(one?.id ?? "")}
              />{" "}
              {one ? [one.label, one.name, one.street, one.city].filter(Boolean).join(", ") : word("new_address")}
            </label>
          ))}
        </fieldset>
      )}
      {typed ? (
        <Typed {...{ kept, country, countries, language, own: saved !== null }} />
      ) : (
        <noscript>
          <Typed {...{ kept, country, countries, language, own: true }} />
        </noscript>
      )}
    </>
  );
}

function Typed({ kept, country, countries, language, own }: Pick<Props, "kept" | "country" | "countries" | "language"> & { own: boolean }) {
  return (
    <>
      <AddressFields of="shipping_address" kept={kept ?? (country ? { country } : null)} countries={countries} language={language} />
      {own && (
        <label>
          <input type="checkbox" name="save_address" /> {textsIn(language).word("save_address")}
        </label>
      )}
    </>
  );
}

function sameAddress(a: Schemas["Address"], b: Schemas["OrderAddress"]): boolean {
  return (["name", "street", "postal_code", "city", "country"] as const).every((name) => a[name] === b[name]);
}

/** A billing address of its own, if the shopper wants one. */
export function Billing({ kept, language }: { kept: Schemas["OrderAddress"] | null; language: Language }) {
  const [own, want] = useState(kept !== null);
  const fields = <AddressFields of="billing_address" kept={kept} countries={null} language={language} />;
  return (
    <>
      <label>
        <input type="checkbox" name="other_billing" checked={own} onChange={(event) => want(event.target.checked)} />{" "}
        {textsIn(language).word("other_billing")}
      </label>
      {own ? fields : <noscript>{fields}</noscript>}
    </>
  );
}
