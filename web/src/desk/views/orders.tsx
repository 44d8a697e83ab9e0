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
const searched = makeStore({ text: "", from: "", to: "" });

const shows: Record<
  string,
  { query: { status?: Order["status"]; payment_status?: Order["payment"]["status"] }; fits: (of: Order) => boolean }
> = {
  ship: { query: { status: "placed" }, fits: toShip },
  unpaid: { query: { status: "placed", payment_status: "due" }, fits: unpaid },
  cancelled: { query: { status: "cancelled" }, fits: () => true },
  all: { query: {}, fits: () => true },
};

/** What a typed text means: a number, an address, or the beginning of neither. */
function meant(text: string): { number?: number; email?: string } | null {
  const number = /^#?(\d{1,15})$/.exec(text)?.[1];
  if (number !== undefined && Number(number) > 0) return { number: Number(number) };
  if (/^\S+@\S+$/.test(text)) return { email: text };
  return text === "" ? {} : null;
}

export function OrdersView({ query }: { query: URLSearchParams }) {
  useTitle(t.places.orders);
  const asked = query.get("show") ?? "ship";
  const show = Object.hasOwn(shows, asked) ? asked : "ship";
  const search = useStore(searched);
  const found = meant(search.text);
  // A number or an address is looked for in all orders.
  const searches = found && (found.number ?? found.email) !== undefined;
  const of = searches ? "all" : show;
  const { query: filter, fits } = shows[of]!;
  const rows = useRows<Order, number>(
    async (before, signal) => {
      const result = await api.get("/v1/api/orders", {
        query: {
          sort: "newest",
          ...filter,
          ...found,
          ...(before !== null && { before }),
          // What is left out here is passed over in long parts, after a short first one.
          ...(before !== null && fits === toShip && { per_page: 100 }),
          ...(search.from && { placed_from: search.from }),
          ...(search.to && { placed_to: search.to }),
        },
        signal,
      });
      if (!result.ok) return result;
      const { data, meta } = result.body;
      return {
        ...result,
        body: { rows: data.filter(fits), next: meta.next_before, upTo: fits === toShip ? data.at(-1)?.placed_at : undefined },
      };
    },
    [of, JSON.stringify(search)],
  );
  const set = (more: Partial<typeof search>) => searched.set({ ...searched.get(), ...more });
  const tab = (key: string) => ({ key, to: href(["orders"], new URLSearchParams({ show: key })), name: t.orders.shows[key]! });
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{t.places.orders}</h1>
        <Search label={t.orders.search} hint={t.orders.searchHint} value={search.text} onSearch={(text) => set({ text })} />
        <fieldset class="days">
          <legend class="hidden">{t.orders.days}</legend>
          <label>
            <span>{t.orders.from}</span>
            <input
              type="date"
              value={search.from}
              max={search.to || undefined}
              onChange={(event) => set({ from: event.currentTarget.value })}
            />
          </label>
          <label>
            <span>{t.orders.to}</span>
            <input
              type="date"
              value={search.to}
              min={search.from || undefined}
              onChange={(event) => set({ to: event.currentTarget.value })}
            />
          </label>
        </fieldset>
      </div>
      <Tabs label={t.orders.which} here={of} tabs={["ship", "unpaid", "cancelled", "all"].map(tab)} />
      {found === null && <p class="hint">{t.orders.noWord}</p>}
      <RowList of={rows} kind="orders" heads={t.orders.heads} none={<p>{t.orders.none[searches ? "found" : of]}</p>}>
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
