import { usualQuantity, type Pack } from "cartd-client";

export type { Pack };

/** A field of a quantity: it begins at the smallest pack and, where the product has packs or limits, steps by them. */
export function quantityField(pack: Pack, value = usualQuantity(pack)) {
  const { min_quantity: min, max_quantity: max, quantity_step: step } = pack;
  if (min === null && max === null && step === null) return { defaultValue: value };
  return { defaultValue: value, type: "number", min: min ?? step ?? 0, max: max ?? undefined, step: step ?? "any" };
}
