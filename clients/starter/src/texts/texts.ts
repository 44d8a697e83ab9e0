import { cache } from "react";
import { headers } from "next/headers";
import { read } from "@/server/session";
import { languageOf, textsIn } from "./language";

/** The texts in the visitor's language: that of the address, which the proxy has found, else the chosen one, else the browser's. */
export const texts = cache(async () => {
  const sent = await headers();
  return textsIn(languageOf(sent.get("x-language") ?? (await read("language")) ?? sent.get("accept-language")));
});
