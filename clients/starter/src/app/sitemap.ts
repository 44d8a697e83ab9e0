import type { MetadataRoute } from "next";
import { guests, must } from "@/server/shop";
import { settings } from "@/server/settings";
import { languages } from "@/texts/language";

export const dynamic = "force-dynamic";

/** All products and categories, at the addresses of this shop. Beyond 50,000 write several with generateSitemaps. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const row = (path: string) => {
    const url = settings.shop + path;
    return { url, alternates: { languages: Object.fromEntries(languages.map((one) => [one, `${url}?lang=${one}`])) } };
  };
  const rows = [row("/")];
  for (let page = 1, last = 1; page <= last && page <= 50; page++) {
    const body = must(await guests.get("/v1/api/catalog/sitemap", { query: { page, per_page: 1000 } }));
    last = body.meta.last_page;
    for (const { type, slug } of body.data) rows.push(row(`/${type === "category" ? "c" : "p"}/${encodeURIComponent(slug)}`));
  }
  return rows;
}
