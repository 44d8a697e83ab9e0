import { pagesOf } from "../pages.js";

/** Links to the pages of a list. */
export function Pager({ current, last, href }: { current: number; last: number; href: (page: number) => string }) {
  if (last <= 1) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {current > 1 && (
        <a href={href(current - 1)} rel="prev">
          Previous
        </a>
      )}
      {pagesOf(current, last).map((page) =>
        page === null ? (
          <span aria-hidden="true">…</span>
        ) : (
          <a href={href(page)} aria-current={page === current ? "page" : undefined} aria-label={`Page ${page}`}>
            {page}
          </a>
        ),
      )}
      {current < last && (
        <a href={href(current + 1)} rel="next">
          Next
        </a>
      )}
    </nav>
  );
}

/** The page of the address lies behind the last one. */
export function Beyond({ page, last, href }: { page: number; last: number; href: (page: number) => string }) {
  return (
    <div class="empty">
      <h2>There is no page {page}</h2>
      <p>
        The list has {last === 1 ? "one page" : `${last} pages`}. <a href={href(last)}>Go to {last === 1 ? "it" : "the last one"}</a>.
      </p>
    </div>
  );
}
