import { Shop, type Result, type Success } from "cartd-client";
import { noteAnswer } from "../shared/reach.js";
import { makeStore } from "../shared/store.js";

// Who works at the desk. The key is in this module's memory only, unless its owner keeps it in the tab.

/** What the key opens. */
export type Me = Success<"/v1/api/me", "get">;
export type Scope = Me["key"]["scopes"][number];

const item = "desk-key";
const patience = 30 * 60_000; // milliseconds without input

/** The store of the key; null while nobody has entered, undefined while a kept key is asked about. */
export const me = makeStore<Me | null | undefined>(null);

/** Why the last session has ended, if its owner did not end it. */
export const ended = makeStore<"refused" | "idle" | null>(null);

/** Changes with every session: an answer to a request of another number is ignored. */
export const session = { number: makeStore(0) };

/** The API, with the key of the session. */
export let api: Shop = open("");

function open(key: string): Shop {
  return new Shop({ url: location.origin, key, retries: 3, fetch: noting });
}

async function noting(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  let status = 0;
  try {
    const response = await fetch(request);
    status = response.status;
    return response;
  } finally {
    if (!request.signal.aborted) noteAnswer(status);
  }
}

/** Enters with a key. */
export async function enter(key: string, keep: boolean): Promise<Result<Me>> {
  const asked = open(key);
  const result = await asked.get("/v1/api/me");
  if (!result.ok) return result;
  api = asked;
  if (keep) sessionStorage.setItem(item, key);
  ended.set(null);
  lastInput = Date.now();
  session.number.set(session.number.get() + 1);
  me.set(result.body);
  return result;
}

/** Forgets the key, and whatever was read with it. */
export function leave(why: "refused" | "idle" | null = null) {
  sessionStorage.removeItem(item);
  if (!me.get()) return;
  api = open("");
  ended.set(why);
  session.number.set(session.number.get() + 1);
  me.set(null);
  location.hash = "#/";
}

/** Enters again with the key that the tab has kept. */
export async function resume(): Promise<void> {
  const kept = sessionStorage.getItem(item);
  if (kept === null) return;
  me.set(undefined);
  const result = await enter(kept, true);
  if (result.ok) return;
  if (result.failure.status === 401) {
    sessionStorage.removeItem(item);
    ended.set("refused");
  }
  me.set(null);
}

/** Sends a request; undefined if its session has ended when the answer comes. A key that is refused ends the session. */
export async function inSession<T>(send: () => Promise<Result<T>>): Promise<Result<T> | undefined> {
  const asked = session.number.get();
  const result = await send();
  if (asked !== session.number.get()) return undefined;
  if (!result.ok && result.failure.status === 401) {
    leave("refused");
    return undefined;
  }
  return result;
}

/** Whether the key has one of these scopes. */
export const can = (...scopes: Scope[]): boolean => scopes.some((one) => me.get()?.key.scopes.includes(one));

let lastInput = Date.now();

function look() {
  if (me.get() && Date.now() - lastInput > patience) leave("idle");
}

for (const name of ["keydown", "pointerdown", "input", "wheel"]) {
  addEventListener(
    name,
    () => {
      look();
      lastInput = Date.now();
    },
    { capture: true, passive: true },
  );
}
document.addEventListener("visibilitychange", look);
setInterval(look, 15_000);
