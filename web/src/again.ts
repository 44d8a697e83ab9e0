import type { Failure } from "cartd-client";
import type { CartLine, Order } from "./api.js";
import { addLine, type NewLine } from "./cart.js";

/** The line of a cart or an order as it is put into a cart again, at today's price. */
export function lineAgain(of: CartLine | Order["lines"][number]): NewLine {
  const made = of.attributes?.configuration;
  const { product_id, variant_id, quantity, properties } = of;
  return {
    product_id,
    variant_id,
    quantity,
    ...(properties && { properties }),
    ...(made && { configuration: { dimensions: made.dimensions, choices: made.choices } }),
  };
}

/** Puts the lines of an order or a quote into the cart. Returns those that could not be, with the reason. */
export async function orderAgain(lines: Order["lines"]): Promise<{ name: string; failure: Failure }[]> {
  const left = [];
  for (const one of lines) {
    const added = await addLine(lineAgain(one));
    if (!added.ok) left.push({ name: one.name, failure: added.failure });
  }
  return left;
}
