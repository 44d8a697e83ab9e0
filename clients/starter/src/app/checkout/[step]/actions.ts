"use server";
import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { sameOrderAgain, type Failure, type Shop } from "cartd-client";
import { textIn } from "@/parts/form-text";
import { addressOf } from "@/parts/address-form";
import { startPayment } from "@/payment/payment";
import { movedCart } from "@/server/cart";
import { acting, failed, type Outcome } from "@/server/outcome";
import { read } from "@/server/session";
import type { Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";

const cartPath = async () => ({ id: (await read("cart")) ?? "" });

/** Why a page could not be kept: if the cart is sold already, or is another one now, the page that says so is shown. */
async function refused(shop: Shop, failure: Failure): Promise<Outcome> {
  if (failure.status === 404) {
    await movedCart(shop);
    redirect("/cart");
  }
  return failed(failure);
}

export async function keepAddress(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const text = (name: string) => textIn(form, name).trim() || null;
    const email = text("email");
    const saved = text("shipping_address_id");
    const shipping_address = form.has("shipping_address.name") ? addressOf(form, "shipping_address") : null;
    const result = await shop.patch("/v1/api/commerce/carts/{id}/checkout", {
      path: await cartPath(),
      body: {
        ...(email !== null && { email }),
        ...(saved !== null ? { shipping_address_id: saved } : shipping_address && { shipping_address }),
        billing_address: form.has("other_billing") ? addressOf(form, "billing_address") : null,
        customer_note: text("customer_note"),
        reference: text("reference"),
      },
    });
    if (!result.ok) return refused(shop, result.failure);
    // A book that is full, or a login that has ended, does not stop an order.
    if (saved === null && shipping_address && form.has("save_address"))
      await shop.post("/v1/api/contacts/me/addresses", { body: { type: "shipping", ...shipping_address } });
    const missing = result.body.data.missing.find((name) => name !== "shipping_method_id");
    if (missing === undefined) redirect("/checkout/delivery");
    const { word, message } = await texts();
    return { faults: { [missing]: message({ code: "required" }, word(missing)) }, said: message({ code: "required" }, word(missing)) };
  });
}

export async function keepDelivery(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const shipping_method_id = textIn(form, "shipping_method_id") || null;
    const result = await shop.patch("/v1/api/commerce/carts/{id}/checkout", { path: await cartPath(), body: { shipping_method_id } });
    if (!result.ok) return refused(shop, result.failure);
    if (result.body.data.ready) redirect("/checkout/review");
    return { said: (await texts()).word("no_delivery") };
  });
}

/**
 * Sells the cart exactly as the page has shown it: its version, and its total. The cart stays the visitor's: whoever comes back from the payment, or has had
 * no answer, finds the order by it.
 */
export async function placeOrder(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const path = await cartPath();
    const body = { expected_total_amount: Number(form.get("expected_total_amount")) };
    let result = await shop.post("/v1/api/commerce/carts/{id}/checkout", { path, ifMatch: textIn(form, "etag"), body });
    if (!result.ok && (result.failure.kind === "unknown" || result.failure.kind === "unavailable")) {
      const again = await sameOrderAgain(shop, path.id);
      if (again.ok) result = again;
    }
    if (!result.ok) {
      refresh();
      return refused(shop, result.failure);
    }
    return paying(result.body.data, result.orderToken ?? "");
  });
}

async function paying(order: Schemas["Order"], token: string): Promise<never> {
  const next = await startPayment(order, `/thanks/${token}`);
  refresh(); // the frame has no cart any more
  redirect(next);
}
