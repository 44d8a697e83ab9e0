import type { components } from "cartd-client";
import { useEffect, useRef, useState } from "preact/hooks";
import { cents } from "../shared/formats.js";
import { categories } from "../catalogue.js";
import { config } from "../config.js";
import { go, href } from "../shared/router.js";
import { store } from "../settings.js";
import { useStore } from "../shared/store.js";
import { useVat } from "../vat.js";
import { t } from "../shared/t.js";

type FacetCounts = components["schemas"]["Facets"];
type WithValue = (name: string, values: string[]) => string;

/** The filters of a list with the number of products that each leaves. On a phone they are closed at first. */
export function Facets({
  counts,
  total,
  query,
  withValue,
}: {
  counts: FacetCounts | undefined;
  /** The number of products in the list. */
  total: number;
  query: URLSearchParams;
  withValue: WithValue;
}) {
  const [open, setOpen] = useState(false);
  if (!counts) return <FacetsOutline />;
  const chosen = [...query.keys()].filter((name) => name.startsWith("attributes.") || name.startsWith("price_")).length;
  return (
    <aside class="facets" aria-label={t.list.filters}>
      <button
        type="button"
        class="facets-toggle button button-quiet"
        aria-expanded={open}
        aria-controls="facets"
        onClick={() => setOpen(!open)}
      >
        {t.list.filter}
        {chosen > 0 && ` (${chosen})`}
      </button>
      <div id="facets" class={open ? "facets-body facets-open" : "facets-body"}>
        {chosen > 0 && (
          <a class="facets-clear" href={cleared(query)}>
            {t.list.clear}
          </a>
        )}
        <Groups counts={counts.categories} query={query} withValue={withValue} />
        <PriceRange counts={counts.price} query={query} />
        {attributesOf(counts.attributes, total, [...query.keys()]).map((one) => (
          <Attribute key={one.name} of={one} query={query} withValue={withValue} />
        ))}
      </div>
    </aside>
  );
}

/** The place of the filters, so that the list does not move when they come. */
function FacetsOutline() {
  return (
    <aside class="facets outline" aria-label={t.list.filters}>
      <button type="button" class="facets-toggle button button-quiet" aria-disabled="true">
        {t.list.filter}
      </button>
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
      <legend>{t.list.department}</legend>
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

/** The number of values that an attribute shows at first. */
const collapsed = 5;

/** The least part of the list that an attribute says something about, to be worth a filter. */
const leastPart = 1 / 5;

/** The attributes to filter by: those that a good part of the list has, and those that are chosen. */
export function attributesOf(all: FacetCounts["attributes"], total: number, chosen: string[]): FacetCounts["attributes"] {
  const had = (of: FacetCounts["attributes"][number]) => of.values.reduce((sum, { count }) => sum + count, 0);
  return all.filter((one) => had(one) >= total * leastPart || chosen.includes(`attributes.${one.name}`));
}

/** An attribute's values; several are alternatives. The first five are shown, and those that are chosen. */
function Attribute({ of, query, withValue }: { of: FacetCounts["attributes"][number]; query: URLSearchParams; withValue: WithValue }) {
  const name = `attributes.${of.name}`;
  const chosen = query.getAll(name);
  const toggle = (value: string) =>
    go(withValue(name, chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]));
  const [all, setAll] = useState(false);
  const shown = all ? of.values : of.values.filter(({ value }, i) => i < collapsed || chosen.includes(value));
  return (
    <fieldset class="facet">
      <legend>{of.name}</legend>
      <ul>
        {shown.map(({ value, count }) => (
          <li key={value}>
            <label>
              <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} /> {value}
            </label>
            <span class="facet-count">{count}</span>
          </li>
        ))}
      </ul>
      {of.values.length > collapsed && (
        <button type="button" class="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t.list.fewer : t.list.all(of.values.length)}
          <span class="hidden"> {t.list.of(of.name)}</span>
        </button>
      )}
    </fieldset>
  );
}

const limits = ["price_min", "price_max"] as const;

/** The prices from and to. They count on Enter, and when the visitor leaves the two fields. */
function PriceRange({ counts, query }: { counts: FacetCounts["price"]; query: URLSearchParams }) {
  const form = useRef<HTMLFormElement>(null);
  const { ex } = useVat();
  const withTax = useStore(store)?.prices_include_tax && ex;
  const shown = (name: string) => (query.has(name) ? String(Number(query.get(name)) / 100) : "");
  const field = (name: string) => form.current?.elements.namedItem(name) as HTMLInputElement | null | undefined;
  // The fields follow the address: a filter may be cleared elsewhere.
  useEffect(() => {
    for (const name of limits) {
      const input = field(name);
      if (input) input.value = shown(name);
    }
  }, limits.map(shown));
  if (counts.min === null) return null; // hidden prices
  const submit = () => {
    const typed = limits.map((name) => Math.round(Number(field(name)?.value.replace(",", ".") ?? 0) * 100));
    const [from = 0, to = 0] = typed;
    const sorted = from > 0 && to > 0 && from > to ? [to, from] : typed;
    const next = new URLSearchParams(query);
    limits.forEach((name, i) => (sorted[i]! > 0 ? next.set(name, String(sorted[i])) : next.delete(name)));
    if (limits.every((name) => next.get(name) === query.get(name))) return;
    next.delete("page");
    go(href(["products"], next));
  };
  return (
    <fieldset class="facet">
      <legend>{withTax ? t.list.priceWithTax : t.list.price}</legend>
      <form
        ref={form}
        class="facet-price"
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => event.key === "Enter" && submit()}
        onFocusOut={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || submit()}
      >
        <input name="price_min" inputMode="decimal" aria-label={t.list.priceFrom(config.currency)} placeholder={cents(counts.min)} />
        <span aria-hidden="true">{t.list.to}</span>
        <input
          name="price_max"
          inputMode="decimal"
          aria-label={t.list.priceTo(config.currency)}
          placeholder={counts.max === null ? "" : cents(counts.max)}
        />
      </form>
    </fieldset>
  );
}
