import { cents, money, quantity, unitSign, type CartLine, type Media, type Money, type Unit } from "../api.js";
import { lineTotal } from "../sums.js";
import { useVatDisplay } from "../vat.js";
import { LineTexts, type Texts } from "./texts.js";

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
  attributes: CartLine["attributes"] | null;
  variant_name?: string | null;
  unit?: Unit;
  properties?: Texts;
  property_labels?: Texts;
}

interface Details {
  slug: string | null;
  variant_name: string | null;
  unit: Unit | null;
  media: Media | null;
  original_unit_price: Money | null;
  stored_unit_price: Money;
  current_unit_price: Money | null;
  price_changed: boolean;
}

/** The unit of a line. Of a product that is gone only the quantity tells that it was no piece. */
export const unitOf = (line: Line, details?: Details): Unit =>
  line.unit ?? details?.unit ?? (Number.isInteger(line.quantity) ? "piece" : "m");

/** Variant, configuration, article number and price of a line. */
export function LineFacts({ of, details }: { of: Line; details?: Details | undefined }) {
  const sign = unitSign(unitOf(of, details));
  const variant = of.variant_name ?? details?.variant_name;
  return (
    <>
      {variant && <p class="line-variant">{variant}</p>}
      <ConfigurationText of={of.attributes?.configuration} />
      <LineTexts of={of} slug={details?.slug} />
      <p class="hint">
        {of.sku && <>No. {of.sku} · </>}
        {money(of.unit_price)} {sign ? `per ${sign}` : "each"}
        {details?.original_unit_price && (
          <>
            {" "}
            <s>{money(details.original_unit_price)}</s>
          </>
        )}
      </p>
      {details?.price_changed && details.current_unit_price && (
        <p class="price-moved">{moved(of, details.stored_unit_price, details.current_unit_price)}</p>
      )}
    </>
  );
}

/** What became of the price since the line was put in. The store decides which one counts. */
function moved(of: Line, stored: Money, current: Money): string {
  return of.unit_price_amount === current.amount
    ? `The price has changed: it was ${money(stored)} when you put it in.`
    : `The shop asks ${money(current)} now. You keep the price that you put it in at.`;
}

/** Lines that cannot be changed: of a checkout, an order or a quote. Each shows its price before discounts, which stand in the sums. */
export function Lines({ of, details }: { of: Line[]; details?: Record<string, Details> }) {
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
          <b>{cents(lineTotal(one.unit_price_amount, one.quantity))}</b>
        </li>
      ))}
    </ul>
  );
}

/** Says of prices with tax that they are, to those who expect them without. */
export function TaxHint({ withTax }: { withTax: boolean }) {
  return useVatDisplay() === "ex" && withTax ? <p class="hint">All prices include tax.</p> : null;
}
