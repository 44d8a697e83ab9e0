import { Shop, type components } from "cartd-client";
import { config } from "./config.js";
import { recordingFetch } from "./recorder.js";

export const shop = new Shop({ url: config.api || location.origin, key: config.key, retries: 3, fetch: recordingFetch });

type Schemas = components["schemas"];

/** The prices without tax of a line of a cart: the API has them in the details. */
export type Twins = Pick<Schemas["CartLineDetails"], "unit_price_without_tax" | "line_total_without_tax" | "full_total_without_tax">;
export type CartLine = Schemas["CartLine"] & Twins;
/** Why the cart has no tax stands in its details. */
export type Cart = Omit<Schemas["Cart"], "lines"> & { lines: CartLine[] } & Pick<Schemas["CartDetails"], "tax_exemption">;
export type Media = Schemas["Media"];
export type Category = Schemas["Category"];
export type Product = Schemas["Product"];
export type Variant = Schemas["Variant"];
export type Order = Schemas["Order"];
export type Quote = Schemas["Quote"];
export type Profile = Schemas["Profile"];
export type Address = Schemas["Address"];
