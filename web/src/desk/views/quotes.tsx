import { money } from "../../shared/formats.js";
import { FailureNotice } from "../../shared/failure.js";
import { useAction } from "../../shared/load.js";
import { go, href } from "../../shared/router.js";
import { makeStore, useStore } from "../../shared/store.js";
import { t } from "../../shared/t.js";
import { useEveryMinute } from "../parts/live.js";
import { RowList, Search, Tabs, useRows } from "../parts/rows.js";
import { quoteFor, quoteState, quoteTotal, type StoreQuote } from "../quotes.js";
import { api, can } from "../session.js";
import { when } from "../times.js";
import { useTitle } from "../title.js";

const searched = makeStore("");

const states = ["waiting", "offered", "all"] as const;

export function QuotesView({ query }: { query: URLSearchParams }) {
  useTitle(t.places.quotes);
  const q = useStore(searched);
  const number = /^#?(\d{1,15})$/.exec(q)?.[1];
  const email = q.includes("@") ? q : undefined;
  const asked = states.find((one) => one === query.get("show")) ?? "waiting";
  const searches = number !== undefined || email !== undefined;
  const state = searches ? "all" : asked;
  const rows = useRows<StoreQuote, string>(
    async (before, signal) => {
      const result = await api.get("/v1/api/quotes", {
        query: {
          state,
          ...(number !== undefined && { number: Number(number) }),
          ...(email !== undefined && { email }),
          ...(before !== null && { before }),
        },
        signal,
      });
      if (!result.ok) return result;
      const next = result.body.meta.next_before;
      return { ...result, body: { rows: result.body.data, next: next === null ? null : String(next) } };
    },
    [state, number, email],
  );
  useEveryMinute(rows.refresh);
  const make = useAction(
    (_: null, idempotencyKey) => api.post("/v1/api/quotes", { body: {}, ...(idempotencyKey !== undefined && { idempotencyKey }) }),
    ({ id }) => go(href(["quotes", id])),
  );
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{t.places.quotes}</h1>
        <Search label={t.quotes.search} hint={t.quotes.searchHint} value={q} onSearch={searched.set} />
        {can("sales:manage") && (
          <button type="button" class="button" aria-disabled={make.busy} data-busy={make.busy} onClick={() => void make.run(null)}>
            {t.quotes.make}
          </button>
        )}
      </div>
      <FailureNotice failure={make.failure} again={make.again} busy={make.busy} />
      <Tabs
        label={t.quotes.which}
        here={state}
        tabs={states.map((key) => ({ key, to: href(["quotes"], new URLSearchParams({ show: key })), name: t.quotes.shows[key] }))}
      />
      <RowList of={rows} kind="quotes" heads={t.quotes.heads} none={<p>{t.quotes.none[searches ? "found" : state]}</p>}>
        {(one) => {
          const [word, mark] = quoteState(one);
          return (
            <a class="row cells-quotes" href={href(["quotes", one.id])}>
              <b>{one.number ?? "–"}</b>
              <span>{when(one.created_at)}</span>
              <span class="cut">{quoteFor(one)}</span>
              <span class="cut cell-soft">
                {one.change_request?.message ?? one.message ?? (one.draft ?? one).lines.map((line) => line.name).join(", ")}
              </span>
              <span>
                <i class={`state state-${mark}`}>{word}</i>
              </span>
              <span class="number">{money(quoteTotal(one))}</span>
            </a>
          );
        }}
      </RowList>
    </>
  );
}
