"use server";
import { refresh } from "next/cache";
import type { Schemas } from "@/server/shop";
import { cartForAdds } from "@/server/cart";
import { acting, failed, type Outcome } from "@/server/outcome";
import { texts } from "@/texts/texts";

/** Adds what the form of a product has: a variant, a quantity, the shopper's words, a configuration. */
export async function add(_: Outcome, form: FormData): Promise<Outcome> {
  return acting(async (shop) => {
    const text = (name: string) => String(form.get(name) ?? "");
    const properties: Record<string, string> = {};
    const labels: Record<string, string> = {};
    for (const [name, value] of form) {
      if (!name.startsWith("properties.")) continue;
      if (value !== "") properties[name.slice("properties.".length)] = String(value);
      labels[name] = text(`label.${name}`);
    }
    const configuration = text("configuration");
    const body: Schemas["LineAdd"] = {
      product_id: text("product_id"),
      variant_id: text("variant_id") || null,
      quantity: Number(text("quantity").replace(",", ".")),
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(configuration && { configuration: JSON.parse(configuration) as Schemas["Selection"] }),
    };
    const result = await shop.post("/v1/api/commerce/carts/{id}/lines", { path: { id: await cartForAdds() }, body });
    if (!result.ok) return failed(result.failure, labels);
    refresh();
    return { done: true, said: (await texts()).word("added") };
  });
}

export type Priced = { price: Schemas["ConfigurationQuote"] } | { said: string };

/** The price of a configuration. */
export async function price(id: string, body: Schemas["Selection"]): Promise<Priced> {
  let quote: Schemas["ConfigurationQuote"] | null = null;
  const outcome = await acting(async (shop) => {
    const result = await shop.post("/v1/api/configurator/products/{id}/quote", { path: { id }, body });
    if (!result.ok) return failed(result.failure);
    quote = result.body;
    return {};
  });
  return quote ? { price: quote } : { said: outcome.said ?? "" };
}
