import { fullTotal, type Summed, type SummedLine, type SumsOptions } from "cartd-client";
import { prices, product } from "@/server/catalogue";
import type { Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";
import { Sums } from "./sums";

type Written = Pick<Schemas["OrderLine"], "properties" | "property_labels">;
type Line = SummedLine &
  Written &
  Pick<Schemas["OrderLine"], "id" | "name" | "attributes"> & { variant_name?: string | null; slug?: string | null } & Partial<
    Pick<Schemas["OrderLine"], "backordered" | "available_from">
  >;

interface Props {
  record: Omit<Summed, "lines"> & { lines: Line[] };
  delivery?: SumsOptions["delivery"];
  details?: Schemas["CartDetails"] | undefined;
}

/** The lines and sums of an order, a quote or a cart. The lines are at their prices before discounts: these are rows of the sums. */
export async function Record({ record, delivery, details }: Props) {
  const [{ ships }, { vat, money }] = await Promise.all([texts(), prices(record.tax_exemption ?? details?.tax_exemption ?? null)]);
  return (
    <>
      <ul className="lines">
        {record.lines.map((line) => {
          const more = details?.lines[line.id];
          const amount = fullTotal({ ...line, ...more }, vat);
          return (
            <li key={line.id}>
              <span>
                {line.quantity} × {line.name} {(line.variant_name ?? more?.variant_name) && <small>{line.variant_name ?? more?.variant_name}</small>}
                <Made of={line.attributes} />
                <Words of={line} slug={line.slug ?? more?.slug} />
                {line.backordered && <small className="words">{ships(line.available_from ?? null)}</small>}
              </span>
              <span>{money({ ...line.line_total, amount })}</span>
            </li>
          );
        })}
      </ul>
      <Sums of={record} delivery={delivery} details={details} />
    </>
  );
}

/** What was chosen of a product made to measure. */
export function Made({ of }: { of: Schemas["LineAttributes"] | null }) {
  const { configuration } = of ?? {};
  if (!configuration) return null;
  const size = Object.values(configuration.dimensions).join(" × ");
  return <small className="words">{[size && `${size} mm`, ...configuration.breakdown.map(({ label }) => label)].filter(Boolean).join(", ")}</small>;
}

/** The shopper's own words on a line, but for keys of a front end's own. Orders and quotes have the labels, a cart has them from the product. */
export async function Words({ of, slug }: { of: Written; slug?: string | null | undefined }) {
  const shown = Object.entries(of.properties ?? {}).filter(([key]) => !key.startsWith("_"));
  if (shown.length === 0) return null;
  const fields = !of.property_labels && slug ? ((await product(slug))?.text_fields ?? []) : [];
  return shown.map(([key, text]) => (
    <small key={key} className="words">
      {of.property_labels?.[key] ?? fields.find((field) => field.key === key)?.label ?? key}: {text}
    </small>
  ));
}

export async function Address({ address }: { address: Schemas["OrderAddress"] | Schemas["Address"] }) {
  const { country } = await texts();
  const rows = [address.name, address.company, address.street, `${address.postal_code} ${address.city}`, address.region, country(address.country)];
  return (
    <address>
      {rows.filter(Boolean).map((row, i) => (
        <span key={i}>{row}</span>
      ))}
    </address>
  );
}
