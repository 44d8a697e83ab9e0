import { useEffect, useState } from "preact/hooks";
import { shop, type Media, type Product, type Variant } from "../api.js";
import { useLoad } from "../shared/load.js";
import { Buy } from "../parts/buy.js";
import { Configure } from "../parts/configure.js";
import { Loaded, Missing } from "../shared/failure.js";
import { GoodToKnow } from "../parts/known.js";
import { Linked } from "../shared/linked.js";
import { Options } from "../parts/options.js";
import { Picture } from "../parts/picture.js";
import { categories, pathTo, productOf } from "../catalogue.js";
import { href, rename } from "../shared/router.js";
import { useStore } from "../shared/store.js";
import { t } from "../shared/t.js";
import { useFresh } from "../time.js";
import { chosenOf, picksOf, type Picked } from "../variants.js";
import { useTaxCountry } from "../vat.js";
import { useShared, useTitle } from "../title.js";

/** A product; `variant` is the id of the one that the address names. */
export function ProductView({ slug, variant }: { slug: string; variant: string | null }) {
  const query = useTaxCountry();
  const product = useLoad(
    (signal) => shop.get("/v1/api/catalog/products/{id}", { path: { id: slug }, query, signal }),
    [slug, query.country],
  );
  useTitle(product.body?.name ?? (product.failure?.status === 404 ? t.product.gone : null));
  useShared(product.body?.name, product.body?.media[0]?.url);
  useFresh(product.body ? [product.body, ...product.body.variants].map((one) => one.price_until) : [], product.refresh);
  return (
    <Loaded
      from={product}
      outline={<Outline />}
      missing={
        <Missing title={t.product.gone}>
          <p>
            <Linked text={t.product.goneWhy} to="#/products" />
          </p>
        </Missing>
      }
    >
      {(body) => (body.capability === "made_to_measure" ? <Configure of={body} /> : <Standard of={body} named={variant} />)}
    </Loaded>
  );
}

function Standard({ of, named }: { of: Product; named: string | null }) {
  const [picked, setPicked] = useState<Picked>(() => {
    const first = of.variants.find((one) => one.id === named) ?? (of.variants.length === 1 ? of.variants[0] : undefined);
    return first ? picksOf(of, first) : {};
  });
  const chosen = chosenOf(of, picked);
  // The address names the variant: it can be sent to somebody, and is there after a reload. An address that comes with another one chooses that.
  const pick = (next: Picked) => {
    setPicked(next);
    rename(productOf(of.slug, chosenOf(of, next)?.id));
  };
  useEffect(() => {
    const other = of.variants.find((one) => one.id === named);
    if (other && other.id !== chosen?.id) setPicked(picksOf(of, other));
  }, [named]);
  return (
    <article class="product">
      <Gallery all={[...(chosen?.media ?? []), ...of.media]} key={chosen?.id} />
      <div class="product-body">
        <ProductHead of={of} sku={chosen?.sku ?? of.sku} />
        {of.variants.length > 0 && <Options of={of} picked={picked} pick={pick} />}
        <Buy of={of} variant={chosen} picked={picked} choose={(variant) => pick(picksOf(of, variant))} key={chosen?.id} />
        <GoodToKnow of={of} variant={chosen} />
        <Facts of={of} variant={chosen} />
      </div>
    </article>
  );
}

/** Where the product stands, its name and its text. */
export function ProductHead({ of, sku }: { of: Product; sku: string | null }) {
  const all = useStore(categories)?.all ?? [];
  const category = all.filter((one) => of.category_ids.includes(one.id)).at(-1);
  return (
    <>
      <nav class="crumbs" aria-label={t.shell.here}>
        {category ? (
          pathTo(all, category).map((one) => <a href={href(["products"], new URLSearchParams({ category: one.slug }))}>{one.name}</a>)
        ) : (
          <a href="#/products">{t.shell.everything}</a>
        )}
      </nav>
      <h1 tabIndex={-1}>{of.name}</h1>
      {of.description && <p class="lead">{of.description}</p>}
      {sku && <p class="sku">{t.product.number(sku)}</p>}
    </>
  );
}

/** The pictures of a product, one of them large. */
export function Gallery({ all }: { all: Media[] }) {
  const [shown, setShown] = useState(0);
  const pictures = all.filter((one, i) => all.findIndex((other) => other.url === one.url) === i);
  return (
    <div class="gallery">
      <Picture of={pictures[shown]} eager />
      {pictures.length > 1 && (
        <ul class="thumbs">
          {pictures.map((one, i) => (
            <li>
              <button
                type="button"
                aria-pressed={i === shown}
                aria-label={`${t.product.picture(i + 1)}${one.alt ? `: ${one.alt}` : ""}`}
                onClick={() => setShown(i)}
              >
                <img src={one.url} alt="" width="72" height="72" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What is known about the product beside its text. */
function Facts({ of, variant }: { of: Product; variant: Variant | null }) {
  const facts = Object.entries({ ...of.attributes, ...variant?.attributes });
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{Array.isArray(value) ? value.join(", ") : value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Outline() {
  return (
    <div class="product outline">
      <div class="gallery">
        <div class="picture" />
      </div>
      <div class="product-body">
        <span class="line title" />
        <span class="line" />
        <span class="line short" />
      </div>
    </div>
  );
}
