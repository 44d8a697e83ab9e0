import { categories, products, shared, type Filters } from "@/server/catalogue";
import type { Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";
import { Card } from "./card";
import { Link } from "./link";
import { Pager } from "./pager";

/** A list of products with its filters, at one path. All of it is in the address, so that it can be shared. */
export async function List({ path, filters, category }: { path: string; filters: Filters; category?: string }) {
  const { word } = await texts();
  const [{ data, meta, facets }, all] = await Promise.all([products(filters, category), categories()]);
  // A category's own page names what is below it, with all products: here are the categories that a search found.
  const counts = category ? [] : facets.categories.filter(({ count }) => count > 0);
  const below = counts.flatMap(({ id, count }) => all.filter((one) => one.id === id).map((one) => ({ ...one, count })));
  const to = `${path}?${new URLSearchParams([...entries(filters, "page"), ["page", ""]])}`;
  return (
    <div className="list">
      <div>
        {below.length > 0 && (
          <nav aria-label={word("below")}>
            {below.map((one) => (
              <Link key={one.id} href={`/c/${encodeURIComponent(one.slug)}`}>
                {one.name} <small>{one.count}</small>
              </Link>
            ))}
          </nav>
        )}
        <details open={entries(filters, "q").length > 0}>
          <summary>{word("filter")}</summary>
          <Choices {...{ path, filters, facets }} />
        </details>
      </div>
      <section aria-label={word("products")}>
        <p>{meta.total > 0 ? word(meta.total === 1 ? "result" : "results", { n: meta.total }) : word("none_found")}</p>
        {meta.corrected && Object.keys(meta.corrected).length > 0 && <p>{word("corrected", { words: Object.values(meta.corrected).join(", ") })}</p>}
        <ul className="cards">
          {data.map((product, i) => (
            <Card key={product.id} product={product} first={i < 4} />
          ))}
        </ul>
        <Pager page={meta.current_page} last={meta.last_page} to={to} />
      </section>
    </div>
  );
}

/** The filters that can be chosen, with the number of products that each one leaves. */
async function Choices({ path, filters, facets }: { path: string; filters: Filters; facets: Schemas["Facets"] }) {
  const [{ word, language }, { currency }] = await Promise.all([texts(), shared()]);
  const sign = new Intl.NumberFormat(language, { style: "currency", currency }).formatToParts(0).find(({ type }) => type === "currency")?.value;
  const one = (name: string) => [filters[name]].flat()[0] ?? "";
  const chosen = (name: string, value: string) => [filters[`a.${name}`]].flat().includes(value);
  return (
    <form action={path}>
      {filters.q && <input type="hidden" name="q" value={one("q")} />}
      <div className="field">
        <label htmlFor="sort">{word("sort")}</label>
        <select id="sort" name="sort" defaultValue={one("sort")}>
          <option value="">{word("sort_best")}</option>
          {(["price", "-price", "name"] as const).map((name) => (
            <option key={name} value={name}>
              {word(`sort_${name}`)}
            </option>
          ))}
        </select>
      </div>
      {(["price_min", "price_max"] as const).map((name) => (
        <div key={name} className="field">
          <label htmlFor={name}>{word(name, { currency: sign })}</label>
          <input id={name} name={name} inputMode="numeric" pattern="[0-9]*" defaultValue={one(name)} />
        </div>
      ))}
      {facets.attributes.map(({ name, values }) => (
        <fieldset key={name}>
          <legend>{name}</legend>
          {values.map(({ value, count }) => (
            <label key={value}>
              <input type="checkbox" name={`a.${name}`} value={value} defaultChecked={chosen(name, value)} /> {value} <small>{count}</small>
            </label>
          ))}
        </fieldset>
      ))}
      <button>{word("filter")}</button> <Link href={filters.q ? `${path}?q=${encodeURIComponent(one("q"))}` : path}>{word("clear")}</Link>
    </form>
  );
}

function entries(filters: Filters, without: string): [string, string][] {
  return Object.entries(filters).flatMap(([name, value]) =>
    name === without ? [] : [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
}
