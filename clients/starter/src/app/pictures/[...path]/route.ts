import { decoded } from "@/server/catalogue";
import { settings } from "@/server/settings";

/** The pictures of the demo store, from the cartd of this server's environment. Remove this when your products name pictures of your own. */
export async function GET(_: Request, { params }: { params: Promise<{ path: string[] }> }): Promise<Response> {
  const path = (await params).path.map((part) => encodeURIComponent(decoded(part))).join("/");
  if (/(^|\/)\.\.?(\/|$)/.test(path)) return new Response(null, { status: 404 });
  const picture = await fetch(`${settings.cartd}/pictures/${path}`, { cache: "no-store" }).catch(() => null);
  const type = picture?.headers.get("Content-Type") ?? "";
  if (!picture?.ok || !type.startsWith("image/")) return new Response(null, { status: picture === null || picture.status >= 500 ? 503 : 404 });
  const headers = {
    "Content-Type": type,
    "Cache-Control": "public, max-age=86400",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
  };
  return new Response(picture.body, { headers });
}
