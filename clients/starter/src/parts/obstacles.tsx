import type { Schemas } from "@/server/shop";
import { prices } from "@/server/catalogue";
import { texts } from "@/texts/texts";

interface Props {
  cart: Schemas["Cart"];
  details: Schemas["CartDetails"];
  customer: boolean;
  checks?: Schemas["CheckoutCheck"][];
}

/**
 * What stands between the cart and an order, in sentences: told in the cart and on each page of the checkout, not at its end. Without `checks`, which cost a
 * call, it is what the cart itself says.
 */
export async function obstaclesOf({ cart, details, customer, checks }: Props): Promise<string[]> {
  const [{ word, reason, refusal }, { money }] = await Promise.all([texts(), prices()]);
  const { policy, totals, lines } = cart;
  const said: string[] = [];
  for (const line of lines) {
    const more = details.lines[line.id];
    if (!more || more.purchasable) continue;
    const short = more.reason === "OUT_OF_STOCK" && more.available != null;
    said.push(
      `${line.name}: ${short ? word(more.available! > 0 ? "only_left" : "all_gone", { available: more.available! }) : reason(more.reason ?? "")}`,
    );
  }
  const least = policy.min_order_value_amount;
  if (least !== null && totals.total.amount < least) {
    const amount = (cents: number) => money({ ...totals.total, amount: cents });
    said.push(word("missing_for_order", { amount: amount(least - totals.total.amount), least: amount(least) }));
  }
  if (policy.identity_mode === "login_required" && !customer) said.push(refusal("login_required")!);
  const told = new Set(["min_order_value", "login_required", "OUT_OF_STOCK", "QUOTE_REQUIRED"]);
  for (const { code, message, line_id } of checks ?? []) {
    if (told.has(code ?? "") || (line_id !== null && details.lines[line_id]?.purchasable === false)) continue;
    if (code !== null || line_id !== null) said.push((code && refusal(code)) ?? message);
  }
  return [...new Set(said)];
}

export async function Obstacles({ said }: { said: string[] }) {
  if (said.length === 0) return null;
  const { word } = await texts();
  return (
    <section className="notice" aria-label={word("cannot_order")}>
      <p>{word("cannot_order")}</p>
      <ul>
        {said.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </section>
  );
}
