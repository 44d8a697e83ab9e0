import { shop } from "../api.js";
import { categories, roots } from "../catalogue.js";
import { useLoad } from "../shared/load.js";
import { Card, CardOutlines } from "../parts/card.js";
import { FailureNotice, Loaded } from "../shared/failure.js";
import { Picture } from "../parts/picture.js";
import { Window } from "../parts/window.js";
import { northwind, storeName } from "../page.js";
import { href } from "../shared/router.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../title.js";
import { loadCategories } from "../catalogue.js";
import { t } from "../shared/t.js";
import { useTaxCountry } from "../vat.js";

export function HomeView() {
  useTitle(null);
  return northwind ? <Northwind /> : <OwnCatalogue />;
}

/** The start of a merchant's catalogue: its name, its departments, and some of its products. */
function OwnCatalogue() {
  const taxed = useTaxCountry();
  const first = useLoad((signal) => shop.get("/v1/api/catalog/products", { query: { ...taxed, per_page: 12 }, signal }), [taxed.country]);
  return (
    <>
      <h1 tabIndex={-1}>{storeName}</h1>
      <Departments />
      <section class="band" aria-labelledby="products">
        <div class="band-head">
          <h2 id="products">{t.home.products}</h2>
          <a href={href(["products"])}>{t.shell.seeEverything}</a>
        </div>
        <Loaded from={first} outline={<CardOutlines count={6} />}>
          {({ data }) => (
            <ul class="cards">
              {data.map((one) => (
                <Card of={one} key={one.id} />
              ))}
            </ul>
          )}
        </Loaded>
      </section>
    </>
  );
}

/** The start of the demo's own store. */
function Northwind() {
  const taxed = useTaxCountry();
  const blinds = useLoad(
    (signal) => shop.get("/v1/api/catalog/products", { query: { ...taxed, capability: "made_to_measure", per_page: 6 }, signal }),
    [taxed.country],
  );
  return (
    <>
      <section class="hero">
        <div class="hero-text">
          <h1 tabIndex={-1}>{t.home.lead}</h1>
          <p>{t.home.text}</p>
          <p class="hero-actions">
            <a class="button" href={href(["product", "roller-blind"])}>
              {t.home.measure}
            </a>
            <a class="button button-quiet" href={href(["products"])}>
              {t.shell.seeEverything}
            </a>
          </p>
        </div>
        <Window />
      </section>
      <Departments />
      <section class="band" aria-labelledby="made">
        <div class="band-head">
          <h2 id="made">{t.home.made}</h2>
          <a href={href(["products"], new URLSearchParams({ category: "blinds" }))}>{t.home.allBlinds}</a>
        </div>
        <Loaded from={blinds} outline={<CardOutlines count={6} />}>
          {({ data }) => (
            <ul class="cards cards-large">
              {data.map((one) => (
                <Card of={one} key={one.id} />
              ))}
            </ul>
          )}
        </Loaded>
      </section>
    </>
  );
}

function Departments() {
  const known = useStore(categories);
  if (known?.failure) return <FailureNotice failure={known.failure} again={loadCategories} />;
  return (
    <section class="band" aria-labelledby="departments">
      <h2 id="departments" class="hidden">
        {t.shell.departments}
      </h2>
      <ul class="tiles">
        {known === null && <TileOutlines />}
        {roots(known?.all ?? []).map((one) => (
          <li>
            <a class="tile" href={href(["products"], new URLSearchParams({ category: one.slug }))}>
              <Picture of={one.media[0]} />
              <span class="tile-name">{one.name}</span>
              <span class="tile-count">{t.home.count(one.products_total)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The outlines of the departments, so that what follows does not move. */
function TileOutlines() {
  return (
    <>
      {Array.from({ length: 9 }, () => (
        <li class="tile outline">
          <div class="picture" />
          <span class="line" />
          <span class="line short" />
        </li>
      ))}
    </>
  );
}
