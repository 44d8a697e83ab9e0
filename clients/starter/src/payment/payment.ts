import type { Provider } from "./provider";
import { standIn } from "./stand-in";
import { merchant, must } from "@/server/shop";

/** The payment provider of this shop. */
export const provider: Provider = standIn;

/** Begins the payment of an order. The amount is cartd's, never the page's. Returns the address to send the customer to. */
export async function startPayment(order: string, token: string): Promise<string> {
  const { payment, totals, number } = must(await merchant.get("/v1/api/orders/{id}", { path: { id: order } }));
  const back = `/thanks/${token}`;
  if (payment.status !== "due") return back;
  return provider.create({ order, number, amount: totals.total.amount, currency: totals.total.currency, back });
}
