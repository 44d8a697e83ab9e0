"use server";
import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { startPayment } from "@/payment/payment";
import { takeCopy } from "@/server/cart";
import { acting, failed, keyOf, type Outcome } from "@/server/outcome";

const orders = "/v1/api/commerce/orders/{id}";

/** The order is read with the customer's token: cartd shows it to no other customer. */
export async function payOrder(id: string): Promise<Outcome> {
  return acting(async (shop) => {
    const order = await shop.get(orders, { path: { id } });
    return order.ok ? redirect(await startPayment(order.body, `/account/orders/${id}`)) : failed(order.failure);
  });
}

export async function cancelOrder(id: string): Promise<Outcome> {
  return acting(async (shop) => {
    const result = await shop.post(`${orders}/cancel`, { path: { id } });
    refresh();
    return result.ok ? { done: true } : failed(result.failure);
  });
}

export async function orderAgain(id: string, _: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const result = await shop.post(`${orders}/copy`, { path: { id }, ...keyOf(form) });
    if (!result.ok) return failed(result.failure);
    await takeCopy(shop, result.body.data.id);
    redirect(result.body.left_out.length > 0 ? `/cart?left_out=${result.body.left_out.length}` : "/cart");
  });
}
