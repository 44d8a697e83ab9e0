import { formatMoney } from "cartd-client";
import type { Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";

/** The totals of a cart, an order or a quote. */
export async function Sums({ totals, discounts }: { totals: Schemas["CartTotals"] | Schemas["OrderTotals"]; discounts: Schemas["AppliedDiscount"][] }) {
  const { word, language } = await texts();
  const euro = (amount: number) => formatMoney({ amount, currency: totals.total.currency }, language);
  return (
    <table className="sums">
      <tbody>
        {discounts.map(({ id, name, code, amount }) => (
          <tr key={id}>
            <th scope="row">
              {word("discount")}: {name} {code && <small>{code}</small>}
            </th>
            <td>{amount > 0 && `−${euro(amount)}`}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">{word("subtotal")}</th>
          <td>{formatMoney(totals.subtotal, language)}</td>
        </tr>
        {"shipping_total" in totals && (
          <tr>
            <th scope="row">{word("shipping")}</th>
            <td>{formatMoney(totals.shipping_total, language)}</td>
          </tr>
        )}
        {totals.tax_breakdown.map(({ rate, tax }) => (
          <tr key={rate}>
            <th scope="row">{word("tax", { rate })}</th>
            <td>{euro(tax)}</td>
          </tr>
        ))}
        <tr className="total">
          <th scope="row">{word("total")}</th>
          <td>{formatMoney(totals.total, language)}</td>
        </tr>
      </tbody>
    </table>
  );
}
