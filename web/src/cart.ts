import type { components, Failure, Input, Result, Success } from "cartd-client";
import { shop, type Cart } from "./api.js";
import { known } from "./load.js";
import { account } from "./session.js";
import { makeStore } from "./store.js";

// The visitor's cart. A guest's id is in localStorage, so that all tabs have one cart and it is
// there tomorrow; an account's is in sessionStorage, beside the token that it needs.

type CartDetails = components["schemas"]["CartDetails"];
type Answer = Success<"/v1/api/commerce/carts/{id}", "get">;
type Report = Success<"/v1/api/commerce/carts/{id}/claim", "post">["merge_report"];

export interface CartState {
  /** null if there is no cart yet: it is made for the first line. */
  cart: Cart | null;
  details: CartDetails["lines"];
  requiresShipping: boolean;
  loading: boolean;
  failure: Failure | null;
}

const empty: CartState = { cart: null, details: {}, requiresShipping: false, loading: false, failure: null };

export const cartState = makeStore<CartState>({ ...empty, loading: true });

/** What the last claim merged; null if nothing was claimed. */
export const merged = makeStore<NonNullable<Report> | null>(null);

const item = "cart";
const details: { query: { include: ["details"] } } = { query: { include: ["details"] } };

function keptId(): string | null {
  return sessionStorage.getItem(item) ?? (shop.customerToken === null ? localStorage.getItem(item) : null);
}

function keepId(id: string) {
  if (shop.customerToken === null) return localStorage.setItem(item, id);
  sessionStorage.setItem(item, id);
  if (localStorage.getItem(item) === id) localStorage.removeItem(item); // claimed: other tabs have no token for it
}

/** Forgets the cart: it was ordered, or its account has left. */
export function forgetCart() {
  const id = keptId();
  sessionStorage.removeItem(item);
  if (localStorage.getItem(item) === id) localStorage.removeItem(item);
  show(null);
}

function show(answer: Answer | null) {
  follow(answer?.data.id ?? null);
  cartState.set(stateOf(answer));
}

function stateOf(answer: Answer | null): CartState {
  const { details } = answer ?? {};
  return { ...empty, cart: answer?.data ?? null, details: details?.lines ?? {}, requiresShipping: details?.requires_shipping ?? false };
}

/** Reads the cart again. Follows a merged one to the cart that it was folded into. */
export async function openCart(): Promise<void> {
  const id = keptId();
  if (id === null) return show(null);
  cartState.set({ ...cartState.get(), loading: true });
  const read = await shop.get("/v1/api/commerce/carts/{id}", { path: { id }, ...details });
  if (!read.ok && read.failure.kind !== "refused") return cartState.set({ ...cartState.get(), loading: false, failure: read.failure });
  if (read.ok && read.body.data.status === "active") return show(read.body);
  forgetCart(); // ordered, expired, merged, or of an account that has left
  const next = read.ok ? read.body.details?.merged_into : null;
  if (!next) return;
  keepId(next);
  return openCart();
}

/** The cart's id. Makes a cart if there is none. */
async function ensureCart(): Promise<Result<{ data: { id: string } }>> {
  const id = cartState.get().cart?.id ?? keptId();
  if (id !== null) return known({ data: { id } });
  const made = await shop.post("/v1/api/commerce/carts");
  if (!made.ok) return made;
  keepId(made.body.data.id);
  return shop.customerToken === null ? made : shop.post("/v1/api/commerce/carts/{id}/claim", { path: { id: made.body.data.id } });
}

let last: Promise<unknown> = Promise.resolve();
let changing = 0;

/** Changes the cart, one change after another, so that its answers come in their order. */
function change(send: (id: string) => Promise<Result<Answer>>): Promise<Result<Answer>> {
  changing++;
  const next = last
    .then(() => changeNow(send))
    .finally(() => {
      if (--changing === 0) decide();
    });
  last = next.catch(() => {});
  return next;
}

async function changeNow(send: (id: string) => Promise<Result<Answer>>): Promise<Result<Answer>> {
  const ready = await ensureCart();
  if (!ready.ok) return ready;
  const result = await send(ready.body.data.id);
  if (result.ok) {
    keepId(result.body.data.id);
    show(result.body);
  }
  return result;
}

export type NewLine = NonNullable<Input<"/v1/api/commerce/carts/{id}/lines", "post">["body"]>;

export async function addLine(body: NewLine, key?: string): Promise<Result<Answer>> {
  const add = () => change((id) => shop.post("/v1/api/commerce/carts/{id}/lines", { path: { id }, ...details, body, idempotencyKey: key }));
  const added = await add();
  if (added.ok || (added.failure.status !== 404 && added.failure.status !== 403)) return added;
  forgetCart(); // expired, ordered in another tab, or of an account that has left
  return add();
}

export function setQuantity(lineId: string, quantity: number | string, key?: string) {
  const body = { quantity: quantity as number };
  return change((id) =>
    shop.patch("/v1/api/commerce/carts/{id}/lines/{lineId}", { path: { id, lineId }, ...details, body, idempotencyKey: key }),
  );
}

export function removeLine(lineId: string, key?: string) {
  return change((id) =>
    shop.delete("/v1/api/commerce/carts/{id}/lines/{lineId}", { path: { id, lineId }, ...details, idempotencyKey: key }),
  );
}

export function applyCode(code: string, key?: string) {
  return change((id) =>
    shop.post("/v1/api/commerce/carts/{id}/discount", { path: { id }, ...details, body: { code }, idempotencyKey: key }),
  );
}

export function removeCode(key?: string) {
  return change((id) => shop.delete("/v1/api/commerce/carts/{id}/discount", { path: { id }, ...details, idempotencyKey: key }));
}

/**
 * After a login: the guest's cart becomes the account's, or the account's newest one is taken where the guest has none. The account's other carts are
 * merged into it.
 */
export async function claimCart(): Promise<Result<unknown>> {
  if (cartState.get().cart === null && keptId() === null) {
    const list = await shop.get("/v1/api/commerce/carts");
    if (!list.ok) return list;
    const newest = list.body.data[0];
    if (newest) keepId(newest.id);
  }
  const ready = await ensureCart();
  if (!ready.ok) return ready;
  const { id } = ready.body.data;
  const claimed = await shop.post("/v1/api/commerce/carts/{id}/claim", { path: { id }, query: { include: ["details", "merge_report"] } });
  if (!claimed.ok) return claimed;
  keepId(id);
  merged.set(claimed.body.merge_report ?? []);
  show(claimed.body);
  return claimed;
}

// The cart follows the changes of other tabs and devices.

let stop = () => {};
let watched: string | null = null;

/** Follows the visitor's cart: the one that is shown now. */
function follow(id: string | null) {
  if (id === watched) return;
  stop();
  watched = id;
  stop = id === null ? () => {} : shop.watchCart(id, { include: ["details"], changed: onChanged, ended: onEnded });
}

/** The cart has ended. Where it is being ordered its form stays: the answer of its request says what became of it. */
function onEnded(why: string | Failure) {
  const ordering = why === "converted" && /^#\/(checkout|request)/.test(location.hash);
  if (!ordering) void openCart();
}

/** An event that came while a change of this page was under way: it is that change, or one of elsewhere. */
let undecided: CartState | null = null;

/** Shows a change that was made elsewhere. */
function onChanged(answer: Answer) {
  if (answer.data.id !== watched) return;
  if (changing) undecided = stateOf(answer);
  else cartState.set(stateOf(answer));
}

function decide() {
  if (undecided && JSON.stringify(undecided) !== JSON.stringify(cartState.get())) void openCart();
  undecided = null;
}

// A cart that another tab has made or given up.
addEventListener("storage", ({ key }) => {
  if (key === item && account.get() !== undefined) void openCart();
});
