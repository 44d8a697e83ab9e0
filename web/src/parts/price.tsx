import type { ComponentChildren } from "preact";
import { money, unitSign, type Money, type Product } from "../api.js";
import { useVat } from "../vat.js";

/** What a product costs, in a list. */
export function Price({ of }: { of: Product }) {
  const { label: tax, pick } = useVat();
  const price = pick(of, "price");
  const begins = pick(of, "price_from");
  if (begins && price === null) {
    return (
      <Amount before="from" after={tax}>
        {money(begins)}
      </Amount>
    );
  }
  if (price === null) return <Amount>{of.capability === "made_to_measure" ? "Made to measure" : "Price on request"}</Amount>;
  const from = new Set(of.variants.map((one) => one.price?.amount)).size > 1;
  const unit = unitSign(of.unit);
  return (
    <Amount before={from ? "from" : undefined} after={[unit && `per ${unit}`, tax].filter(Boolean).join(", ")}>
      {money(price)}
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

/** What is paid in all: with tax, which a visitor is told who sees all other prices without. */
export function Paid({ of }: { of: Money }) {
  return (
    <b>
      {money(of)}
      {useVat().ex && <small> incl. tax</small>}
    </b>
  );
}
