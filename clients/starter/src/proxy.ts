import { NextResponse, type NextRequest } from "next/server";
import { waitingPage } from "@/parts/waiting";
import { limit } from "@/server/limiter";
import { addressIn } from "@/server/visitor";
import { languageOf, languages } from "@/texts/language";

// What happens to every request of a page ahead of it: a bound for each visitor, the language of the address, and the policy of the page.

const allow = limit(120);

export function proxy(request: NextRequest): Response {
  const { pathname, search, searchParams } = request.nextUrl;
  try {
    decodeURIComponent(pathname);
  } catch {
    return new Response("Bad Request", { status: 400 });
  }
  const chosen = languages.find((one) => one === searchParams.get("lang"));
  const language = chosen ?? languageOf(request.cookies.get("language")?.value ?? request.headers.get("accept-language"));
  if (request.method === "GET" && !allow(addressIn(request.headers))) return waitingPage(language, pathname + search);

  const headers = new Headers(request.headers);
  const policy = policyWith(crypto.randomUUID());
  headers.set("x-path", pathname + search);
  if (chosen && request.method === "GET") headers.set("x-language", chosen); // an action may be the choice of another one
  headers.set("Content-Security-Policy", policy); // Next gives its scripts the nonce that stands here
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  if (chosen) response.cookies.set("language", chosen, { path: "/", sameSite: "lax", httpOnly: true, maxAge: 365 * 24 * 60 * 60 });
  return response;
}

/** Scripts run only if the page has named them; pictures may come from anywhere. */
function policyWith(nonce: string): string {
  const development = process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export const config = { matcher: "/((?!_next/|pictures/|busy|icon.svg|robots.txt|sitemap.xml).*)" };
