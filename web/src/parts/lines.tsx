import type { CartLine, Media } from "../api.js";
import { cents, money, quantity, unitSign, type Money, type Unit } from "../shared/formats.js";
import { fullTotal, type SummedLine } from "cartd-client";
import { shipsFrom } from "../stock.js";
import { useVat } from "../vat.js";
import { LineTexts, type Texts } from "./texts.js";
import { t } from "../shared/t.js";

type Configuration = NonNullable<CartLine["attributes"]>["configuration"];

/** What a line made to measure consists of. */
export function ConfigurationText({ of }: { of: Configuration | null | undefined }) {
  if (!of) return null;
  const size = Object.values(of.dimensions).join(" × ");
  const choices = of.breakdown.slice(1).map((one) => one.label);
  return <p class="configuration">{[`${size} mm`, ...choices].join(" · ")}</p>;
}

/** What the lines of carts, orders and quotes have in common. Those of a cart have variant and unit in its details. */
interface Line {
  id: string;
  name: string;
  sku: string | null;
  quantity: number;
  unit_price_amount: number;
  unit_price: Money;
  unit_price_without_tax: Money;
  attributes: CartLine["attributes"] | null;
  variant_name?: string | null;
  unit?: Unit;
  backordered?: boolean;
  available_from?: string | null;
  properties?: Texts;
  property_labels?: Texts;
}

interface Details {
  slug: string | null;
  variant_name: string | null;
  unit: Unit | null;
  media: Media | null;
  original_unit_price: Money | null;
  original_unit_price_without_tax: Money | null;
  stored_unit_price: Money;
  stored_unit_price_without_tax: Money;
  current_unit_price: Money | null;
  current_unit_price_without_tax: Money | null;
  price_changed: boolean;
}

/** The unit of a line. Of a product that is gone only the quantity tells that it was no piece. */
export const unitOf = (line: Line, details?: Details): Unit =>
  line.unit ?? details?.unit ?? (Number.isInteger(line.quantity) ? "piece" : "m");

/** Variant, configuration, article number and price of a line. */
export function LineFacts({ of, details }: { of: Line; details?: Details | undefined }) {
  const sign = unitSign(unitOf(of, details));
  const variant = of.variant_name ?? details?.variant_name;
  const { pick } = useVat();
  const original = details && pick(details, "original_unit_price");
  const current = details && pick(details, "current_unit_price");
  return (
    <>
      {variant && <p class="line-variant">{variant}</p>}
      <ConfigurationText of={of.attributes?.configuration} />
      <LineTexts of={of} slug={details?.slug} />
      <p class="hint">
        {of.sku && <>{t.product.number(of.sku)} · </>}
        {money(pick(of, "unit_price"))} {sign ? t.product.per(sign) : t.product.each}
        {original && (
          <>
            {" "}
            <s>{money(original)}</s>
          </>
        )}
      </p>
      {of.backordered && <p class="hint">{shipsFrom(of.available_from ?? null)}</p>}
      {details?.price_changed && current && (
        <p class="price-moved">{moved(pick(of, "unit_price"), pick(details, "stored_unit_price"), current)}</p>
      )}
    </>
  );
}

/** What became of the price since the line was put in. The store decides which one counts. */
function moved(counts: Money, stored: Money, current: Money): string {
  return counts.amount === current.amount ? t.cart.wasPrice(money(stored)) : t.cart.keepPrice(money(current));
}

/** Lines that cannot be changed: of a checkout, an order or a quote. Each shows its price before discounts, which stand in the sums. */
export function Lines({ of, details }: { of: (Line & Omit<SummedLine, "id">)[]; details?: Record<string, Details> }) {
  const { display } = useVat();
  return (
    <ul class="short-lines">
      {of.map((one) => (
        <li key={one.id}>
          <div>
            <p>
              {quantity(one.quantity, unitOf(one, details?.[one.id]))} × {one.name}
            </p>
            <LineFacts of={one} details={details?.[one.id]} />
          </div>
          <b>{cents(fullTotal(one, display))}</b>
        </li>
      ))}
    </ul>
  );
}

/** Says of prices without tax that they are. Where there is no tax the sums say it. */
export function TaxHint() {
  const { ex, exempt } = useVat();
  return ex && !exempt ? <p class="hint">{t.cart.exTaxHint}</p> : null;
}
