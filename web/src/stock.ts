import { greatestQuantity, type components, type Pack } from "cartd-client";
import { shop } from "./api.js";
import { day, quantity, type Unit } from "./shared/formats.js";
import { cartState } from "./cart.js";
import { known, useLoad } from "./shared/load.js";
import type { Cap } from "./shared/quantities.js";
import { store } from "./settings.js";
import { useStore } from "./shared/store.js";
import { t } from "./shared/t.js";

// How many of an item are left for this visitor. What the visitor's own cart holds counts as left.

type Availability = components["schemas"]["Availability"];

interface Item {
  product_id: string;
  variant_id: string | null;
}

const perRequest = 100;

/** The stock of an item: null if it is not tracked, undefined until it is known. */
export type Stock = Availability | null | undefined;

/** How many of an item can be ordered: null without a limit, undefined until it is known. */
export const leftOf = (stock: Stock): number | null | undefined => stock && stock.available;

/** When goods that are not there yet are sent. */
export const shipsFrom = (from: string | null): string => (from === null ? t.product.shipsLater : t.product.shipsFrom(day(from)));

/** The stock of items. */
export function useStock(items: Item[]): (item: Item) => Stock {
  const cartId = useStore(cartState).cart?.id;
  const ids = {
    product_ids: items.filter((one) => one.variant_id === null).map((one) => one.product_id),
    variant_ids: items.flatMap((one) => one.variant_id ?? []),
  };
  const wanted = ids.product_ids.length + ids.variant_ids.length > 0;
  const read = useLoad(
    (signal) =>
      wanted
        ? shop.get("/v1/api/stock/availability", {
            query: {
              "product_ids[]": ids.product_ids,
              "variant_ids[]": ids.variant_ids,
              per_page: perRequest,
              ...(cartId !== undefined && { cart_id: cartId }),
            },
            signal,
          })
        : Promise.resolve(known<{ data: Availability[] }>({ data: [] })),
    [JSON.stringify(ids), cartId],
  );
  return (item) => {
    if (!read.body) return undefined;
    return read.body.data.find((one) => one.product_id === item.product_id && one.variant_id === item.variant_id) ?? null;
  };
}

/** What the visitor's cart has of an item, in all its lines but one. */
export function useInCart({ product_id, variant_id }: Item, butLine?: string): number {
  const lines = useStore(cartState).cart?.lines ?? [];
  const same = lines.filter((one) => one.product_id === product_id && one.variant_id === variant_id && one.id !== butLine);
  return same.reduce((sum, one) => sum + one.quantity, 0);
}

/**
 * The most that can be put into the cart, beside what is there, in whole packs; null without a limit. `inLine` is what the line has already that takes up an
 * add.
 */
export function useCap(left: number | null | undefined, inCart: number, unit: Unit, pack: Pack, inLine = 0): Cap | null {
  const ofStore = useStore(store)?.policy.max_quantity_per_line;
  const line = ofStore === undefined ? undefined : Math.min(ofStore, pack.max_quantity ?? ofStore);
  const stock = left == null ? null : Math.max(0, left - inCart);
  const room = line === undefined ? null : Math.max(0, line - inLine);
  const whole = (most: number) => Math.max(0, greatestQuantity(pack, inLine + most) - inLine);
  if (stock !== null && (room === null || stock <= room)) return { most: whole(stock), why: onlyLeft(left!, inCart, unit) };
  if (room === null) return null;
  const most = quantity(greatestQuantity(pack, line!), unit);
  return { most: whole(room), why: inLine > 0 ? t.product.lineMostInCart(most, quantity(inLine, unit)) : t.product.lineMost(most) };
}

/** As "Only 48 are left, 40 of them in your cart." */
export function onlyLeft(left: number, inCart: number, unit: Unit): string {
  const mine = inCart > 0 ? quantity(inCart, unit) : null;
  return t.product.onlyLeft(quantity(left, unit), left === 1 && unit === "piece", mine, inCart >= left);
}
