"use server";
import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { addressOf } from "@/parts/address-form";
import { startPayment } from "@/payment/payment";
import { acting, failed, type Outcome } from "@/server/outcome";

export async function accept(token: string, _: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const text = (name: string) => String(form.get(name) ?? "") || null;
    const body = {
      signer_name: text("signer_name"),
      signature: text("signature"),
      shipping_method_id: text("shipping_method_id"),
      ...(form.has("shipping_address.name") && { shipping_address: addressOf(form, "shipping_address") }),
    };
    const result = await shop.post("/v1/api/sales/quotes/by-token/{token}/accept", { path: { token }, body });
    refresh();
    if (!result.ok) return failed(result.failure);
    const order = result.orderToken ?? "";
    redirect(result.body.order.payment.status === "due" ? await startPayment(result.body.order.id, order) : `/thanks/${order}`);
  });
}

export async function decline(token: string): Promise<Outcome> {
  return acting(async (shop) => {
    const result = await shop.post("/v1/api/sales/quotes/by-token/{token}/decline", { path: { token } });
    refresh();
    return result.ok ? { done: true } : failed(result.failure);
  });
}
