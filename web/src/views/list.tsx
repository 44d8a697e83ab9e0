import { shop, type Category } from "../api.js";
import { categories, childrenOf, pathTo } from "../catalogue.js";
import { useLoad } from "../load.js";
import { Card, CardOutlines } from "../parts/card.js";
import { Facets } from "../parts/facets.js";
import { Loaded } from "../parts/failure.js";
import { Pager } from "../parts/pager.js";
import { go, href } from "../router.js";
import { useStore } from "../store.js";
import { useTitle } from "../title.js";

const perPage = 12;

const orders: [string, string][] = [
  ["", "Our order"],
  ["price", "Price, lowest first"],
  ["-price", "Price, highest first"],
  ["name", "Name, A to Z"],
  ["-name", "Name, Z to A"],
];

/** The products of a search or a category. The address has all of its state. */
export function ListView({ query }: { query: URLSearchParams }) {
  const known = useStore(categories);
  const category = known?.all.find((one) => one.slug === query.get("category"));
  const title = heading(query.get("q"), category);
  useTitle(title);
  const asked = filters(query, category);
  const list = useLoad(
    (signal) => shop.get("/v1/api/catalog/products", { query: asked as {}, signal }),
    [JSON.stringify(asked), known === null],
  );
  /** The address with another value of a parameter; on the first page, unless it is the page. */
  const withValue = (name: string, values: string[]): string => {
    const next = new URLSearchParams(query);
    next.delete(name);
    if (name !== "page") next.delete("page");
    for (const value of values) if (value !== "") next.append(name, value);
    return href(["products"], next);
  };
  return (
    <>
      <Crumbs all={known?.all ?? []} category={category} />
      <div class="list-head">
        <h1 tabIndex={-1}>{title}</h1>
        {category?.description && <p class="lead">{category.description}</p>}
        {category && <Children all={known?.all ?? []} of={category} />}
      </div>
      <div class="list">
        <Facets counts={list.body?.facets} query={query} withValue={withValue} />
        <div class="list-body">
          <Loaded from={list} outline={<CardOutlines count={perPage} />}>
            {({ data, meta }) => (
              <>
                <div class="list-bar">
                  <p role="status">
                    {meta.total === 1 ? "1 product" : `${meta.total} products`}
                    <Corrected words={meta.corrected} />
                  </p>
                  <label class="sort">
                    Sort by{" "}
                    <select value={query.get("sort") ?? ""} onChange={(event) => go(withValue("sort", [event.currentTarget.value]))}>
                      {orders.map(([value, label]) => (
                        <option value={value}>{label}</option>
                      ))}
                    </select>
                  </label>
                </div>
                {data.length === 0 ? (
                  <Nothing q={query.get("q")} />
                ) : (
                  <ul class="cards">
                    {data.map((one, i) => (
                      <Card of={one} key={one.id} eager={i < 4} />
                    ))}
                  </ul>
                )}
                <Pager
                  current={meta.current_page}
                  last={meta.last_page}
                  href={(page) => withValue("page", page === 1 ? [] : [String(page)])}
                />
              </>
            )}
          </Loaded>
        </div>
      </div>
    </>
  );
}

/** The parameters of the request. */
function filters(query: URLSearchParams, category: Category | undefined): Record<string, unknown> {
  const asked: Record<string, unknown> = { per_page: perPage, include: ["facets"] };
  for (const name of ["q", "sort", "page", "price_min", "price_max"]) if (query.has(name)) asked[name] = query.get(name);
  if (category) asked.in_category = category.slug;
  for (const name of new Set(query.keys())) {
    if (name.startsWith("attributes.")) asked[`attributes[${encodeURIComponent(name.slice("attributes.".length))}][]`] = query.getAll(name);
  }
  return asked;
}

function heading(q: string | null, category: Category | undefined): string {
  if (q) return `Found for “${q}”`;
  return category?.name ?? "Everything";
}

function Crumbs({ all, category }: { all: Category[]; category: Category | undefined }) {
  const path = category ? pathTo(all, category).slice(0, -1) : [];
  return (
    <nav class="crumbs" aria-label="You are here">
      <a href="#/">Start</a>
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
    <ul class="chips" aria-label={`Parts of ${of.name}`}>
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
      , searched for{" "}
      {words.map(([, used]) => (
        <b>{used} </b>
      ))}{" "}
      instead of{" "}
      {words.map(([sent]) => (
        <s>{sent} </s>
      ))}
    </>
  );
}

function Nothing({ q }: { q: string | null }) {
  return (
    <div class="empty">
      <h2>Nothing matches</h2>
      <p>
        {q ? "Try another word, or fewer filters." : "Try fewer filters."} Or <a href="#/products">see everything</a>.
      </p>
    </div>
  );
}
