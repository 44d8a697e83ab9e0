import { cents } from "../api.js";
import { sums, sumsWithoutTax, type Delivery, type Row, type Summed } from "../sums.js";
import { useVat } from "../vat.js";

/** The sums of a cart, a checkout, an order or a quote. */
export function Sums({ of, delivery = null }: { of: Summed; delivery?: Delivery | null | undefined }) {
  const { ex, label } = useVat();
  const { rows, total, included } = (ex ? sumsWithoutTax : sums)(of, delivery);
  return (
    <dl class="totals">
      {rows.map((one) => (
        <div class={`totals-${one.kind}`}>
          <dt>
            {one.label}
            {label && one.kind === "goods" && `, ${label}`}
            {one.note && <small> {one.note}</small>}
          </dt>
          <dd>{amount(one)}</dd>
        </div>
      ))}
      <div class="totals-total">
        <dt>Total{ex && ", incl. tax"}</dt>
        <dd>{cents(total)}</dd>
      </div>
      {included.map((one) => (
        <div class="totals-included">
          <dt>of which tax, {one.rate} %</dt>
          <dd>{cents(one.tax)}</dd>
        </div>
      ))}
    </dl>
  );
}

function amount({ kind, amount }: Row): string {
  if (kind === "delivery" && amount === 0) return "free";
  return amount < 0 ? `−${cents(-amount)}` : cents(amount);
}
