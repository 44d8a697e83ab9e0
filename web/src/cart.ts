import type { components, Failure, Input, Result, Success } from "cartd-client";
import { shop, type Cart, type Twins } from "./api.js";
import { known } from "./shared/load.js";
import { note } from "./notes.js";
import { pendingOrder } from "./pending.js";
import { lastOrder } from "./last-order.js";
import { makeQueue } from "./queue.js";
import { inSession, session } from "./session.js";
import { makeStore } from "./shared/store.js";
import { t } from "./shared/t.js";

// The visitor's cart. Its id is in localStorage, so that all tabs have one cart and it is there
// tomorrow.

export type AttachedCode = components["schemas"]["CartDiscountCode"];
type CartDetails = components["schemas"]["CartDetails"];
type Answer = Success<"/v1/api/commerce/carts/{id}", "get">;
type Report = Success<"/v1/api/commerce/carts/{id}/claim", "post">["merge_report"];

export interface CartState {
  /** null if there is no cart yet: it is made for the first line. */
  cart: Cart | null;
  details: CartDetails["lines"];
  /** All its discount codes, in the order of attaching. */
  codes: AttachedCode[];
  requiresShipping: boolean;
  /** null in a store that does not tax by country. */
  taxCountry: string | null;
  loading: boolean;
  failure: Failure | null;
}

const empty: CartState = { cart: null, details: {}, codes: [], requiresShipping: false, taxCountry: null, loading: false, failure: null };

export const cartState = makeStore<CartState>({ ...empty, loading: true });

/** What the last claim merged; null if nothing was claimed. */
export const merged = makeStore<NonNullable<Report> | null>(null);

const item = "cart";
const details: { query: { include: ["details"] } } = { query: { include: ["details"] } };

const keptId = (): string | null => localStorage.getItem(item);

const keepId = (id: string) => localStorage.setItem(item, id);

/** Forgets the cart: it was ordered, or its account has left. */
export function forgetCart() {
  localStorage.removeItem(item);
  show(null);
}

/** Counts what was shown: an answer to an earlier reading is not shown after it. */
let shown = 0;

function show(answer: Answer | null) {
  shown++;
  follow(answer?.data.id ?? null);
  cartState.set(stateOf(answer));
}

function stateOf(answer: Answer | null): CartState {
  const { details } = answer ?? {};
  return {
    ...empty,
    cart: answer && {
      ...answer.data,
      tax_exemption: details?.tax_exemption ?? null,
      lines: answer.data.lines.map((one) => ({ ...one, ...twins(one, details?.lines[one.id]) })),
    },
    details: details?.lines ?? {},
    codes: details?.discount_codes ?? [],
    requiresShipping: details?.requires_shipping ?? false,
    taxCountry: details?.tax_country ?? null,
  };
}

/** The prices without tax of a line: those of its details. */
function twins(of: Answer["data"]["lines"][number], details: CartDetails["lines"][string] | undefined): Twins {
  const { unit_price, line_total } = of;
  return {
    unit_price_without_tax: details?.unit_price_without_tax ?? unit_price,
    line_total_without_tax: details?.line_total_without_tax ?? line_total,
    full_total_without_tax: details?.full_total_without_tax ?? line_total,
  };
}

/** Reads the cart again. Follows a merged one to the cart that it was folded into. */
export async function openCart(): Promise<void> {
  const id = keptId();
  if (id === null) return show(null);
  cartState.set({ ...cartState.get(), loading: true });
  const turn = ++shown;
  const read = await inSession(() => shop.get("/v1/api/commerce/carts/{id}", { path: { id }, ...details }));
  if (!read || turn !== shown) return; // a later answer is shown
  if (!read.ok && read.failure.kind !== "refused") return cartState.set({ ...cartState.get(), loading: false, failure: read.failure });
  if (read.ok && read.body.data.status === "active") return show(read.body);
  forgetCart();
  const next = read.ok ? read.body.details?.merged_into : null;
  if (!next) return tellWhyGone(read);
  keepId(next);
  return openCart();
}

/** Tells why a cart that this browser knows cannot be used any more. Of 403, a cart of an account, the end of the session tells. */
function tellWhyGone(read: Result<Answer>) {
  if (read.ok) {
    const mine = lastOrder.get()?.order.cart_id === read.body.data.id; // ordered here: its page shows it
    if (read.body.data.status === "converted" && !mine) note({ about: "cart", text: () => t.cart.ordered });
  } else if (read.failure.status === 404) {
    note({ about: "cart", text: () => t.cart.gone });
  }
}

/** The cart's id. Makes a cart if there is none. */
async function ensureCart(): Promise<Result<{ data: { id: string } }>> {
  const id = keptId();
  if (id !== null) return known({ data: { id } });
  const made = await shop.post("/v1/api/commerce/carts");
  if (!made.ok) return made;
  keepId(made.body.data.id);
  return shop.customerToken === null ? made : shop.post("/v1/api/commerce/carts/{id}/claim", { path: { id: made.body.data.id } });
}

const changes = makeQueue(() => decide());

/** Changes the cart, one change after another. The answer of an ended session is not shown. */
function change(send: (id: string) => Promise<Result<Answer>>): Promise<Result<Answer>> {
  return changes.run(async () => {
    const asked = session.number.get();
    const ready = await ensureCart();
    if (!ready.ok) return ready;
    const result = await send(ready.body.data.id);
    if (result.ok && asked === session.number.get()) {
      keepId(result.body.data.id);
      show(result.body);
    }
    return result;
  });
}

export type NewLine = NonNullable<Input<"/v1/api/commerce/carts/{id}/lines", "post">["body"]>;

export async function addLine(body: NewLine, key?: string): Promise<Result<Answer>> {
  const add = () => change((id) => shop.post("/v1/api/commerce/carts/{id}/lines", { path: { id }, ...details, body, idempotencyKey: key }));
  const added = await add();
  if (added.ok || (added.failure.status !== 404 && added.failure.status !== 403)) return added;
  forgetCart(); // expired, ordered in another tab, or of an account that has left
  tellWhyGone(added);
  return add();
}

export function setQuantity(lineId: string, quantity: number, key?: string) {
  return change((id) =>
    shop.patch("/v1/api/commerce/carts/{id}/lines/{lineId}", { path: { id, lineId }, ...details, body: { quantity }, idempotencyKey: key }),
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

export function removeCode(code: string, key?: string) {
  return change((id) =>
    shop.delete("/v1/api/commerce/carts/{id}/discount/{code}", { path: { id, code }, ...details, idempotencyKey: key }),
  );
}

type CopyPath = "/v1/api/commerce/orders/{id}/copy" | "/v1/api/commerce/orders/by-token/{token}/copy" | "/v1/api/commerce/carts/{id}/copy";
export type Copy = Success<CopyPath, "post", ["details"]>;

/**
 * Takes a copy of an order or a quote as the visitor's cart. An account's carts are merged into it; a guest's cart makes way for it,
 * unless nothing could be copied.
 */
export function takeCopy(send: (query: { include: ["details"] }) => Promise<Result<Copy>>): Promise<Result<Copy>> {
  return changes.run(async () => {
    const asked = session.number.get();
    const copied = await send(details.query);
    if (!copied.ok || copied.body.data.lines.length === 0 || asked !== session.number.get()) return copied;
    keepId(copied.body.data.id);
    show(copied.body);
    if (shop.customerToken !== null) await claimCart(); // the copy stands if this fails: the next login merges the others
    return copied;
  });
}

/**
 * After a login: the guest's cart becomes the account's, or the account's newest one is taken where the guest has none. The account's other carts are
 * merged into it.
 */
export async function claimCart(): Promise<Result<unknown>> {
  if (keptId() === null) {
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

/** The cart has ended. Where this tab is ordering it, the answer of its request says what became of it. */
function onEnded(why: string | Failure) {
  const ordering = why === "converted" && (pendingOrder() !== null || location.hash.startsWith("#/request"));
  if (!ordering) void openCart();
}

/** An event that came while a change of this page was under way: it is that change, or one of elsewhere. */
let undecided: CartState | null = null;

/** Shows a change that was made elsewhere. */
function onChanged(answer: Answer) {
  if (answer.data.id !== watched) return;
  if (changes.busy()) undecided = stateOf(answer);
  else cartState.set(stateOf(answer));
}

function decide() {
  if (undecided && JSON.stringify(undecided) !== JSON.stringify(cartState.get())) void openCart();
  undecided = null;
}

// A new session has other rights: the cart is read and followed with its token.
session.number.subscribe(() => {
  follow(null);
  void openCart();
});

// A cart that another tab has made or given up.
addEventListener("storage", ({ key, newValue }) => {
  if (key !== item && key !== null) return;
  const lost = newValue === null && watched;
  void openCart();
  if (lost) void shop.get("/v1/api/commerce/carts/{id}", { path: { id: lost }, ...details }).then(tellWhyGone);
});
