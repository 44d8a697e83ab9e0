import { formatMoney } from "cartd-client";
import { product } from "@/server/catalogue";
import type { Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";
import { Sums } from "./sums";

type Written = Pick<Schemas["OrderLine"], "properties" | "property_labels">;
type Line = Written & Pick<Schemas["OrderLine"], "id" | "name" | "quantity" | "line_total" | "variant_name"> & { slug?: string | null };

interface Recorded {
  lines: Line[];
  discounts: Schemas["AppliedDiscount"][];
  totals: Schemas["CartTotals"] | Schemas["OrderTotals"];
}

/** The lines and sums of an order, a quote or a cart. */
export async function Record({ record }: { record: Recorded }) {
  const { language } = await texts();
  return (
    <>
      <ul className="lines">
        {record.lines.map((line) => (
          <li key={line.id}>
            <span>
              {line.quantity} × {line.name} {line.variant_name && <small>{line.variant_name}</small>}
              <Words of={line} slug={line.slug} />
            </span>
            <span>{formatMoney(line.line_total, language)}</span>
          </li>
        ))}
      </ul>
      <Sums totals={record.totals} discounts={record.discounts} />
    </>
  );
}

/** The shopper's own words on a line, but for keys of a front end's own. Orders and quotes have the labels, a cart has them from the product. */
export async function Words({ of, slug }: { of: Written; slug?: string | null | undefined }) {
  const shown = Object.entries(of.properties ?? {}).filter(([key]) => !key.startsWith("_"));
  if (shown.length === 0) return null;
  const fields = !of.property_labels && slug ? ((await product(slug))?.text_fields ?? []) : [];
  return shown.map(([key, text]) => (
    <small key={key} className="words">
      {of.property_labels?.[key] ?? fields.find((one) => one.key === key)?.label ?? key}: {text}
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
