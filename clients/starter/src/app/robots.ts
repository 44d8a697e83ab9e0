import type { MetadataRoute } from "next";
import { settings } from "@/server/settings";

export const dynamic = "force-dynamic";

export default function robots(): MetadataRoute.Robots {
  const disallow = ["/account", "/api/", "/cart", "/checkout/", "/pay/", "/quotes/", "/search", "/thanks/"];
  return { rules: { userAgent: "*", disallow }, sitemap: `${settings.shop}/sitemap.xml` };
}
