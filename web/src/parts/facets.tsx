import type { components } from "cartd-client";
import { useState } from "preact/hooks";
import { cents } from "../api.js";
import { categories } from "../catalogue.js";
import { go, href } from "../router.js";
import { useStore } from "../store.js";

type FacetCounts = components["schemas"]["Facets"];
type WithValue = (name: string, values: string[]) => string;

/** The filters of a list with the number of products that each leaves. On a phone they are closed at first. */
export function Facets({ counts, query, withValue }: { counts: FacetCounts | undefined; query: URLSearchParams; withValue: WithValue }) {
  const [open, setOpen] = useState(false);
  if (!counts) return <aside class="facets" aria-label="Filters" />;
  const chosen = [...query.keys()].filter((name) => name.startsWith("attributes.") || name.startsWith("price_")).length;
  return (
    <aside class="facets" aria-label="Filters">
      <button
        type="button"
        class="facets-toggle button button-quiet"
        aria-expanded={open}
        aria-controls="facets"
        onClick={() => setOpen(!open)}
      >
        Filter{chosen > 0 && ` (${chosen})`}
      </button>
      <div id="facets" class={open ? "facets-body facets-open" : "facets-body"}>
        {chosen > 0 && (
          <a class="facets-clear" href={cleared(query)}>
            Clear all filters
          </a>
        )}
        <Groups counts={counts.categories} query={query} withValue={withValue} />
        <PriceRange key={`${query.get("price_min")}-${query.get("price_max")}`} counts={counts.price} query={query} />
        {counts.attributes.map((one) => (
          <Attribute key={one.name} of={one} query={query} withValue={withValue} />
        ))}
      </div>
    </aside>
  );
}

function cleared(query: URLSearchParams): string {
  const next = new URLSearchParams();
  for (const name of ["q", "category", "sort"]) if (query.has(name)) next.set(name, query.get(name)!);
  return href(["products"], next);
}

function Groups({ counts, query, withValue }: { counts: FacetCounts["categories"]; query: URLSearchParams; withValue: WithValue }) {
  const all = useStore(categories)?.all ?? [];
  const rows = counts.flatMap(({ id, count }) => all.filter((one) => one.id === id && count > 0).map((one) => ({ ...one, count })));
  if (rows.length === 0 || !query.has("q")) return null; // a category's page has its parts above the list
  return (
    <fieldset class="facet">
      <legend>Department</legend>
      <ul>
        {rows.map((one) => (
          <li>
            <a href={withValue("category", [one.slug])}>{one.name}</a> <span class="facet-count">{one.count}</span>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** An attribute's values; several are alternatives. */
function Attribute({ of, query, withValue }: { of: FacetCounts["attributes"][number]; query: URLSearchParams; withValue: WithValue }) {
  const name = `attributes.${of.name}`;
  const chosen = query.getAll(name);
  const toggle = (value: string) =>
    go(withValue(name, chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]));
  return (
    <fieldset class="facet">
      <legend>{of.name}</legend>
      <ul>
        {of.values.map(({ value, count }) => (
          <li>
            <label>
              <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} /> {value}
            </label>
            <span class="facet-count">{count}</span>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** The prices from and to, in whole euro. */
function PriceRange({ counts, query }: { counts: FacetCounts["price"]; query: URLSearchParams }) {
  if (counts.min === null) return null; // hidden prices
  const shown = (name: string) => (query.has(name) ? String(Number(query.get(name)) / 100) : "");
  const submit = (form: HTMLFormElement) => {
    const next = new URLSearchParams(query);
    next.delete("page");
    for (const name of ["price_min", "price_max"]) {
      const euro = Number(String(new FormData(form).get(name)).replace(",", "."));
      next.delete(name);
      if (euro > 0) next.set(name, String(Math.round(euro * 100)));
    }
    go(href(["products"], next));
  };
  return (
    <fieldset class="facet">
      <legend>Price</legend>
      <form
        class="facet-price"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
        onChange={(event) => submit(event.currentTarget)}
      >
        <input
          name="price_min"
          inputMode="decimal"
          aria-label="Price from, in euro"
          placeholder={cents(counts.min)}
          value={shown("price_min")}
        />
        <span aria-hidden="true">to</span>
        <input
          name="price_max"
          inputMode="decimal"
          aria-label="Price to, in euro"
          placeholder={counts.max === null ? "" : cents(counts.max)}
          value={shown("price_max")}
        />
      </form>
    </fieldset>
  );
}
