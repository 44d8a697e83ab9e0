"use client";
import { useState } from "react";
import { AddressFields } from "@/parts/address";
import type { Schemas } from "@/server/shop";
import { textsIn, type Language } from "@/texts/language";

/** A billing address of its own, if the shopper wants one. */
export function Billing({ kept, language }: { kept: Schemas["OrderAddress"] | null; language: Language }) {
  const [own, want] = useState(kept !== null);
  return (
    <>
      <label>
        <input type="checkbox" name="other_billing" checked={own} onChange={(event) => want(event.target.checked)} /> {textsIn(language).word("other_billing")}
      </label>
      {own && <AddressFields of="billing_address" kept={kept} countries={null} language={language} />}
    </>
  );
}
