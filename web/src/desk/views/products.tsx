import { href } from "../../shared/router.js";
import { makeStore, useStore } from "../../shared/store.js";
import { t } from "../../shared/t.js";
import { isActive, listEntries, priceOf } from "../entries.js";
import { Few } from "../parts/few.js";
import { RowList, Search, Tabs, useRows } from "../parts/rows.js";
import { can } from "../session.js";
import { useTitle } from "../title.js";

const searched = makeStore("");

export function ProductsView({ query }: { query: URLSearchParams }) {
  useTitle(t.places.products);
  const few = can("store:read") && query.get("show") === "few";
  const tabs = [
    { key: "all", to: "#/products", name: t.products.all },
    ...(can("store:read") ? [{ key: "few", to: "#/products?show=few", name: t.products.few }] : []),
  ];
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{t.places.products}</h1>
        {!few && <Search label={t.products.search} hint={t.products.searchHint} value={searched.get()} onSearch={searched.set} />}
      </div>
      <Tabs label={t.products.which} here={few ? "few" : "all"} tabs={tabs} />
      {few ? <Few /> : <All />}
    </>
  );
}

function All() {
  const q = useStore(searched);
  const rows = useRows((after: string | null, signal) => listEntries("products", q, after, signal), [q]);
  return (
    <RowList of={rows} kind="products" heads={t.products.heads} none={<p>{q ? t.products.noneFound : t.products.none}</p>}>
      {(one) => (
        <a class="row cells-products" href={href(["products", one.id])}>
          <b class="cut">{one.name}</b>
          <span class="cut cell-soft">{one.sku}</span>
          <span class="cell-soft">{one.variants?.length ? t.products.variants(one.variants.length) : ""}</span>
          <span>{!isActive(one) && <i class="state state-off">{t.product.isInactive}</i>}</span>
          <span class="number">{priceOf(one)}</span>
        </a>
      )}
    </RowList>
  );
}
