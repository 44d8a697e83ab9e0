import { provider } from "@/payment/payment";
import { merchant } from "@/server/shop";

/** What cartd says of a payment that it will never take: the customer gets the money back. */
const neverTaken = new Set(["ORDER_CANCELLED", "ALREADY_PAID", "AMOUNT_DIFFERS"]);

/** The answers with which cartd has judged a payment. After any other one it has not: the key may be wrong, the store suspended, the request unread. */
const judged = new Set([404, 409, 422]);

/**
 * The provider's notifications. Each one records the payment: its reference makes it safe to repeat. The provider is answered 2xx only after cartd has
 * judged the payment, and repeats after anything else.
 */
export async function POST(request: Request): Promise<Response> {
  const payment = await provider.paid(request);
  if (payment === null) return new Response(null, { status: 400 });
  const { reference, order, amount } = payment;
  const result = await merchant.post("/v1/api/orders/{id}/payment", { path: { id: order }, body: { reference, amount } });
  if (result.ok) return new Response(null, { status: 204 });
  const { failure } = result;
  console.error(`payment ${reference} of order ${order}: ${failure.status} ${failure.message}`);
  if (failure.kind !== "refused" || !judged.has(failure.status)) return new Response(null, { status: 503 });
  if (neverTaken.has(failure.code ?? "")) await provider.giveBack(payment);
  return new Response(null, { status: 204 });
}
