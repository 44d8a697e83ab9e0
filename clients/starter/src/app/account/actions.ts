"use server";
import { redirect } from "next/navigation";
import type { Shop } from "cartd-client";
import { acting, failed, type Outcome } from "@/server/outcome";
import { keep, read } from "@/server/session";
import { shopper, type Schemas } from "@/server/shop";

const text = (form: FormData, name: string) => String(form.get(name) ?? "");

export async function logIn(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const result = await shop.post("/v1/api/contacts/login", { body: { email: text(form, "email"), password: text(form, "password") } });
    return result.ok ? begin(shop, result.body) : failed(result.failure);
  });
}

export async function register(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const names = { kind: null, first_name: text(form, "first_name") || null, last_name: text(form, "last_name") || null };
    const result = await shop.post("/v1/api/contacts/register", { body: { email: text(form, "email"), password: text(form, "password"), ...names } });
    return result.ok ? begin(shop, result.body) : failed(result.failure);
  });
}

/** Keeps the token, and gives the visitor's cart to the customer. Without a cart the customer's newest one is taken. */
async function begin(shop: Shop, { token }: Schemas["SignedIn"]): Promise<never> {
  shop.customerToken = token;
  await keep("customer", token);
  const id = await read("cart");
  const claimed = id === null ? null : await shop.post("/v1/api/commerce/carts/{id}/claim", { path: { id } });
  if (!claimed?.ok) {
    const carts = await shop.get("/v1/api/commerce/carts");
    if (carts.ok) await keep("cart", carts.body.data[0]?.id ?? null);
  }
  redirect("/account");
}

export async function logOut() {
  await (await shopper()).post("/v1/api/contacts/logout");
  await keep("customer", null);
  await keep("cart", null);
  redirect("/account");
}
