import type { components } from "cartd-client";
import { cents, quantity } from "../api.js";
import type { Explain } from "../explain.js";
import type { Loading } from "../load.js";
import { store } from "../settings.js";
import { useStore } from "../store.js";
import { useVat } from "../vat.js";
import { Loaded } from "./failure.js";

type Steps = Explain["steps"];
type Schemas = components["schemas"];

/** How the totals come about, in the server's own steps. */
export function Explained({ from }: { from: Loading<{ data: Explain }> }) {
  const { ex } = useVat();
  const withTax = useStore(store)?.prices_include_tax;
  return (
    <details class="fold">
      <summary>How is this worked out?</summary>
      {ex && withTax && <p class="hint">The shop works it out in prices that include tax.</p>}
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

const origins: Record<Schemas["LineStep"]["price_from"], string> = {
  stored: "the price it was put in at",
  base: "the price of the product",
  group: "the price of your group",
  tier: "the price for this quantity",
  period: "the price of these days",
  variant: "the price of the variant",
  configuration: "the price of your measures",
};

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
            {origins[of.price_from]}
            {rounding(of)}
          </small>
        </li>
      );
    case "exclusive":
      return (
        <li>
          <b>Offers that do not go together</b>
          {of.alternatives.map((one) => (
            <span>
              {one.name ?? "All others"}: {cents(one.amount)} off{one.chosen && ", taken"}
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
            <small>{of.lines.map((one) => `${cents(one.amount)} of ${lineName(steps, one.line_id)}${rounding(one)}`).join(", ")}</small>
          )}
        </li>
      );
    case "tax":
      return (
        <li>
          <b>Tax, {of.rate} %</b>
          <span>
            {cents(of.base)} + {cents(of.tax)}
          </span>
          <small>
            in {cents(of.sum)}
            {rounding(of)}
          </small>
        </li>
      );
    case "totals":
      return (
        <li>
          <b>Total</b>
          <span>
            {cents(of.subtotal)} + {cents(of.tax_total)} tax = {cents(of.total)}
          </span>
        </li>
      );
    case "code":
      return null;
  }
}

function lineName(steps: Steps, id: string): string {
  return steps.find((one): one is Schemas["LineStep"] => one.step === "line" && one.line_id === id)?.name ?? "a line";
}

/** What rounding did: `, 15.4741 rounded`. */
function rounding({ quotient, remainder, divide }: { quotient?: number; remainder?: number; divide?: number }): string {
  if (!remainder || !divide || quotient === undefined) return "";
  return `, ${((quotient + remainder / divide) / 100).toFixed(4)} rounded`;
}
