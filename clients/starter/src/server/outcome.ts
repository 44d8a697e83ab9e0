import { headers } from "next/headers";
import type { Failure, Shop } from "cartd-client";
import { texts } from "@/texts/texts";
import { limit } from "./limiter";
import { keep } from "./session";
import { shopper } from "./shop";
import { addressIn } from "./visitor";

/** What a form shows after its action: a sentence, and the faults of its fields by their names. */
export interface Outcome {
  done?: boolean;
  said?: string;
  faults?: Record<string, string>;
}

const allow = limit(60);

/** Runs an action of the visitor, unless the visitor has done too much. */
export async function acting(work: (shop: Shop) => Promise<Outcome>): Promise<Outcome> {
  if (!allow(addressIn(await headers()))) return { said: (await texts()).word("too_many") };
  return work(await shopper());
}

/** The key of a form, under which cartd does a write once: a form that was sent again because its answer was lost has the same one. */
export function keyOf(form: FormData): { idempotencyKey: string } | undefined {
  const key = form.get("idempotency_key");
  return typeof key === "string" && /^[\w-]{16,64}$/.test(key) ? { idempotencyKey: key } : undefined;
}

/** Forgets a login that has ended. The page then asks to log in again; the cart stays, and is the account's again after that. */
export async function endLogin(): Promise<void> {
  await keep("customer", null);
  await keep("ended", "1");
}

/** Whether the token of a customer has ended. A 401 alone may also mean the shop's own key. */
async function loginHasEnded(shop: Shop): Promise<boolean> {
  return shop.customerToken !== null && (await shop.get("/v1/api/me")).customerTokenStatus === "invalid";
}

/** The failure in the shopper's language. Fields are named by `labels`, else by their own label or the table's. */
export async function failed(failure: Failure, labels: Record<string, string> = {}): Promise<Outcome> {
  const { word, message, refusal } = await texts();
  if (failure.kind === "limited") return { said: word("too_many") };
  if (failure.kind === "unknown") return { said: word("unknown_outcome") };
  if (failure.kind !== "refused") return { said: word("unavailable") };
  if (failure.status === 401 && (await loginHasEnded(await shopper()))) {
    await endLogin();
    return { said: word("login_ended") };
  }
  const faults: Record<string, string> = {};
  for (const [field, codes] of Object.entries(failure.errorCodes)) {
    faults[field] = codes.map((code) => message(code, labels[field] ?? field)).join(" ");
  }
  // Codes that cannot be of a field say more than the code of the whole.
  const ofFields = Object.values(faults).join(" ");
  const named = failure.code === undefined || failure.code === "cart_constraint" ? null : refusal(failure.code);
  // The message of a closed store is the operator's own.
  const own = failure.code === "store_closed" && failure.message !== "This store takes no orders at the moment." ? ` ${failure.message}` : "";
  return { faults, said: named === null ? ofFields || failure.message : named + own };
}
