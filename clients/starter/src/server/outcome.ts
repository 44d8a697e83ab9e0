import type { Failure, Shop } from "cartd-client";
import { texts } from "@/texts/texts";
import { allow } from "./limiter";
import { shopper } from "./shop";
import { visitorAddress } from "./visitor";

/** What a form shows after its action: a sentence, and the faults of its fields by their names. */
export interface Outcome {
  done?: boolean;
  said?: string;
  faults?: Record<string, string>;
}

/** Runs an action of the visitor, unless the visitor has done too much. */
export async function acting(work: (shop: Shop) => Promise<Outcome>): Promise<Outcome> {
  if (!allow(await visitorAddress())) return { said: (await texts()).word("too_many") };
  return work(await shopper());
}

/** The failure in the shopper's language. Fields are named by `labels`, else by their own label or the table's. */
export async function failed(failure: Failure, labels: Record<string, string> = {}): Promise<Outcome> {
  const { word, message, refusal } = await texts();
  if (failure.kind === "limited") return { said: word("too_many") };
  if (failure.kind === "unknown") return { said: word("unknown_outcome") };
  if (failure.kind !== "refused") return { said: word("unavailable") };
  const faults: Record<string, string> = {};
  for (const [field, codes] of Object.entries(failure.errorCodes)) {
    faults[field] = codes.map((code) => message(code, labels[field] ?? field)).join(" ");
  }
  const named = failure.code !== undefined ? refusal(failure.code) : null;
  return { faults, said: named ?? (Object.values(faults).join(" ") || failure.message) };
}
