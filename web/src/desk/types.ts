import type { components } from "cartd-client";

type Schemas = components["schemas"];

export type Order = Schemas["StoreOrder"];
export type OrderLine = Schemas["OrderLine"];
export type OrderPart = Schemas["StoreOrderPart"];
export type Address = Schemas["OrderAddress"];
