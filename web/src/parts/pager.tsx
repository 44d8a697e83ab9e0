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
