/** Links to the pages of a list. */
export function Pager({ current, last, href }: { current: number; last: number; href: (page: number) => string }) {
  if (last <= 1) return null;
  const pages = Array.from({ length: last }, (_, i) => i + 1).filter(
    (page) => page === 1 || page === last || Math.abs(page - current) <= 1,
  );
  return (
    <nav class="pager" aria-label="Pages">
      {current > 1 && (
        <a href={href(current - 1)} rel="prev">
          Previous
        </a>
      )}
      {pages.map((page, i) => (
        <>
          {i > 0 && page - pages[i - 1]! > 1 && <span aria-hidden="true">…</span>}
          <a href={href(page)} aria-current={page === current ? "page" : undefined} aria-label={`Page ${page}`}>
            {page}
          </a>
        </>
      ))}
      {current < last && (
        <a href={href(current + 1)} rel="next">
          Next
        </a>
      )}
    </nav>
  );
}
