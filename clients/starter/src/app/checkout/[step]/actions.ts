"use server";
import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { addressOf } from "@/parts/address-form";
import { startPayment } from "@/payment/payment";
import { acting, failed, type Outcome } from "@/server/outcome";
import { keep, read } from "@/server/session";
import { texts } from "@/texts/texts";

const cartPath = async () => ({ id: (await read("cart")) ?? "" });

export async function keepAddress(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const text = (name: string) => String(form.get(name) ?? "").trim() || null;
    const email = text("email");
    const result = await shop.patch("/v1/api/commerce/carts/{id}/checkout", {
      path: await cartPath(),
      body: {
        ...(email !== null && { email }),
        ...(form.has("shipping_address.name") && { shipping_address: addressOf(form, "shipping_address") }),
        billing_address: form.has("other_billing") ? addressOf(form, "billing_address") : null,
        customer_note: text("customer_note"),
        reference: text("reference"),
      },
    });
    if (!result.ok) return failed(result.failure);
    const missing = result.body.data.missing.find((name) => name !== "shipping_method_id");
    if (missing === undefined) redirect("/checkout/delivery");
    const { word, message } = await texts();
    return { faults: { [missing]: message({ code: "required" }, word(missing)) }, said: message({ code: "required" }, word(missing)) };
  });
}

export async function keepDelivery(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const shipping_method_id = String(form.get("shipping_method_id") ?? "") || null;
    const result = await shop.patch("/v1/api/commerce/carts/{id}/checkout", { path: await cartPath(), body: { shipping_method_id } });
    if (!result.ok) return failed(result.failure);
    if (result.body.data.ready) redirect("/checkout/review");
    return { said: (await texts()).word("no_delivery") };
  });
}

/** Sells the cart exactly as the page has shown it: its version, and its total. */
export async function placeOrder(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const result = await shop.post("/v1/api/commerce/carts/{id}/checkout", {
      path: await cartPath(),
      ifMatch: String(form.get("etag")),
      body: { expected_total_amount: Number(form.get("expected_total_amount")) },
    });
    if (!result.ok) {
      refresh();
      return failed(result.failure);
    }
    await keep("cart", null);
    const token = result.orderToken ?? "";
    if (result.body.data.payment.status === "due") redirect(await startPayment(result.body.data.id, token));
    redirect(`/thanks/${token}`);
  });
}
