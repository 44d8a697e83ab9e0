import { sumsOf, type Summed, type SumsOptions, type SumsRow } from "cartd-client";
import { prices } from "@/server/catalogue";
import { texts } from "@/texts/texts";

type Props = { of: Summed & { vat_id?: string | null }; delivery?: SumsOptions["delivery"]; details?: SumsOptions["details"] | undefined };

/** The sums of a cart, an order or a quote: rows that add up to the total. */
export async function Sums({ of, delivery, details }: Props) {
  const exemption = of.tax_exemption ?? details?.tax_exemption ?? null;
  const [{ word }, { vat, money }] = await Promise.all([texts(), prices(exemption)]);
  const { rows, total, included } = sumsOf(of, { vat, delivery, ...(details && { details }) });
  const names = (row: SumsRow) => row.discounts.map(({ name, code }) => [name, code].filter(Boolean).join(" ")).join(", ");
  const title: Record<SumsRow["kind"], (row: SumsRow) => string> = {
    goods: () => word(vat === "ex" ? "goods_without_tax" : "goods"),
    discount: (row) => `${word("discount")}: ${names(row)}`,
    rounding: () => word("rounding"),
    delivery: (row) => word("shipping") + (row.discounts.length > 0 ? `, ${word("after", { names: names(row) })}` : ""),
    tax: (row) => (row.rate === null ? word("all_tax") : word("tax", { rate: row.rate })),
  };
  return (
    <table className="sums">
      <tbody>
        {rows.map((row, i) => (
          <tr key={i}>
            <th scope="row">{title[row.kind](row)}</th>
            <td>{row.kind === "delivery" && row.amount.amount === 0 ? word("free") : money(row.amount).replace(/^-/, "−")}</td>
          </tr>
        ))}
        <tr className="total">
          <th scope="row">{word("total")}</th>
          <td>{money(total)}</td>
        </tr>
        {exemption && (
          <tr>
            <th scope="row">
              <small>{word(exemption)}</small>
            </th>
            <td>
              <small>{of.vat_id}</small>
            </td>
          </tr>
        )}
        {included.map(({ rate, tax }) => (
          <tr key={rate}>
            <th scope="row">
              <small>{word("of_which_tax", { rate })}</small>
            </th>
            <td>
              <small>{money(tax)}</small>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
