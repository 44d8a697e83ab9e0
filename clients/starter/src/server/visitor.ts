import { settings } from "./settings";

/**
 * The address of the visitor's browser. Each proxy of ours appends the address that it was asked from to X-Forwarded-For;
 * whatever stands ahead of these was sent by the browser and may be invented. Without a proxy Next sets the header itself,
 * unless the browser has sent one: put a proxy in front of a real shop.
 */
export function addressIn(headers: Headers): string {
  const forwarded = (headers.get("x-forwarded-for") ?? "").split(",").map((one) => one.trim());
  return forwarded.at(-Math.max(1, settings.proxies)) || "unknown";
}
