import { cache } from "react";
import { headers } from "next/headers";
import { read } from "@/server/session";
import { textsIn, type Language } from "./language";

/** The texts in the visitor's language: the chosen one, else the browser's. */
export const texts = cache(async () => textsIn(await language()));

async function language(): Promise<Language> {
  const chosen = (await read("language")) ?? (await headers()).get("accept-language") ?? "";
  return chosen.toLowerCase().startsWith("nl") ? "nl" : "en";
}
