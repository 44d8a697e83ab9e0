import type { Result } from "cartd-client";
import { shop } from "./api.js";
import { dropDrafts } from "./drafts.js";
import { note } from "./notes.js";
import { makeSession, tokenItem } from "./sessions.js";
import { t } from "./shared/t.js";

// The session of this browser. Storage events tell the other tabs of its beginning and its end.

export const session = makeSession({
  storage: localStorage,
  carry: (token) => (shop.customerToken = token),
  read: () => shop.get("/v1/api/contacts/me"),
  tell: (what, name = "") =>
    note({ about: "session", to: "#/login", text: () => (what === "loggedIn" ? t.login.loggedIn(name) : t.login[what]) }),
});

export const { account } = session;

// What was typed in a session is nobody else's. What a guest has typed stays when the guest logs in.
let before = account.get();
account.subscribe((now) => {
  if (before && !now) dropDrafts();
  before = now;
});

addEventListener("storage", ({ key }) => {
  if (key === tokenItem || key === null) void session.follow();
});

/** Sends a request; undefined if its session has ended when the answer comes, for then nobody may look at it. */
export async function inSession<T>(send: () => Promise<Result<T>>): Promise<Result<T> | undefined> {
  const asked = session.number.get();
  const result = await send();
  if (asked !== session.number.get()) return undefined;
  session.notice(result);
  return result;
}
