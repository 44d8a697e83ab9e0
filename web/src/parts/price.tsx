import type { ComponentChildren } from "preact";
import { money, unitSign, type Product } from "../api.js";
import { useTaxLabel } from "../vat.js";

/** What a product costs, in a list. */
export function Price({ of }: { of: Product }) {
  const tax = useTaxLabel(of.price_includes_tax);
  if (of.price_from && of.price === null) {
    return (
      <Amount before="from" after={tax}>
        {money(of.price_from)}
      </Amount>
    );
  }
  if (of.price === null) return <Amount>{of.capability === "made_to_measure" ? "Made to measure" : "Price on request"}</Amount>;
  const from = new Set(of.variants.map((one) => one.price?.amount)).size > 1;
  const unit = unitSign(of.unit);
  return (
    <Amount before={from ? "from" : undefined} after={[unit && `per ${unit}`, tax].filter(Boolean).join(", ")}>
      {money(of.price)}
    </Amount>
  );
}

function Amount({ before, after, children }: { before?: string | undefined; after?: string | null; children: ComponentChildren }) {
  return (
    <span class="price">
      {before && <small>{before} </small>}
      <b>{children}</b>
      {after && <small> {after}</small>}
    </span>
  );
}
