import { cookies } from "next/headers";
import { settings } from "./settings";

// The session is three cookies. Only the server reads them: a script of the page cannot steal the cart or the customer.

type Name = "cart" | "customer" | "language";

const month = 30 * 24 * 60 * 60;

export async function read(name: Name): Promise<string | null> {
  return (await cookies()).get(name)?.value ?? null;
}

/** Keeps a value, or removes it if it is null. Only actions and route handlers can do this. */
export async function keep(name: Name, value: string | null): Promise<void> {
  const jar = await cookies();
  if (value === null) jar.delete(name);
  else jar.set(name, value, { httpOnly: true, sameSite: "lax", secure: settings.shop.startsWith("https:"), path: "/", maxAge: month });
}
