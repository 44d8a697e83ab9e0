import { leastQuantity, nextQuantity, type Pack } from "cartd-client";
import { t } from "./t.js";

// What a typed quantity becomes: a number that the product can be sold in, and a sentence where it is another one than typed.

/** The most that a visitor can have, and why. */
export interface Cap {
  most: number;
  /** As "Only 3 are left." */
  why: string;
}

export interface Fitted {
  value: number;
  /** Why the value is not the typed one; null if it is. */
  said: string | null;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * The quantity that a text means; null if it is no quantity. Pieces are whole, other units have up to three decimals. What is between two packs becomes the
 * greater one.
 */
export function fit(text: string, unit: string, pack: Pack, cap: Cap | null): Fitted | null {
  const typed = Number(text.trim().replace(",", "."));
  if (!Number.isFinite(typed) || typed <= 0) return null;
  const step = pack.quantity_step;
  const near = step !== null ? round(Math.ceil(round(typed / step)) * step) : unit === "piece" ? Math.round(typed) : round(typed);
  const value = Math.max(leastQuantity(pack, unit), near);
  if (cap && value > cap.most) return { value: cap.most, said: cap.why };
  if (value === typed) return { value, said: null };
  if (pack.min_quantity !== null && near < pack.min_quantity) return { value, said: t.product.least(value) };
  if (step !== null) return { value, said: t.product.byPacks(step, value) };
  return { value, said: unit === "piece" ? t.product.byThePiece(value, text.trim()) : t.product.decimals(value) };
}

/** One pack less or more, within what can be had. */
export function step(value: number, by: 1 | -1, unit: string, pack: Pack, cap: Cap | null): Fitted {
  const next = nextQuantity(pack, unit, value, by);
  return cap && next > cap.most ? { value: Math.max(value, cap.most), said: cap.why } : { value: next, said: null };
}
