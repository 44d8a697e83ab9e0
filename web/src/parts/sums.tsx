import { sumsOf, type Delivery, type Summed, type SumsRow } from "cartd-client";
import { cents, money } from "../shared/formats.js";
import { t } from "../shared/t.js";
import { useVat } from "../vat.js";

/** The sums of a cart, a checkout, an order or a quote. */
export function Sums({ of, delivery = null }: { of: Summed & { vat_id?: string | null }; delivery?: Delivery | null | undefined }) {
  const { display, ex, exempt, label } = useVat();
  const { rows, total, included } = sumsOf(of, { vat: display, delivery });
  return (
    <dl class="totals">
      {rows.map((one) => {
        const [name, note] = named(one);
        return (
          <div class={`totals-${one.kind}`}>
            <dt>
              {name}
              {label && one.kind === "goods" && `, ${label}`}
              {note && <small> {note}</small>}
            </dt>
            <dd>{amount(one)}</dd>
          </div>
        );
      })}
      <div class="totals-total">
        <dt>{ex && !exempt ? t.cart.totalWithTax : t.cart.total}</dt>
        <dd>{money(total)}</dd>
      </div>
      {of.tax_exemption && (
        <div class="totals-included">
          <dt>{t.cart.exempt(of.tax_exemption)}</dt>
          <dd>{of.vat_id}</dd>
        </div>
      )}
      {included.map((one) => (
        <div class="totals-included">
          <dt>{t.cart.taxWithin(one.rate)}</dt>
          <dd>{money(one.tax)}</dd>
        </div>
      ))}
    </dl>
  );
}

const fullName = ({ name, code }: SumsRow["discounts"][number]): string => [name, code].filter(Boolean).join(" ");

/** The name of a row, and what belongs to it. */
function named({ kind, discounts, rate }: SumsRow): [name: string, note: string | null] {
  const [first] = discounts;
  const all = discounts.map(fullName).join(", ");
  switch (kind) {
    case "goods":
      return [t.cart.goods, null];
    case "discount":
      return first && discounts.length === 1 ? [first.name, first.code] : [t.cart.discounts, all];
    case "rounding":
      return [t.measure.rounding, null];
    case "delivery":
      return [t.cart.delivery, first ? t.cart.after(all) : null];
    case "tax":
      return [rate === null ? t.cart.tax : t.cart.taxAt(rate), null];
  }
}

function amount({ kind, amount: { amount } }: SumsRow): string {
  if (kind === "delivery" && amount === 0) return t.cart.free;
  return amount < 0 ? `−${cents(-amount)}` : cents(amount);
}
