"use server";
import { refresh } from "next/cache";
import { languages } from "@/texts/language";
import { endLogin, type Outcome } from "@/server/outcome";
import { keep, read } from "@/server/session";

export async function setLanguage(_: Outcome, form: FormData): Promise<Outcome> {
  await keep("language", languages.find((one) => one === form.get("language")) ?? null);
  refresh();
  return { done: true };
}

/** The page has seen that the login has ended: from now on it asks for no more with it, and the visitor is told until the next login. */
export async function endedLogin(): Promise<void> {
  if ((await read("customer")) !== null) await endLogin(); // else the visitor has decided already
}

/** The visitor goes on without the account, and without its cart. */
export async function goOnAsGuest(): Promise<Outcome> {
  for (const name of ["customer", "ended", "claim", "cart"] as const) await keep(name, null);
  refresh();
  return { done: true };
}
