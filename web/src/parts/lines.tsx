import { cents, money, type Order, type CartLine } from "../api.js";

type Configuration = NonNullable<CartLine["attributes"]>["configuration"];

/** What a line made to measure consists of. */
export function ConfigurationText({ of }: { of: Configuration | null | undefined }) {
  if (!of) return null;
  const size = Object.values(of.dimensions).join(" × ");
  return (
    <p class="configuration">
      {size} mm ·{" "}
      {of.breakdown
        .slice(1)
        .map((one) => one.label)
        .join(" · ")}
    </p>
  );
}

interface Sums {
  totals: { subtotal: Money; tax_total: Money; total: Money; discount_total: Money; tax_breakdown: { rate: number; tax: number }[] };
  discounts: Order["discounts"];
}
type Money = Order["discount_total"];

/** The sums of a cart, an order or a quote. */
export function Totals({ of, shipping, total }: { of: Sums; shipping?: Money | null | undefined; total?: Money | undefined }) {
  return (
    <dl class="totals">
      {of.discounts
        .filter((one) => one.amount > 0)
        .map((one) => (
          <div class="totals-discount">
            <dt>
              {one.name}
              {one.code && <small> {one.code}</small>}
            </dt>
            <dd>−{cents(one.amount)}</dd>
          </div>
        ))}
      {shipping && (
        <div>
          <dt>Delivery</dt>
          <dd>{shipping.amount === 0 ? "free" : money(shipping)}</dd>
        </div>
      )}
      <div class="totals-total">
        <dt>Total</dt>
        <dd>{money(total ?? of.totals.total)}</dd>
      </div>
      {!total &&
        of.totals.tax_breakdown.map((one) => (
          <div class="totals-tax">
            <dt>of which tax, {one.rate} %</dt>
            <dd>{cents(one.tax)}</dd>
          </div>
        ))}
    </dl>
  );
}
