import { textIn } from "./form-text";
import type { Schemas } from "@/server/shop";

/** The address that a form has under a name, as cartd takes it. */
export function addressOf(form: FormData, of: string): Schemas["CheckoutAddress"] {
  const text = (name: string) => textIn(form, `${of}.${name}`);
  const address = { name: text("name"), street: text("street"), postal_code: text("postal_code"), city: text("city"), country: text("country") };
  return { ...address, company: text("company") || null, region: text("region") || null, phone: text("phone") || null };
}
