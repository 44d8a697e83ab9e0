import type { Provider } from "./provider";
import { standIn } from "./stand-in";
import type { Schemas } from "@/server/shop";

/** The payment provider of this shop. */
export const provider: Provider = standIn;

/**
 * Begins the payment of an order. Returns the address to send the customer to: the provider's, or `back` if there is nothing to pay. The order must be read
 * from cartd with the visitor's own rights, by its token or in the account: never take an id or an amount of the page.
 */
export async function startPayment({ id, number, payment, status, totals }: Schemas["Order"], back: string): Promise<string> {
  if (payment.status !== "due" || status !== "placed") return back;
  return provider.create({ order: id, number, amount: totals.total.amount, currency: totals.total.currency, back });
}
