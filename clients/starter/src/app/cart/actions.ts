"use server";
import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import type { Result, Shop } from "cartd-client";
import { textIn } from "@/parts/form-text";
import { propertiesOf, quantityOf } from "@/parts/properties";
import { movedCart } from "@/server/cart";
import { acting, failed, keyOf, type Outcome } from "@/server/outcome";
import { keep, read } from "@/server/session";

/** Runs a write of the visitor's cart, and shows the page anew. A cart that was folded into another one leads to that one. */
async function writing(work: (shop: Shop, path: { id: string }) => Promise<Result<unknown>>, labels?: Record<string, string>): Promise<Outcome> {
  return acting(async (shop) => {
    const id = await read("cart");
    let result = id === null ? null : await work(shop, { id });
    if (result?.ok === false && result.failure.status === 404) {
      const other = await movedCart(shop);
      if (other !== null) result = await work(shop, { id: other });
    }
    refresh();
    return result && !result.ok ? failed(result.failure, labels) : { done: true };
  });
}

export async function changeLine(lineId: string, _: Outcome, form: FormData) {
  const { properties, labels } = propertiesOf(form);
  const body = { quantity: quantityOf(form), ...(Object.keys(labels).length > 0 && { properties }) };
  return writing((shop, path) => shop.patch("/v1/api/commerce/carts/{id}/lines/{lineId}", { path: { ...path, lineId }, body }), labels);
}

export async function removeLine(lineId: string) {
  return writing((shop, path) => shop.delete("/v1/api/commerce/carts/{id}/lines/{lineId}", { path: { ...path, lineId } }));
}

export async function addCode(_: Outcome, form: FormData) {
  return writing((shop, path) => shop.post("/v1/api/commerce/carts/{id}/discount", { path, body: { code: textIn(form, "code") } }));
}

export async function removeCode(code: string) {
  return writing((shop, path) => shop.delete("/v1/api/commerce/carts/{id}/discount/{code}", { path: { ...path, code } }));
}

/** Keeps the country of the cart's tax. A kept address, whose country would count in its place, is given up. */
export async function chooseCountry(ships: boolean, _: Outcome, form: FormData) {
  const body = { country: textIn(form, "country"), ...(ships ? { shipping_address: null } : { billing_address: null }) };
  return writing((shop, path) => shop.patch("/v1/api/commerce/carts/{id}/checkout", { path, body }));
}

export async function askQuote(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const text = (name: string) => textIn(form, name) || null;
    const body = { email: text("email"), name: text("name"), company_name: text("company_name"), reference: text("reference") };
    const result = await shop.post("/v1/api/commerce/carts/{id}/quote-request", { path: { id: (await read("cart")) ?? "" }, body, ...keyOf(form) });
    if (!result.ok) return failed(result.failure);
    await keep("cart", null);
    const { id, token } = result.body.data;
    redirect(token ? `/quotes/${token}` : `/quotes/asked?id=${id}`);
  });
}
