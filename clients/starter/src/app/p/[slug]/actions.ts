"use server";
import { refresh } from "next/cache";
import { textIn } from "@/parts/form-text";
import { propertiesOf, quantityOf } from "@/parts/properties";
import type { Schemas } from "@/server/shop";
import { cartForAdds } from "@/server/cart";
import { acting, failed, keyOf, type Outcome } from "@/server/outcome";
import { texts } from "@/texts/texts";

/** Adds what the form of a product has: a variant, a quantity, the shopper's words, a configuration. */
export async function add(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const text = (name: string) => textIn(form, name);
    const { properties, labels } = propertiesOf(form);
    const configuration = selectionOf(form);
    const body: Schemas["LineAdd"] = {
      product_id: text("product_id"),
      variant_id: text("variant_id") || null,
      quantity: quantityOf(form),
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(configuration && { configuration }),
    };
    const cart = await cartForAdds(shop);
    if ("failure" in cart) return failed(cart.failure);
    const input = { path: { id: cart.id }, query: { include: ["details", "stock"] as const }, body, ...keyOf(form) };
    const result = await shop.post("/v1/api/commerce/carts/{id}/lines", input);
    if (!result.ok) return failed(result.failure, labels);
    refresh();
    // The API adds more than there is, because stock may come: the shopper is told at once, not at the last page.
    const { word } = await texts();
    const same = result.body.data.lines.filter((line) => line.product_id === body.product_id && line.variant_id === body.variant_id);
    const available = same.map(({ id }) => result.body.details.lines[id]?.available).find((one) => one != null);
    const wanted = same.reduce((sum, { quantity }) => sum + quantity, 0);
    const short = available !== undefined && wanted > available;
    return short ? { said: word("added_short", { available }) } : { done: true, said: word("added") };
  });
}

/** The choices and measures of a form: with scripts as one text, without them field by field. */
function selectionOf(form: FormData): Schemas["Selection"] | null {
  const whole = form.get("configuration");
  if (typeof whole === "string" && whole !== "") return JSON.parse(whole) as Schemas["Selection"];
  const fields = [...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []));
  const dimensions = fields
    .filter(([name]) => name.startsWith("dimensions."))
    .map(([name, value]) => [name.slice("dimensions.".length), Number(value)]);
  const choices = fields.filter(([name]) => name.startsWith("choice.")).map(([, value]) => value);
  return dimensions.length > 0 || choices.length > 0 ? { dimensions: Object.fromEntries(dimensions) as Record<string, number>, choices } : null;
}

export type Priced = { price: Schemas["ConfigurationQuote"] } | { said: string; faults: Record<string, string> };

/** The price of a configuration, with the tax of the country that the page shows. */
export async function price(id: string, query: { country?: string }, body: Schemas["Selection"], labels: Record<string, string>): Promise<Priced> {
  let quote: Schemas["ConfigurationQuote"] | null = null;
  const outcome = await acting(async (shop) => {
    const result = await shop.post("/v1/api/configurator/products/{id}/quote", { path: { id }, query, body });
    if (!result.ok) return failed(result.failure, labels);
    quote = result.body;
    return {};
  });
  return quote ? { price: quote } : { said: outcome.said ?? "", faults: outcome.faults ?? {} };
}
