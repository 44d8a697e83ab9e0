"use server";
import { keep } from "@/server/session";

export async function setLanguage(form: FormData) {
  await keep("language", form.get("language") === "nl" ? "nl" : "en");
}
