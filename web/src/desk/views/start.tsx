import type { Success } from "cartd-client";
import { cents, quantity } from "../../shared/formats.js";
import { Loaded } from "../../shared/failure.js";
import { useLoad } from "../../shared/load.js";
import { t } from "../../shared/t.js";
import { useEveryMinute } from "../parts/live.js";
import { Bars, type Day } from "../parts/bars.js";
import { few } from "../stock.js";
import { api } from "../session.js";
import { useTitle } from "../title.js";

type Summary = Success<"/v1/api/summary", "get">;

const shownDays = 30;

export function StartView() {
  useTitle(t.places.start);
  const summary = useLoad((signal) => api.get("/v1/api/summary", { query: { days: shownDays + 1 }, signal }), []);
  const stock = useLoad((signal) => few(signal), []);
  useEveryMinute(summary.refresh);
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{t.places.start}</h1>
      </div>
      <Loaded from={summary} outline={<span class="line title" />}>
        {(body) => (
          <>
            <Today days={daysOf(body)} weekAgo={sumOf(body, hoursOf(7, true))} />
            <Bars days={daysOf(body)} />
            <section class="block">
              <h2>{t.start.waits}</h2>
              <Waits of={body} stock={stock.body} />
            </section>
          </>
        )}
      </Loaded>
    </>
  );
}

const startOf = (daysAgo: number): Date => {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
};

/** From when to when a day of the past lasts, in the time of this place; only until this time of the day. */
function hoursOf(daysAgo: number, untilNow: boolean): [from: number, to: number] {
  const from = startOf(daysAgo).getTime();
  return [from, untilNow ? from + (Date.now() - startOf(0).getTime()) : startOf(daysAgo - 1).getTime()];
}

function sumOf({ sales }: Summary, [from, to]: [number, number]) {
  const within = sales.filter(({ hour }) => Date.parse(hour) >= from && Date.parse(hour) < to);
  return {
    orders: within.reduce((sum, one) => sum + one.orders, 0),
    amount: within.reduce((sum, one) => sum + one.total_amount, 0),
    cancelled: within.reduce((sum, one) => sum + one.cancelled_amount, 0),
  };
}

const daysOf = (of: Summary): Day[] =>
  Array.from({ length: shownDays }, (_, i) => shownDays - 1 - i).map((ago) => ({ date: startOf(ago), ...sumOf(of, hoursOf(ago, false)) }));

function Today({ days, weekAgo }: { days: Day[]; weekAgo: { orders: number; amount: number } }) {
  const today = days.at(-1)!;
  return (
    <dl class="today">
      <div>
        <dt>{t.start.ordersToday}</dt>
        <dd>{quantity(today.orders)}</dd>
        <dd class="hint">{t.start.weekAgo(quantity(weekAgo.orders))}</dd>
      </div>
      <div>
        <dt>{t.start.turnoverToday}</dt>
        <dd>{cents(today.amount)}</dd>
        <dd class="hint">{t.start.weekAgo(cents(weekAgo.amount))}</dd>
      </div>
    </dl>
  );
}

function Waits({ of, stock }: { of: Summary; stock: { count: number; more: boolean } | null }) {
  const { unpaid, overdue } = of.orders;
  const rows: [count: number, name: (n: number) => string, to: string, more?: boolean][] = [
    [of.quotes.waiting, t.start.quotesWaiting, "#/quotes"],
    [of.quotes.expiring, t.start.quotesExpiring, "#/quotes?show=offered"],
    [unpaid, (n) => t.start.unpaid(n) + (overdue > 0 ? t.start.overdue(overdue) : ""), "#/orders?show=unpaid"],
    [of.contacts.awaiting, t.start.approvals, "#/customers?show=awaiting"],
    [stock?.count ?? 0, t.start.stock, "#/products?show=few", stock?.more],
    [of.webhooks.given_up, t.start.lostEvents, "#/store"],
  ];
  const waiting = rows.filter(([count]) => count > 0);
  if (waiting.length === 0) return <p class="empty">{t.start.nothing}</p>;
  return (
    <ul class="rows">
      {waiting.map(([count, name, to, more]) => (
        <li>
          <a class="row cells-waits" href={to}>
            <b class="number">{more ? t.start.atLeast(quantity(count)) : quantity(count)}</b>
            <span>{name(count)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
