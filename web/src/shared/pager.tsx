import { pagesOf } from "./pages.js";
import { Linked } from "./linked.js";
import { t } from "./t.js";

/** Links to the pages of a list. */
export function Pager({ current, last, href }: { current: number; last: number; href: (page: number) => string }) {
  if (last <= 1) return null;
  return (
    <nav class="pager" aria-label={t.list.pages}>
      {current > 1 && (
        <a href={href(current - 1)} rel="prev">
          {t.list.previous}
        </a>
      )}
      {pagesOf(current, last).map((page) =>
        page === null ? (
          <span aria-hidden="true">…</span>
        ) : (
          <a href={href(page)} aria-current={page === current ? "page" : undefined} aria-label={t.list.pageNumber(page)}>
            {page}
          </a>
        ),
      )}
      {current < last && (
        <a href={href(current + 1)} rel="next">
          {t.list.next}
        </a>
      )}
    </nav>
  );
}

/** The page of the address lies behind the last one. */
export function Beyond({ page, last, href }: { page: number; last: number; href: (page: number) => string }) {
  return (
    <div class="empty">
      <h2>{t.list.noPage(page)}</h2>
      <p>
        <Linked text={t.list.onlyPages(last)} to={href(last)} />
      </p>
    </div>
  );
}
