import { sumsOf, type Summed } from "cartd-client";
import { cents, money } from "../../shared/formats.js";
import { t } from "../../shared/t.js";

/** The sums under lines, with the delivery. They are the client's. */
export function Sums({ of, exempt }: { of: Summed; exempt?: string | null }) {
  const { rows, total, included } = sumsOf(of);
  return (
    <dl class="sums">
      {rows.map(({ kind, amount, discounts, rate }) => (
        <div>
          <dt>
            {kind === "discount" && discounts.length > 0
              ? discounts.map((one) => one.name).join(", ")
              : kind === "tax" && rate !== null
                ? t.sums.taxAt(rate)
                : t.sums[kind]}
          </dt>
          <dd>{money(amount)}</dd>
        </div>
      ))}
      <div class="sums-total">
        <dt>{t.sums.total}</dt>
        <dd>{money(total)}</dd>
      </div>
      {included.map(({ rate, tax }) => (
        <div class="sums-small">
          <dt>{t.sums.includes(rate)}</dt>
          <dd>{cents(tax.amount)}</dd>
        </div>
      ))}
      {exempt && (
        <div class="sums-small">
          <dt>{t.sums.exempt[exempt as keyof typeof t.sums.exempt] ?? exempt}</dt>
          <dd />
        </div>
      )}
    </dl>
  );
}
