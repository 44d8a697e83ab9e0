"use server";
import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import type { Shop } from "cartd-client";
import { textIn } from "@/parts/form-text";
import { addressOf } from "@/parts/address-form";
import { cartAfterLogin } from "@/server/cart";
import { acting, failed, keyOf, type Outcome } from "@/server/outcome";
import { keep } from "@/server/session";
import { shopper, type Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";

const orNull = (form: FormData, name: string) => textIn(form, name) || null;

export async function logIn(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const result = await shop.post("/v1/api/contacts/login", { body: { email: textIn(form, "email"), password: textIn(form, "password") } });
    return result.ok ? begin(shop, result.body) : failed(result.failure);
  });
}

export async function register(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const company = form.has("company_name");
    const result = await shop.post("/v1/api/contacts/register", {
      body: {
        email: textIn(form, "email"),
        password: textIn(form, "password"),
        kind: company ? "b2b" : "b2c",
        first_name: orNull(form, "first_name"),
        last_name: orNull(form, "last_name"),
        ...(company && {
          company_name: orNull(form, "company_name"),
          registration_number: orNull(form, "registration_number"),
          vat_id: orNull(form, "vat_id"),
        }),
      },
    });
    return result.ok ? begin(shop, result.body) : failed(result.failure);
  });
}

/** Keeps the token, and gives the visitor's cart to the customer. */
async function begin(shop: Shop, { token }: Schemas["SignedIn"]): Promise<never> {
  shop.customerToken = token;
  await keep("customer", token);
  await keep("ended", null);
  await cartAfterLogin(shop);
  redirect("/account");
}

export async function logOut(): Promise<Outcome> {
  await (await shopper()).post("/v1/api/contacts/logout");
  for (const name of ["customer", "cart", "claim"] as const) await keep(name, null);
  redirect("/account");
}

export async function saveProfile(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const body = { first_name: orNull(form, "first_name"), last_name: orNull(form, "last_name"), phone: orNull(form, "phone") };
    const result = await shop.patch("/v1/api/contacts/me", { body });
    if (!result.ok) return failed(result.failure);
    refresh();
    return { done: true, said: (await texts()).word("saved") };
  });
}

export async function changePassword(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const body = {
      current_password: textIn(form, "current_password"),
      password: textIn(form, "password"),
      password_confirmation: textIn(form, "password_confirmation"),
    };
    const result = await shop.put("/v1/api/contacts/me/password", { body });
    return result.ok ? { done: true, said: (await texts()).word("password_changed") } : failed(result.failure);
  });
}

/** Asks for the mail with the link. The answer is the same for addresses without an account. */
export async function forgotPassword(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const result = await shop.post("/v1/api/contacts/forgot-password", { body: { email: textIn(form, "email") } });
    return result.ok ? { done: true, said: (await texts()).word("forgot_sent") } : failed(result.failure);
  });
}

export async function resetPassword(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const body = {
      token: textIn(form, "token"),
      email: textIn(form, "email"),
      password: textIn(form, "password"),
      password_confirmation: textIn(form, "password_confirmation"),
    };
    const result = await shop.post("/v1/api/contacts/reset-password", { body });
    return result.ok ? { done: true, said: (await texts()).word("reset_done") } : failed(result.failure);
  });
}

/** Adds an address, or changes the one with this id. */
export async function saveAddress(id: string | null, _: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const type = (["shipping", "billing", "work"] as const).find((one) => one === textIn(form, "type")) ?? "shipping";
    const body = { ...addressOf(form, "address"), type, label: orNull(form, "label"), is_default: form.has("is_default") };
    const result =
      id === null
        ? await shop.post("/v1/api/contacts/me/addresses", { body, ...keyOf(form) })
        : await shop.patch("/v1/api/contacts/me/addresses/{id}", { path: { id }, body });
    if (result.ok) {
      refresh();
      return { done: true, said: (await texts()).word("saved") };
    }
    const outcome = await failed(result.failure);
    // The fields of the form have the name of the whole ahead of theirs.
    const own = new Set(["type", "label", "is_default", "address"]);
    const faults = Object.fromEntries(Object.entries(outcome.faults ?? {}).map(([name, fault]) => [own.has(name) ? name : `address.${name}`, fault]));
    return { ...outcome, faults };
  });
}

export async function removeAddress(id: string): Promise<Outcome> {
  return acting(async (shop) => {
    const result = await shop.delete("/v1/api/contacts/me/addresses/{id}", { path: { id } });
    refresh();
    return result.ok ? { done: true } : failed(result.failure);
  });
}
