import { cookies } from "next/headers";
import { settings } from "./settings";

// The session is a few cookies. Only the server reads them: a script of the page cannot steal the cart or the customer.

/**
 * `cart` and `customer` are the cart's id and the customer's token. `claim` says that the cart is still to be bound to the customer, `ended` that a login
 * has ended and the visitor was not asked yet to log in again.
 */
type Name = "cart" | "customer" | "language" | "claim" | "ended";

const month = 30 * 24 * 60 * 60;

export async function read(name: Name): Promise<string | null> {
  return (await cookies()).get(name)?.value || null; // what this request has removed is empty
}

/** Keeps a value, or removes it if it is null. Only actions and route handlers can do this. */
export async function keep(name: Name, value: string | null): Promise<void> {
  const jar = await cookies();
  if (value === null) jar.delete(name);
  else jar.set(name, value, { httpOnly: true, sameSite: "lax", secure: settings.shop.startsWith("https:"), path: "/", maxAge: month });
}
