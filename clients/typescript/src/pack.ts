// The quantities that a line of a product may have.

/** The members of a product, and of a cart's line in its details, that say so. */
export interface Pack {
  min_quantity: number | null;
  max_quantity: number | null;
  quantity_step: number | null;
}

/** Of a line whose details are not here: any quantity. */
export const anyQuantity: Pack = { min_quantity: null, max_quantity: null, quantity_step: null };

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** The quantity that a page offers first. */
export const usualQuantity = (pack: Pack): number => pack.min_quantity ?? pack.quantity_step ?? 1;

/** The smallest quantity of a line; `unit` is the product's. */
export const leastQuantity = (pack: Pack, unit: string): number =>
  pack.min_quantity ?? pack.quantity_step ?? (unit === "piece" ? 1 : 0.001);

/** The greatest whole packs within a limit, such as what is left; 0 if there are none. */
export function greatestQuantity(pack: Pack, limit: number): number {
  const most = Math.min(limit, pack.max_quantity ?? limit);
  const whole = pack.quantity_step === null ? most : round(Math.floor(round(most / pack.quantity_step)) * pack.quantity_step);
  return whole < (pack.min_quantity ?? 0) ? 0 : Math.max(0, whole);
}

/** A pack more or less. A quantity between two packs goes to the next one. */
export function nextQuantity(pack: Pack, unit: string, quantity: number, by: 1 | -1): number {
  const step = pack.quantity_step ?? 1;
  const packs = pack.quantity_step === null ? quantity : (by > 0 ? Math.floor : Math.ceil)(round(quantity / step)) * step;
  return Math.max(leastQuantity(pack, unit), round(packs + by * step));
}

/** What a line with a quantity may still get. */
export const packBeside = (pack: Pack, quantity: number): Pack => ({
  min_quantity: pack.min_quantity !== null && pack.min_quantity > quantity ? round(pack.min_quantity - quantity) : null,
  max_quantity: pack.max_quantity === null ? null : Math.max(0, round(pack.max_quantity - quantity)),
  quantity_step: pack.quantity_step,
});
