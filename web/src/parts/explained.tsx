import type { components } from "cartd-client";
import { cents, quantity } from "../shared/formats.js";
import type { Explain } from "../explain.js";
import type { Loading } from "../shared/load.js";
import { store } from "../settings.js";
import { useStore } from "../shared/store.js";
import { useVat } from "../vat.js";
import { Loaded } from "../shared/failure.js";
import { t } from "../shared/t.js";

type Steps = Explain["steps"];
type Schemas = components["schemas"];

/** How the totals come about, in the server's own steps. */
export function Explained({ from }: { from: Loading<{ data: Explain }> }) {
  const { ex } = useVat();
  const withTax = useStore(store)?.prices_include_tax;
  return (
    <details class="fold">
      <summary>{t.cart.workedOut}</summary>
      {ex && withTax && <p class="hint">{t.cart.workedOutWithTax}</p>}
      <Loaded from={from} outline={<span class="line" />}>
        {({ data }) => (
          <ol class="steps">
            {data.steps.map((one) => (
              <Step of={one} steps={data.steps} />
            ))}
          </ol>
        )}
      </Loaded>
    </details>
  );
}

function origin(of: Schemas["LineStep"]["price_from"]): string {
  const origins: Record<typeof of, string> = {
    stored: t.cart.fromStored,
    base: t.cart.fromBase,
    group: t.cart.fromGroup,
    tier: t.cart.fromTier,
    period: t.cart.fromPeriod,
    variant: t.cart.fromVariant,
    configuration: t.cart.fromConfiguration,
  };
  return origins[of];
}

function Step({ of, steps }: { of: Steps[number]; steps: Steps }) {
  switch (of.step) {
    case "line":
      return (
        <li>
          <b>{of.name}</b>
          <span>
            {quantity(of.quantity_thousandths / 1000)} × {cents(of.unit_price_amount)} = {cents(of.amount)}
          </span>
          <small>
            {origin(of.price_from)}
            {rounding(of)}
          </small>
        </li>
      );
    case "exclusive":
      return (
        <li>
          <b>{t.cart.notTogether}</b>
          {of.alternatives.map((one) => (
            <span>
              {one.name ?? t.cart.allOthers}: {t.cart.off(cents(one.amount))}
              {one.chosen && t.cart.taken}
            </span>
          ))}
        </li>
      );
    case "discount":
      return (
        <li>
          <b>{of.name}</b>
          <span>
            {cents(of.before)} − {cents(of.amount)}
          </span>
          {of.lines && of.lines.length > 0 && (
            <small>
              {of.lines.map((one) => `${t.cart.ofLine(cents(one.amount), lineName(steps, one.line_id))}${rounding(one)}`).join(", ")}
            </small>
          )}
        </li>
      );
    case "tax":
      return (
        <li>
          <b>{t.cart.taxAt(of.rate)}</b>
          <span>
            {cents(of.base)} + {cents(of.tax)}
          </span>
          <small>
            {t.cart.within(cents(of.sum))}
            {rounding(of)}
          </small>
        </li>
      );
    case "totals":
      return (
        <li>
          <b>{t.cart.total}</b>
          <span>{t.cart.taxSum(cents(of.subtotal), cents(of.tax_total), cents(of.total))}</span>
        </li>
      );
    case "code":
      return null;
  }
}

function lineName(steps: Steps, id: string): string {
  return steps.find((one): one is Schemas["LineStep"] => one.step === "line" && one.line_id === id)?.name ?? t.cart.aLine;
}

/** What rounding did: `, 15.4741 rounded`. */
function rounding({ quotient, remainder, divide }: { quotient?: number; remainder?: number; divide?: number }): string {
  if (!remainder || !divide || quotient === undefined) return "";
  return t.cart.rounded(((quotient + remainder / divide) / 100).toFixed(4));
}
