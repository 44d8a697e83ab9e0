"use server";
import { redirect } from "next/navigation";
import { refresh } from "next/cache";
import type { Result, Shop } from "cartd-client";
import { acting, failed, type Outcome } from "@/server/outcome";
import { keep, read } from "@/server/session";

/** Runs a write of the visitor's cart, and shows the page anew. */
async function writing(work: (shop: Shop, path: { id: string }) => Promise<Result<unknown>>): Promise<Outcome> {
  return acting(async (shop) => {
    const id = await read("cart");
    const result = id === null ? null : await work(shop, { id });
    refresh();
    return result && !result.ok ? failed(result.failure) : { done: true };
  });
}

export async function changeLine(lineId: string, _: Outcome, form: FormData) {
  const quantity = Number(String(form.get("quantity")).replace(",", "."));
  return writing((shop, path) => shop.patch("/v1/api/commerce/carts/{id}/lines/{lineId}", { path: { ...path, lineId }, body: { quantity } }));
}

export async function removeLine(lineId: string) {
  return writing((shop, path) => shop.delete("/v1/api/commerce/carts/{id}/lines/{lineId}", { path: { ...path, lineId } }));
}

export async function addCode(_: Outcome, form: FormData) {
  return writing((shop, path) => shop.post("/v1/api/commerce/carts/{id}/discount", { path, body: { code: String(form.get("code")) } }));
}

export async function removeCode(code: string) {
  return writing((shop, path) => shop.delete("/v1/api/commerce/carts/{id}/discount/{code}", { path: { ...path, code } }));
}

export async function askQuote(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const text = (name: string) => String(form.get(name) ?? "") || null;
    const body = { email: text("email"), name: text("name"), company_name: text("company_name"), reference: text("reference") };
    const result = await shop.post("/v1/api/commerce/carts/{id}/quote-request", { path: { id: (await read("cart")) ?? "" }, body });
    if (!result.ok) return failed(result.failure);
    await keep("cart", null);
    redirect(`/quotes/${result.body.data.token}`);
  });
}
