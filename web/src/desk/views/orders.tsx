import type { Result } from "cartd-client";
import { money } from "../../shared/formats.js";
import { href } from "../../shared/router.js";
import { makeStore, useStore } from "../../shared/store.js";
import { t } from "../../shared/t.js";
import { nameOf, stateOf, toShip, unpaid } from "../orders.js";
import { RowList, Search, Tabs, useRows } from "../parts/rows.js";
import { api } from "../session.js";
import { when } from "../times.js";
import { useTitle } from "../title.js";
import type { Order } from "../types.js";

/** What is looked for: it stays while the desk is open, and stands in no address. */
const searched = makeStore({ text: "" });

const shows: Record<
  string,
  { query: { status?: Order["status"]; payment_status?: Order["payment"]["status"] }; fits: (of: Order) => boolean }
> = {
  ship: { query: { status: "placed" }, fits: toShip },
  unpaid: { query: { status: "placed", payment_status: "due" }, fits: unpaid },
  cancelled: { query: { status: "cancelled" }, fits: () => true },
  all: { query: {}, fits: () => true },
};

/** What a typed text means: a number, or nothing. */
function meant(text: string): { number?: number } | null {
  const number = /^#?(\d{1,15})$/.exec(text)?.[1];
  if (number !== undefined && Number(number) > 0) return { number: Number(number) };
  return text === "" ? {} : null;
}

const size = 50;

/** A part of the list, from the newest order on: those after a number, as many as there are up to the part before. */
interface Cursor {
  after: number;
  count: number;
}

/** Where the last part of the list begins. */
async function lastPart(signal: AbortSignal): Promise<Result<Cursor>> {
  const result = await api.get("/v1/api/orders", { query: { per_page: size }, signal });
  if (!result.ok) return result;
  const after = Number(new URL(result.body.links.last ?? location.href).searchParams.get("after") ?? 0);
  return { ...result, body: { after, count: size } };
}

export function OrdersView({ query }: { query: URLSearchParams }) {
  useTitle(t.places.orders);
  const asked = query.get("show") ?? "ship";
  const show = Object.hasOwn(shows, asked) ? asked : "ship";
  const search = useStore(searched);
  const found = meant(search.text);
  // A number is looked for in all orders.
  const of = found?.number !== undefined ? "all" : show;
  const { query: filter, fits } = shows[of]!;
  const rows = useRows<Order, Cursor>(
    async (cursor, signal) => {
      if (found?.number !== undefined) {
        const result = await api.get("/v1/api/orders", { query: { after: found.number - 1, per_page: 1 }, signal });
        return result.ok
          ? { ...result, body: { rows: result.body.data.filter((one) => one.number === found.number), next: null } }
          : result;
      }
      const last = cursor === null ? await lastPart(signal) : null;
      if (last && !last.ok) return last;
      const { after, count } = cursor ?? last!.body;
      const result = await api.get("/v1/api/orders", { query: { ...filter, after, per_page: count }, signal });
      if (!result.ok) return result;
      const next = after === 0 ? null : { after: Math.max(0, after - size), count: Math.min(size, after) };
      return { ...result, body: { rows: result.body.data.toReversed().filter(fits), next } };
    },
    [of, search.text],
  );
  const set = (more: Partial<typeof search>) => searched.set({ ...search, ...more });
  const tab = (key: string) => ({ key, to: href(["orders"], new URLSearchParams({ show: key })), name: t.orders.shows[key]! });
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{t.places.orders}</h1>
        <Search label={t.orders.search} hint={t.orders.searchHint} value={search.text} onSearch={(text) => set({ text })} />
      </div>
      <Tabs label={t.orders.which} here={of} tabs={["ship", "unpaid", "cancelled", "all"].map(tab)} />
      {found === null && <p class="hint">{t.orders.noWord}</p>}
      <RowList of={rows} kind="orders" heads={t.orders.heads} none={<p>{t.orders.none[of]}</p>}>
        {(order) => <OrderRow of={order} />}
      </RowList>
    </>
  );
}

/** An order in a list. */
export function OrderRow({ of }: { of: Order }) {
  const [word, mark] = stateOf(of);
  return (
    <a class="row cells-orders" href={href(["orders", String(of.number)])}>
      <b>{of.number}</b>
      <span>{when(of.placed_at)}</span>
      <span class="cut">{nameOf(of)}</span>
      <span class="cut cell-soft">{of.lines.map((one) => one.name).join(", ")}</span>
      <span>
        <i class={`state state-${mark}`}>{word}</i>
      </span>
      <span class="number">{money(of.totals.total)}</span>
    </a>
  );
}
