import { shop, type Category } from "../api.js";
import { useEffect, useRef } from "preact/hooks";
import { categories, childrenOf, pathTo, roots, useCategory } from "../catalogue.js";
import { filters, perPage, type Sorting } from "../filters.js";
import { useLoad } from "../shared/load.js";
import { Card, CardOutlines } from "../parts/card.js";
import { Facets } from "../parts/facets.js";
import { Loaded } from "../shared/failure.js";
import { Linked } from "../shared/linked.js";
import { Beyond, Pager } from "../shared/pager.js";
import { useHiddenPrices } from "../parts/price.js";
import { go, href } from "../shared/router.js";
import { cameBack } from "../scroll.js";
import { useStore } from "../shared/store.js";
import { useFresh } from "../time.js";
import { useTitle } from "../title.js";
import { useTaxCountry } from "../vat.js";
import { t } from "../shared/t.js";

/** The orders of a list. By prices that are hidden there is none. */
const orders = (hidden: boolean): ["" | Sorting, string][] => [
  ["", t.list.ownOrder],
  ...(hidden
    ? []
    : ([
        ["price", t.list.priceUp],
        ["-price", t.list.priceDown],
      ] as [Sorting, string][])),
  ["name", t.list.nameUp],
  ["-name", t.list.nameDown],
];

/** The products of a search or a category. The address has all of its state. */
export function ListView({ query }: { query: URLSearchParams }) {
  const all = useStore(categories)?.all ?? [];
  const slug = query.get("category");
  const category = useCategory(slug);
  const title = heading(query.get("q"), slug, category);
  useTitle(title);
  const hidden = useHiddenPrices();
  const asked = { ...filters(query), ...useTaxCountry() };
  const list = useLoad((signal) => shop.get("/v1/api/catalog/products", { query: asked, signal }), [JSON.stringify(asked)]);
  useFresh(list.body?.data.map((one) => one.price_until) ?? [], list.refresh);
  const bar = useRef<HTMLDivElement>(null);
  const page = query.get("page");
  const first = useRef(true);
  // Another page begins at the top of the list.
  useEffect(() => {
    if (!first.current && !cameBack()) {
      bar.current?.scrollIntoView({ block: "start", behavior: "instant" });
      bar.current?.focus({ preventScroll: true });
    }
    first.current = false;
  }, [page]);
  /** The address with another value of a parameter; on the first page, unless it is the page. */
  const withValue = (name: string, values: string[]): string => {
    const next = new URLSearchParams(query);
    next.delete(name);
    if (name !== "page") next.delete("page");
    for (const value of values) if (value !== "") next.append(name, value);
    return href(["products"], next);
  };
  const withPage = (to: number) => withValue("page", to === 1 ? [] : [String(to)]);
  return (
    <>
      <Crumbs all={all} category={category} />
      <div class="list-head">
        <h1 tabIndex={-1}>{title ?? <span class="line title" />}</h1>
        {category === undefined && <HeadOutline />}
        {category?.description && <p class="lead">{category.description}</p>}
        {category && <Children all={all} of={category} />}
      </div>
      <div class="list">
        <Facets counts={list.body?.facets} total={list.body?.meta.total ?? 0} query={query} withValue={withValue} />
        <div class="list-body">
          <Loaded from={list} outline={<ListOutline />}>
            {({ data, meta }) => (
              <>
                <div class="list-bar" ref={bar} tabIndex={-1}>
                  <p role="status">
                    {t.home.count(meta.total)}
                    {meta.current_page > 1 && data.length > 0 && t.list.page(meta.current_page, meta.last_page)}
                    <Corrected words={meta.corrected} />
                  </p>
                  <label class="sort">
                    {t.list.sortBy}{" "}
                    <select value={query.get("sort") ?? ""} onChange={(event) => go(withValue("sort", [event.currentTarget.value]))}>
                      {orders(hidden).map(([value, label]) => (
                        <option value={value}>{label}</option>
                      ))}
                    </select>
                  </label>
                </div>
                {"partial" in meta && meta.partial === true && <p class="notice">{t.list.partial}</p>}
                {data.length === 0 && meta.total > 0 ? (
                  <Beyond page={meta.current_page} last={meta.last_page} href={withPage} />
                ) : data.length === 0 ? (
                  <Nothing q={query.get("q")} unknown={category === null && slug !== null} />
                ) : (
                  <ul class="cards">
                    {data.map((one, i) => (
                      <Card of={one} key={one.id} eager={i < 4} />
                    ))}
                  </ul>
                )}
                <Pager current={meta.current_page} last={meta.last_page} href={withPage} />
              </>
            )}
          </Loaded>
        </div>
      </div>
    </>
  );
}

/** The places of what a department says of itself. */
function HeadOutline() {
  return (
    <div class="outline">
      <p class="lead">
        <span class="line short" />
      </p>
      <p class="chips">
        <span class="chip">…</span>
      </p>
    </div>
  );
}

function ListOutline() {
  return (
    <>
      <div class="list-bar" />
      <CardOutlines count={perPage} />
    </>
  );
}

/** The heading; null until the category is known. */
function heading(q: string | null, slug: string | null, category: Category | null | undefined): string | null {
  if (q) return t.list.found(q);
  if (slug === null) return t.shell.everything;
  return category === null ? t.list.unknownDepartment : (category?.name ?? null);
}

function Crumbs({ all, category }: { all: Category[]; category: Category | null | undefined }) {
  const path = category ? pathTo(all, category).slice(0, -1) : [];
  return (
    <nav class="crumbs" aria-label={t.shell.here}>
      <a href="#/">{t.shell.start}</a>
      {path.map((one) => (
        <a href={href(["products"], new URLSearchParams({ category: one.slug }))}>{one.name}</a>
      ))}
    </nav>
  );
}

function Children({ all, of }: { all: Category[]; of: Category }) {
  const children = childrenOf(all, of);
  if (children.length === 0) return null;
  return (
    <ul class="chips" aria-label={t.list.partsOf(of.name)}>
      {children.map((one) => (
        <li>
          <a class="chip" href={href(["products"], new URLSearchParams({ category: one.slug }))}>
            {one.name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The words of the query that were taken for typing errors. */
function Corrected({ words: corrected }: { words: Record<string, string> | null | undefined }) {
  const words = Object.entries(corrected ?? {});
  if (words.length === 0) return null;
  return (
    <>
      {t.list.searchedFor}{" "}
      {words.map(([, used]) => (
        <b>{used} </b>
      ))}{" "}
      {t.list.insteadOf}{" "}
      {words.map(([sent]) => (
        <s>{sent} </s>
      ))}
    </>
  );
}

/** A list without products: what else to try, and the departments. */
function Nothing({ q, unknown }: { q: string | null; unknown: boolean }) {
  const all = useStore(categories)?.all ?? [];
  return (
    <div class="empty">
      <h2>{t.list.nothing}</h2>
      <p>
        <Linked text={q ? t.list.otherWord : unknown ? t.list.gone : t.list.fewerFilters} to="#/products" />
      </p>
      <p id="look-in">{t.list.lookIn}</p>
      <ul class="chips" aria-labelledby="look-in">
        {roots(all).map((one) => (
          <li>
            <a class="chip" href={href(["products"], new URLSearchParams({ category: one.slug }))}>
              {one.name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
