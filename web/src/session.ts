import type { Result } from "cartd-client";
import { shop, type Profile } from "./api.js";
import { makeStore } from "./store.js";

// Who is logged in. The token stays in sessionStorage: it ends with the tab.

const tokenItem = "customer-token";

/** The account; null for a guest, undefined until it is known. */
export const account = makeStore<Profile | null | undefined>(undefined);

function setToken(token: string | null) {
  shop.customerToken = token;
  if (token === null) sessionStorage.removeItem(tokenItem);
  else sessionStorage.setItem(tokenItem, token);
}

export function logIn(token: string, profile: Profile) {
  setToken(token);
  account.set(profile);
}

export function forgetAccount() {
  setToken(null);
  account.set(null);
}

/** Takes up the session of this tab. */
export async function resume(): Promise<void> {
  const token = sessionStorage.getItem(tokenItem);
  if (token === null) return account.set(null);
  setToken(token);
  const profile = await shop.get("/v1/api/contacts/me");
  if (profile.ok) account.set(profile.body);
  else if (profile.failure.status === 401) forgetAccount();
  else account.set(null); // the next request with the token tells
}

/** Forgets the account if an answer says that its session has ended. */
export function noticeEnd(result: Result<unknown>) {
  if (!result.ok && result.failure.status === 401) forgetAccount();
}
