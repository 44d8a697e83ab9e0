import { t } from "./shared/t.js";

// What has changed between two sights of a checkout, in sentences for the visitor.

interface Line {
  id: string;
  name: string;
  quantity: number;
  unit_price_amount: number;
}

interface Address {
  name: string;
  street: string;
  postal_code: string;
  city: string;
}

/** What the visitor sees of an order ahead of placing it. */
export interface Sight {
  lines: Line[];
  total: number;
  /** The name of the delivery, and where it goes. */
  delivery: string | null;
  address: Address | null;
}

/** The changes, those of the lines first; none if the two look the same. `cents` writes an amount. */
export function changes(seen: Sight, now: Sight, cents: (amount: number) => string): string[] {
  const before = new Map(seen.lines.map((one) => [one.id, one]));
  const after = new Set(now.lines.map((one) => one.id));
  const said = seen.lines.filter((one) => !after.has(one.id)).map((one) => t.checkout.noLonger(one.name));
  for (const one of now.lines) {
    const old = before.get(one.id);
    if (!old) said.push(t.checkout.added(one.name));
    else if (old.quantity !== one.quantity) said.push(t.checkout.quantityChanged(one.name, one.quantity, old.quantity));
    if (old && old.unit_price_amount !== one.unit_price_amount)
      said.push(t.checkout.priceChanged(one.name, cents(one.unit_price_amount), cents(old.unit_price_amount)));
  }
  if (seen.delivery !== now.delivery) said.push(now.delivery === null ? t.checkout.deliveryAgain : t.checkout.deliveredBy(now.delivery));
  if (text(seen.address) !== text(now.address)) said.push(t.checkout.otherAddress);
  if (seen.total !== now.total) said.push(t.checkout.allCosts(cents(now.total), cents(seen.total)));
  return said;
}

const text = (of: Address | null): string => (of ? [of.name, of.street, of.postal_code, of.city].join("\n") : "");
