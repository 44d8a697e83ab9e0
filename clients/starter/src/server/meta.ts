import type { Metadata } from "next";
import { headers } from "next/headers";
import { shared } from "./catalogue";
import { settings } from "./settings";
import { languages } from "@/texts/language";
import { texts } from "@/texts/texts";

interface Page {
  title?: string;
  description?: string | null | undefined;
  /** The page's own address. */
  path: string;
  images?: string[];
}

/** What search engines and other sites are told of a page: its one address, and that of each language. */
export async function pageMeta({ title, description, path, images = [] }: Page): Promise<Metadata> {
  const { language } = await texts();
  const { store } = await shared();
  const named = new URL((await headers()).get("x-path") ?? "/", settings.shop).searchParams.has("lang");
  const inLanguage = (one: string) => `${path}${path.includes("?") ? "&" : "?"}lang=${one}`;
  const canonical = named ? inLanguage(language) : path;
  return {
    ...(title && { title }),
    ...(description && { description }),
    alternates: { canonical, languages: { ...Object.fromEntries(languages.map((one) => [one, inLanguage(one)])), "x-default": path } },
    openGraph: {
      title: title ?? store.name,
      siteName: store.name,
      type: "website",
      url: canonical,
      locale: language,
      images,
      ...(description && { description }),
    },
  };
}

/** Of a page that is a visitor's own. */
export function ownPage(title: string): Metadata {
  return { title, robots: { index: false } };
}
