import type { Failure, Result } from "cartd-client";
import type { Profile } from "./api.js";
import { makeStore } from "./shared/store.js";

export const tokenItem = "customer-token";

export interface SessionParts {
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  /** Sends the token with every request from now on. */
  carry(token: string | null): void;
  /** Reads the account of the token. */
  read(): Promise<Result<Profile>>;
  /** Tells the visitor what has ended or begun elsewhere. */
  tell(what: "ended" | "loggedOut" | "loggedIn", name?: string): void;
}

/** Who is logged in: one session for all tabs. The token is in the storage that they share. */
export function makeSession({ storage, carry, read, tell }: SessionParts) {
  /** The account; null for a guest, undefined until it is known. */
  const account = makeStore<Profile | null | undefined>(undefined);
  /** Why the account is not known yet, though there is a session. */
  const trouble = makeStore<Failure | null>(null);
  /** Changes with every session. An answer to a request of another number is ignored. */
  const number = makeStore(0);
  let token: string | null = null;

  function change(next: string | null, profile: Profile | null | undefined) {
    token = next;
    carry(next);
    trouble.set(null);
    account.set(profile);
    number.set(number.get() + 1);
  }

  function end() {
    storage.removeItem(tokenItem);
    change(null, null);
  }

  /** Reads who the token's account is. */
  async function identify(): Promise<void> {
    const asked = number.get();
    const result = await read();
    if (asked !== number.get()) return;
    if (result.ok) {
      trouble.set(null);
      account.set(result.body);
    } else if (result.failure.status === 401) expire();
    else trouble.set(result.failure); // 503 and a lost network end no session
  }

  let asking = false;

  /** Asks whether the token has ended, as an answer says that may be an older one: a browser keeps answers, and writes newer headers over them. */
  async function doubt(): Promise<void> {
    if (asking) return;
    asking = true;
    const asked = number.get();
    const result = await read();
    asking = false;
    if (asked === number.get() && !result.ok && result.failure.status === 401) expire();
  }

  function expire() {
    end();
    tell("ended");
  }

  return {
    account,
    trouble,
    number,

    logIn(next: string, profile: Profile) {
      storage.setItem(tokenItem, next);
      change(next, profile);
    },

    /** Ends the session in all tabs. */
    logOut: end,

    /** Takes up the session that another page has begun. */
    resume(): Promise<void> {
      const kept = storage.getItem(tokenItem);
      change(kept, kept === null ? null : undefined);
      return kept === null ? Promise.resolve() : identify();
    },

    identify,

    /** Another tab has logged in or out. */
    async follow(): Promise<void> {
      const kept = storage.getItem(tokenItem);
      if (kept === token) return;
      const before = account.get();
      change(kept, kept === null ? null : undefined);
      if (kept === null) return tell("loggedOut");
      await identify();
      const now = account.get();
      if (now && now.id !== before?.id) tell("loggedIn", now.first_name ?? now.display_name ?? undefined);
    },

    /** Ends the session if an answer says so, and the account's own answer, which no browser keeps, does too. */
    notice(result: Result<unknown>) {
      if (token === null) return;
      if (!result.ok && result.failure.status === 401) expire();
      else if (result.customerTokenStatus === "invalid") void doubt();
    },
  };
}
