import { sumsOf, type Success } from "cartd-client";
import { shop, type Cart, type Product, type Variant } from "../api.js";
import { cents, money } from "../shared/formats.js";
import { known, useLoad } from "../shared/load.js";
import { store } from "../settings.js";
import { useStore } from "../shared/store.js";
import { t } from "../shared/t.js";
import { useTaxCountry, useVat } from "../vat.js";
import { days, type Method } from "./delivery.js";

// What a shopper wants to know ahead of the cart: tax, delivery, offers, days and returns.

/** The goods from which a delivery is free, as the merchant says it in the delivery's metadata: `free_from`, in minor units. */
function freeFrom(methods: Method[]): number | null {
  for (const { metadata } of methods) if (typeof metadata?.free_from === "number") return metadata.free_from;
  return null;
}

type Basket = Success<"/v1/api/commerce/price", "post">["data"];

/** What one of a product would cost in a cart. */
function usePriced(of: Product, variant: Variant | null): Basket | null {
  const first = useStore(store)?.shipping_countries?.[0];
  const { country = first } = useTaxCountry();
  const whole = of.capability !== "made_to_measure" && (of.variants.length === 0 || variant !== null) && (variant ?? of).price !== null;
  const text_fields = of.text_fields.filter((one) => one.required).map((one) => [one.key, "–"]);
  const line = {
    product_id: of.id,
    variant_id: variant?.id ?? null,
    quantity: 1,
    ...(text_fields.length > 0 && { properties: Object.fromEntries(text_fields) }),
  };
  const priced = useLoad(
    (signal) =>
      whole
        ? shop.post("/v1/api/commerce/price", { body: { lines: [line], ...(country && { country }) }, signal })
        : Promise.resolve(known<{ data: Basket } | null>(null)),
    [whole, of.id, variant?.id, country],
  );
  return priced.body?.data ?? null;
}

export function GoodToKnow({ of, variant }: { of: Product; variant: Variant | null }) {
  const settings = useStore(store);
  const { ex, label, pick } = useVat();
  const priced = usePriced(of, variant);
  const methods = priced?.shipping_methods ?? [];
  const [first] = methods;
  const free = freeFrom(methods);
  const sold = (variant ?? of).price !== null || of.price_from !== null;
  const { offer } = of.metadata;
  const offers = [
    ...(typeof offer === "string" ? [offer] : []),
    ...(priced?.discounts ?? []).filter((one) => one.kind !== "shipping").map((one) => one.name),
  ];
  const facts = [
    sold && !ex && settings?.prices_include_tax && of.tax_rate > 0 && t.product.incTaxAt(of.tax_rate),
    ...offers.map(t.product.offer),
    first &&
      (first.price.amount === 0
        ? t.product.deliveryFree(days(first))
        : t.product.deliveryFor([money(pick(first, "price")), label].filter(Boolean).join(" "), days(first))),
    !ex && first && first.price.amount > 0 && free !== null && t.product.freeFrom(cents(free)),
    of.lead_time_days !== null && t.product.leadTime(of.lead_time_days),
    of.requires_shipping && (of.returnable ? t.product.returnable : t.product.notReturnable),
  ].filter((one): one is string => Boolean(one));
  return (
    <section class="known" aria-labelledby="known">
      <h2 id="known">{t.product.known}</h2>
      <ul>
        {facts.map((one) => (
          <li>{one}</li>
        ))}
        <li>
          <a href="#/returns">{t.pages.returns}</a>
        </li>
      </ul>
    </section>
  );
}

/** How much is missing for the free delivery, where the deliveries of the cart say from what on it is free. */
export function FreeDelivery({ cart }: { cart: Cart }) {
  const { ex } = useVat();
  const { requires_quote: quote } = cart;
  const methods = useLoad(
    (signal) =>
      quote
        ? Promise.resolve(known<{ data: Method[] }>({ data: [] }))
        : shop.get("/v1/api/commerce/carts/{id}/shipping-methods", { path: { id: cart.id }, signal }),
    [cart],
  );
  const free = freeFrom(methods.body?.data ?? []);
  const goods = sumsOf(cart, { vat: "inc" }).rows[0]!.amount.amount; // ahead of discounts, as the offer counts them
  const missing = free === null || ex ? 0 : free - goods;
  return <p class="hint free-delivery">{missing > 0 && t.product.freeMore(cents(missing))}</p>;
}
