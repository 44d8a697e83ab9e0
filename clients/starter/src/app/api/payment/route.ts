import { provider } from "@/payment/payment";
import { merchant } from "@/server/shop";

/**
 * The provider's notifications. Each one records the payment: its reference makes it safe to repeat. The provider is
 * answered 2xx only after cartd has answered, and repeats after anything else.
 */
export async function POST(request: Request): Promise<Response> {
  const payment = await provider.paid(request);
  if (payment === null) return new Response(null, { status: 400 });
  const { reference, order, amount } = payment;
  const result = await merchant.post("/v1/api/orders/{id}/payment", { path: { id: order }, body: { reference, amount } });
  if (result.ok) return new Response(null, { status: 204 });
  const { failure } = result;
  if (failure.kind !== "refused") return new Response(null, { status: 503 });
  if (failure.code === "ORDER_CANCELLED" || failure.code === "ALREADY_PAID") await provider.giveBack(payment);
  else console.error(`payment ${reference} of order ${order}: ${failure.status} ${failure.message}`);
  return new Response(null, { status: 204 });
}
