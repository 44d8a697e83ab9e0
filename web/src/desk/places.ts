import { t } from "../shared/t.js";
import { can, type Scope } from "./session.js";

/** A view of the desk, with the scopes of which it needs one. */
export interface Place {
  path: string;
  scopes: Scope[];
  name(): string;
}

export const places: Place[] = [{ path: "orders", scopes: ["orders:read"], name: () => t.places.orders }];

/** The places that the key opens. */
export const open = (): Place[] => places.filter((one) => can(...one.scopes));
