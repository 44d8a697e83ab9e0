import { useState } from "preact/hooks";
import { cents } from "../../shared/formats.js";
import { t } from "../../shared/t.js";
import { parseAmount } from "../amounts.js";
import type { Period, VariantEntry } from "../entries.js";
import { timeOf, when } from "../times.js";

/** Dated prices: a price from one moment to another. */
export function Periods({ of, busy, onChange }: { of: VariantEntry; busy: boolean; onChange: (periods: Period[]) => Promise<boolean> }) {
  const [open, setOpen] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const periods = of.price_periods ?? [];
  return (
    <div class="periods">
      {periods.map((one) => (
        <p>
          <span>
            <b>{cents(one.price_amount)}</b> {when(one.from)} – {when(one.until)}
          </span>{" "}
          <button
            type="button"
            class="link"
            aria-label={t.product.dropDated(cents(one.price_amount))}
            onClick={() => void onChange(periods.filter((other) => other !== one))}
          >
            {t.product.drop}
          </button>
        </p>
      ))}
      {open ? (
        <form
          class="period"
          noValidate
          aria-label={t.product.dated}
          onSubmit={(event) => {
            event.preventDefault();
            const data = new FormData(event.currentTarget);
            const price_amount = parseAmount(String(data.get("amount") ?? ""));
            const [from, until] = [timeOf(String(data.get("from") ?? "")), timeOf(String(data.get("until") ?? ""))];
            if (price_amount === null) return setWrong(t.amount.wrong);
            if (from === null || until === null || from >= until) return setWrong(t.product.wrongTimes);
            setWrong(null);
            const all = [...periods, { from, until, price_amount }].toSorted((a, b) => a.from.localeCompare(b.from));
            void onChange(all).then((done) => done && setOpen(false));
          }}
        >
          <label>
            <span>{t.product.price}</span>
            <input name="amount" inputMode="decimal" autocomplete="off" />
          </label>
          <label>
            <span>{t.product.from}</span>
            <input name="from" type="datetime-local" />
          </label>
          <label>
            <span>{t.product.until}</span>
            <input name="until" type="datetime-local" />
          </label>
          {wrong && (
            <p class="errors" role="alert">
              {wrong}
            </p>
          )}
          <span class="acts">
            <button class="button" aria-disabled={busy} data-busy={busy}>
              {t.product.addDated}
            </button>
            <button type="button" class="button button-quiet" onClick={() => setOpen(false)}>
              {t.product.not}
            </button>
          </span>
        </form>
      ) : (
        <button type="button" class="link" aria-label={t.product.newDatedOf(of.name)} onClick={() => setOpen(true)}>
          {t.product.newDated}
        </button>
      )}
    </div>
  );
}
