import { useState } from "preact/hooks";
import { shop, type Media, type Product, type Variant } from "../api.js";
import { useLoad } from "../load.js";
import { Buy } from "../parts/buy.js";
import { Configure } from "../parts/configure.js";
import { Loaded, Missing } from "../parts/failure.js";
import { Options } from "../parts/options.js";
import { Picture } from "../parts/picture.js";
import { categories, pathTo } from "../catalogue.js";
import { href } from "../router.js";
import { useStore } from "../store.js";
import { chosenOf, picksOf, type Picked } from "../variants.js";
import { useShared, useTitle } from "../title.js";

export function ProductView({ slug }: { slug: string }) {
  const product = useLoad((signal) => shop.get("/v1/api/catalog/products/{id}", { path: { id: slug }, signal }), [slug]);
  useTitle(product.body?.name ?? (product.failure?.status === 404 ? "This product is gone" : null));
  useShared(product.body?.name, product.body?.media[0]?.url);
  return (
    <Loaded
      from={product}
      outline={<Outline />}
      missing={
        <Missing title="This product is gone">
          <p>
            It is not sold any more, or its address is wrong. <a href="#/products">See everything</a>.
          </p>
        </Missing>
      }
    >
      {(body) => (body.capability === "made_to_measure" ? <Configure of={body} /> : <Standard of={body} />)}
    </Loaded>
  );
}

function Standard({ of }: { of: Product }) {
  const [picked, setPicked] = useState<Picked>(() => (of.variants.length === 1 ? picksOf(of, of.variants[0]!) : {}));
  const chosen = chosenOf(of, picked);
  return (
    <article class="product">
      <Gallery all={[...(chosen?.media ?? []), ...of.media]} key={chosen?.id} />
      <div class="product-body">
        <ProductHead of={of} sku={chosen?.sku ?? of.sku} />
        {of.variants.length > 0 && <Options of={of} picked={picked} pick={setPicked} />}
        <Buy of={of} variant={chosen} picked={picked} choose={(variant) => setPicked(picksOf(of, variant))} key={chosen?.id} />
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
      <nav class="crumbs" aria-label="You are here">
        {category ? (
          pathTo(all, category).map((one) => <a href={href(["products"], new URLSearchParams({ category: one.slug }))}>{one.name}</a>)
        ) : (
          <a href="#/products">Everything</a>
        )}
      </nav>
      <h1 tabIndex={-1}>{of.name}</h1>
      {of.description && <p class="lead">{of.description}</p>}
      {sku && <p class="sku">No. {sku}</p>}
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
                aria-label={`Picture ${i + 1}${one.alt ? `: ${one.alt}` : ""}`}
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
