import { date, shop } from "../api.js";
import { useLoad } from "../load.js";
import { Loaded, Missing } from "../parts/failure.js";
import { Beyond, Pager } from "../parts/pager.js";
import { Paid } from "../parts/price.js";
import { href } from "../router.js";
import { useTitle } from "../title.js";
import { AccountTabs, ForAccount } from "../parts/account.js";
import { QuoteView } from "./quote.js";

export function QuotesView({ query }: { query: URLSearchParams }) {
  useTitle("Quotes");
  return (
    <ForAccount>
      {() => (
        <>
          <h1 tabIndex={-1}>Quotes</h1>
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
            <p>No quote yet. A cart that needs one offers it.</p>
          </div>
        ) : (
          <>
            <ul class="rows">
              {data.map((one) => (
                <li>
                  <a class="row" href={href(["quotes", one.id])}>
                    <b>Quote {one.number}</b>
                    <span>{date(one.created_at)}</span>
                    <span>{one.lines_count === 1 ? "1 line" : `${one.lines_count} lines`}</span>
                    <span class={`state state-${one.status}`}>{one.status}</span>
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
  return <ForAccount>{() => <Own id={id} />}</ForAccount>;
}

function Own({ id }: { id: string }) {
  const quote = useLoad((signal) => shop.get("/v1/api/sales/quotes/{id}", { path: { id }, signal }), [id]);
  return (
    <Loaded
      from={quote}
      outline={<span class="line title" />}
      missing={
        <Missing title="This quote is not yours">
          <p>
            <a href="#/quotes">See your quotes</a>.
          </p>
        </Missing>
      }
    >
      {(body) => <QuoteView token={body.token!} />}
    </Loaded>
  );
}
