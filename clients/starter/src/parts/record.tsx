import { formatMoney } from "cartd-client";
import type { Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";
import { Sums } from "./sums";

type Line = Pick<Schemas["OrderLine"], "id" | "name" | "quantity" | "line_total" | "variant_name" | "properties" | "property_labels">;

interface Recorded {
  lines: Line[];
  discounts: Schemas["AppliedDiscount"][];
  totals: Schemas["CartTotals"] | Schemas["OrderTotals"];
}

/** The lines and sums of an order or a quote. */
export async function Record({ record }: { record: Recorded }) {
  const { language } = await texts();
  return (
    <>
      <ul className="lines">
        {record.lines.map((line) => (
          <li key={line.id}>
            <span>
              {line.quantity} × {line.name} {line.variant_name && <small>{line.variant_name}</small>}
              <Words properties={line.properties} labels={line.property_labels} />
            </span>
            <span>{formatMoney(line.line_total, language)}</span>
          </li>
        ))}
      </ul>
      <Sums totals={record.totals} discounts={record.discounts} />
    </>
  );
}

/** The shopper's own words on a line, but for keys of a front end's own. */
export function Words({ properties = {}, labels = {} }: { properties?: { [key: string]: string } | undefined; labels?: { [key: string]: string } | undefined }) {
  const shown = Object.entries(properties).filter(([key]) => !key.startsWith("_"));
  return shown.map(([key, text]) => (
    <small key={key} className="words">
      {labels[key] ?? key}: {text}
    </small>
  ));
}

export async function Address({ address }: { address: Schemas["OrderAddress"] }) {
  const { country } = await texts();
  const rows = [address.name, address.company, address.street, `${address.postal_code} ${address.city}`, address.region, country(address.country)];
  return (
    <address>
      {rows.filter(Boolean).map((row) => (
        <span key={row}>{row}</span>
      ))}
    </address>
  );
}
