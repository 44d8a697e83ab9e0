import type { Product, Variant } from "./api.js";
import { t } from "./shared/t.js";

// How the options of a product narrow its variants down. Where a product has no options, the names of its variants are the values of one.

export type Picked = Record<string, string>;

export interface Option {
  name: string;
  values: string[];
}

type Choosable = Pick<Product, "options" | "variants">;

export function optionsOf(of: Choosable): Option[] {
  if (of.options.length > 0 || of.variants.length === 0) return of.options;
  return [{ name: t.product.variant, values: of.variants.map((one) => one.name) }];
}

function has(of: Choosable, variant: Variant, name: string, value: string | undefined): boolean {
  const own = of.options.length === 0 ? variant.name : variant.attributes[name];
  return value !== undefined && (Array.isArray(own) ? own.includes(value) : own === value);
}

/** The variants that have all that is picked. */
export function fitting(of: Choosable, picked: Picked): Variant[] {
  return of.variants.filter((one) => Object.entries(picked).every(([name, value]) => has(of, one, name, value)));
}

/** The variant that is picked, once each option is. */
export function chosenOf(of: Choosable, picked: Picked): Variant | null {
  return optionsOf(of).every(({ name }) => picked[name] !== undefined) ? (fitting(of, picked)[0] ?? null) : null;
}

/** What is picked when a variant is. */
export function picksOf(of: Choosable, variant: Variant): Picked {
  const value = ({ name, values }: Option) => values.find((one) => has(of, variant, name, one));
  return Object.fromEntries(
    optionsOf(of)
      .flatMap((one) => [[one.name, value(one)] as const])
      .filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/** Other variants in the order of what they have in common with one: most values first, then the earlier option, then their own order. */
export function nearest(of: Choosable, variant: Variant, others: Variant[]): Variant[] {
  const own = picksOf(of, variant);
  const names = Object.keys(own);
  const shared = (one: Variant) => names.filter((name) => has(of, one, name, own[name]));
  const first = (one: Variant) => names.indexOf(shared(one)[0] ?? "");
  const rank = (one: Variant) => shared(one).length * (names.length + 1) - first(one);
  return others.filter((one) => one.id !== variant.id).toSorted((a, b) => rank(b) - rank(a));
}

export interface State {
  /** All variants with this value, and with what else is picked, are sold out. */
  gone: boolean;
  /** The picked values that no variant has together with this one. */
  against: string[];
}

/** What choosing a value would mean. */
export function stateOf(of: Choosable, picked: Picked, name: string, value: string): State {
  const others = Object.entries(picked).filter(([other]) => other !== name);
  const fits = fitting(of, { ...Object.fromEntries(others), [name]: value });
  if (fits.length > 0) return { gone: fits.every((one) => one.stock_status === "out_of_stock"), against: [] };
  const single = others.filter(([other, own]) => fitting(of, { [name]: value, [other]: own }).length === 0);
  return { gone: false, against: (single.length > 0 ? single : others).map(([, own]) => own) };
}
