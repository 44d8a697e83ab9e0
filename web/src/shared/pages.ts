/** The pages that a pager links to: the first, the last, and those beside the current one. null stands for two pages or more in between. */
export function pagesOf(current: number, last: number): (number | null)[] {
  const all = Array.from({ length: last }, (_, i) => i + 1).filter((page) => page === 1 || page === last || Math.abs(page - current) <= 1);
  return all.flatMap((page, i) => {
    const gap = page - (all[i - 1] ?? 0);
    if (gap > 2) return [null, page];
    return gap === 2 ? [page - 1, page] : [page];
  });
}
