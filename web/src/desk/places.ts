import { t } from "../shared/t.js";
import { can, type Scope } from "./session.js";

export type PlaceName = "start" | "orders" | "quotes" | "customers" | "products" | "discounts" | "store";

/** A view of the desk, with the scopes of which it needs one. */
export interface Place {
  path: PlaceName;
  scopes: Scope[];
  name(): string;
}

export const places: Place[] = [
  { path: "start", scopes: ["store:read"], name: () => t.places.start },
  { path: "orders", scopes: ["orders:read"], name: () => t.places.orders },
  { path: "quotes", scopes: ["sales:manage", "store:read"], name: () => t.places.quotes },
  { path: "customers", scopes: ["store:read", "sales:manage"], name: () => t.places.customers },
  { path: "products", scopes: ["catalog:manage", "store:read"], name: () => t.places.products },
  { path: "discounts", scopes: ["catalog:manage", "store:read"], name: () => t.places.discounts },
  { path: "store", scopes: ["store:read"], name: () => t.places.store },
];

/** The places that the key opens. */
export const open = (): Place[] => places.filter((one) => can(...one.scopes));
