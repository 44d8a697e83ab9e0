import type { ComponentChildren } from "preact";
import type { Product } from "../api.js";
import { money, unitSign, type Money } from "../shared/formats.js";
import { account } from "../session.js";
import { store } from "../settings.js";
import { useStore } from "../shared/store.js";
import { t } from "../shared/t.js";
import { moment } from "../time.js";
import { useVat } from "../vat.js";

/** Whether the store hides its prices from this visitor. */
export function useHiddenPrices(): boolean {
  const guest = useStore(account) === null;
  return useStore(store)?.policy.pricing.guest_price_visibility === "hidden" && guest;
}

/** What a product costs, in a list. */
export function Price({ of }: { of: Product }) {
  const { label: tax, pick } = useVat();
  const hidden = useHiddenPrices();
  const price = pick(of, "price");
  const begins = pick(of, "price_from");
  if (begins && price === null) {
    return (
      <Amount before={t.product.from} after={tax}>
        {money(begins)}
      </Amount>
    );
  }
  if (price === null)
    return <Amount>{hidden ? t.product.hidden : of.capability === "made_to_measure" ? t.product.made : t.product.onRequest}</Amount>;
  const from = new Set(of.variants.map((one) => one.price?.amount)).size > 1;
  const unit = unitSign(of.unit);
  return (
    <Amount
      before={from ? t.product.from : undefined}
      after={[unit && t.product.per(unit), tax].filter(Boolean).join(", ")}
      was={pick(of, "original_price")}
    >
      {money(price)}
    </Amount>
  );
}

function Amount({
  before,
  after,
  was,
  children,
}: {
  before?: string | undefined;
  after?: string | null;
  was?: Money | null;
  children: ComponentChildren;
}) {
  return (
    <span class="price">
      {before && <small>{before} </small>}
      <b class={was ? "price-sale" : undefined}>{children}</b>
      {after && <small> {after}</small>}
      {was && <Was of={was} />}
    </span>
  );
}

/** The price that does not hold now. */
export function Was({ of }: { of: Money }) {
  return (
    <small class="price-was">
      {" "}
      <span class="hidden">{t.product.before} </span>
      <s>{money(of)}</s>
    </small>
  );
}

/** That a price is one of a sale, and until when; null of another price. */
export function saleOf({ original_price, price_until }: Pick<Product, "original_price" | "price_until">): string | null {
  if (original_price === null) return null;
  return price_until === null ? t.product.sale : t.product.saleUntil(moment(price_until));
}

/** What is paid in all: with tax, which a visitor is told who sees all other prices without. */
export function Paid({ of }: { of: Money }) {
  const { ex, exempt } = useVat();
  return (
    <b>
      {money(of)}
      {ex && !exempt && <small> {t.product.incTax}</small>}
    </b>
  );
}
