import { shop } from "../api.js";
import { date } from "../shared/formats.js";
import { useLoad } from "../shared/load.js";
import { Loaded, Missing } from "../shared/failure.js";
import { Beyond, Pager } from "../shared/pager.js";
import { Paid } from "../parts/price.js";
import { href } from "../shared/router.js";
import { useTitle } from "../title.js";
import { AccountTabs, ForAccount } from "../parts/account.js";
import { quoteName, QuoteView, Shown } from "./quote.js";
import { Linked } from "../shared/linked.js";
import { t } from "../shared/t.js";

export function QuotesView({ query }: { query: URLSearchParams }) {
  useTitle(t.account.quotes);
  return (
    <ForAccount>
      {() => (
        <>
          <h1 tabIndex={-1}>{t.account.quotes}</h1>
          <AccountTabs here="quotes" />
          <Rows page={Number(query.get("page") ?? 1)} />
        </>
      )}
    </ForAccount>
  );
}

const quotesPage = (page: number) => href(["quotes"], new URLSearchParams({ page: String(page) }));

function Rows({ page }: { page: number }) {
  const quotes = useLoad((signal) => shop.get("/v1/api/sales/quotes", { query: { page, per_page: 10 }, signal }), [page]);
  return (
    <Loaded from={quotes} outline={<span class="line" />}>
      {({ data, meta }) =>
        data.length === 0 && meta.total > 0 ? (
          <Beyond page={meta.current_page} last={meta.last_page} href={quotesPage} />
        ) : data.length === 0 ? (
          <div class="empty">
            <p>{t.account.noQuote}</p>
          </div>
        ) : (
          <>
            <ul class="rows">
              {data.map((one) => (
                <li>
                  <a class="row" href={href(["quotes", one.id])}>
                    <b>{quoteName(one)}</b>
                    <span>{date(one.created_at)}</span>
                    <span>{t.account.lines(one.lines_count)}</span>
                    <span class={`state state-${one.status}`}>{t.quote[one.status]}</span>
                    <Paid of={one.totals.total} />
                  </a>
                </li>
              ))}
            </ul>
            <Pager current={meta.current_page} last={meta.last_page} href={quotesPage} />
          </>
        )
      }
    </Loaded>
  );
}

/** The account's quote, as by its link. */
export function OwnQuoteView({ id }: { id: string }) {
  useTitle(t.quote.title);
  return <ForAccount>{() => <Own id={id} />}</ForAccount>;
}

function Own({ id }: { id: string }) {
  const quote = useLoad((signal) => shop.get("/v1/api/sales/quotes/{id}", { path: { id }, signal }), [id]);
  return (
    <Loaded
      from={quote}
      outline={<span class="line title" />}
      missing={
        <Missing title={t.quote.notYours}>
          <p>
            <Linked text={t.quote.seeYours} to="#/quotes" />
          </p>
        </Missing>
      }
    >
      {(body) => (body.token ? <QuoteView token={body.token} /> : <Shown of={body} />)}
    </Loaded>
  );
}
