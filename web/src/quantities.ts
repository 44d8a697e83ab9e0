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

/** The smallest quantity of a unit. */
export const leastOf = (unit: string): number => (unit === "piece" ? 1 : 0.001);

/** The quantity that a text means; null if it is no quantity. Pieces are whole; other units have up to three decimals. */
export function fit(text: string, unit: string, cap: Cap | null): Fitted | null {
  const typed = Number(text.trim().replace(",", "."));
  if (!Number.isFinite(typed) || typed <= 0) return null;
  const value = Math.max(leastOf(unit), unit === "piece" ? Math.round(typed) : round(typed));
  if (cap && value > cap.most) return { value: cap.most, said: cap.why };
  if (value === typed) return { value, said: null };
  return { value, said: unit === "piece" ? t.product.byThePiece(value, text.trim()) : t.product.decimals(value) };
}

/** One less or one more, within what can be had. */
export function step(value: number, by: number, unit: string, cap: Cap | null): Fitted {
  const next = Math.max(leastOf(unit), round(value + by));
  return cap && next > cap.most ? { value: Math.max(value, cap.most), said: cap.why } : { value: next, said: null };
}
