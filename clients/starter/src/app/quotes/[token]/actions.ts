"use server";
import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { textIn } from "@/parts/form-text";
import { addressOf } from "@/parts/address-form";
import { startPayment } from "@/payment/payment";
import { acting, failed, type Outcome } from "@/server/outcome";

/** Accepts a quote at the total that the page has shown, with the delivery that it was shown with. */
export async function accept(token: string, _: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const text = (name: string) => textIn(form, name) || null;
    const body = {
      signer_name: text("signer_name"),
      signature: text("signature"),
      shipping_method_id: text("shipping_method_id"),
      ...(form.has("shipping_address.name") && { shipping_address: addressOf(form, "shipping_address") }),
      expected_total_amount: Number(form.get("expected_total_amount")),
      version: Number(form.get("version")),
    };
    const result = await shop.post("/v1/api/sales/quotes/by-token/{token}/accept", { path: { token }, body });
    refresh();
    if (!result.ok) return failed(result.failure);
    redirect(await startPayment(result.body.order, `/thanks/${result.orderToken ?? ""}`));
  });
}

/** Asks for another offer. The one that the page shows stands. */
export async function askForChange(token: string, _: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const body = { message: textIn(form, "message") };
    const result = await shop.post("/v1/api/sales/quotes/by-token/{token}/change-request", { path: { token }, body });
    refresh();
    return result.ok ? { done: true } : failed(result.failure);
  });
}

export async function decline(token: string): Promise<Outcome> {
  return acting(async (shop) => {
    const result = await shop.post("/v1/api/sales/quotes/by-token/{token}/decline", { path: { token } });
    refresh();
    return result.ok ? { done: true } : failed(result.failure);
  });
}
