"use server";
import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { startPayment } from "@/payment/payment";
import { acting, failed } from "@/server/outcome";

export async function payOrder(order: string, token: string) {
  return acting(async () => redirect(await startPayment(order, token)));
}

export async function cancelOrder(token: string) {
  return acting(async (shop) => {
    const result = await shop.post("/v1/api/commerce/orders/by-token/{token}/cancel", { path: { token } });
    refresh();
    return result.ok ? { done: true } : failed(result.failure);
  });
}
