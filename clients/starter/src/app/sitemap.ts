import type { MetadataRoute } from "next";
import { must, reader } from "@/server/shop";
import { settings } from "@/server/settings";

export const dynamic = "force-dynamic";

/** All products and categories, at the addresses of this shop. Beyond 50,000 write several with generateSitemaps. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const shop = await reader();
  const rows: MetadataRoute.Sitemap = [{ url: settings.shop }];
  for (let page = 1, last = 1; page <= last && page <= 50; page++) {
    const body = must(await shop.get("/v1/api/catalog/sitemap", { query: { page, per_page: 1000 } }));
    last = body.meta.last_page;
    for (const { type, slug } of body.data) rows.push({ url: `${settings.shop}/${type === "category" ? "c" : "p"}/${encodeURIComponent(slug)}` });
  }
  return rows;
}
