"use server";
import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { startPayment } from "@/payment/payment";
import { takeCopy } from "@/server/cart";
import { acting, failed, keyOf, type Outcome } from "@/server/outcome";

const orders = "/v1/api/commerce/orders/by-token/{token}";

/** The order is read by its token: whoever has that may pay it, and no other. */
export async function payOrder(token: string): Promise<Outcome> {
  return acting(async (shop) => {
    const order = await shop.get(orders, { path: { token } });
    return order.ok ? redirect(await startPayment(order.body, `/thanks/${token}`)) : failed(order.failure);
  });
}

export async function cancelOrder(token: string): Promise<Outcome> {
  return acting(async (shop) => {
    const result = await shop.post(`${orders}/cancel`, { path: { token } });
    refresh();
    return result.ok ? { done: true } : failed(result.failure);
  });
}

export async function orderAgain(token: string, _: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const result = await shop.post(`${orders}/copy`, { path: { token }, ...keyOf(form) });
    if (!result.ok) return failed(result.failure);
    await takeCopy(shop, result.body.data.id);
    redirect(result.body.left_out.length > 0 ? `/cart?left_out=${result.body.left_out.length}` : "/cart");
  });
}
