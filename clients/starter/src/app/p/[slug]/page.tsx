import type { Metadata } from "next";
import type { ReactNode } from "react";
import type { Money } from "cartd-client";
import { Buy } from "./buy";
import { Choosing, ChosenPrice } from "./choosing";
import { Configure } from "./configure";
import { Gallery } from "./gallery";
import { Price } from "@/parts/card";
import { Crumbs, crumbsOf } from "@/parts/crumbs";
import { JSONLD } from "@/parts/json";
import { Link } from "@/parts/link";
import { categories, decoded, goElsewhere, pathTo, prices, product, schema, store, taxed } from "@/server/catalogue";
import { pageMeta } from "@/server/meta";
import { settings } from "@/server/settings";
import type { Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";

interface Props {
  params: Promise<{ slug: string }>;
}

async function find({ params }: Props) {
  const { slug } = await params;
  return (await product(decoded(slug))) ?? (await goElsewhere(`/p/${slug}`));
}

const addressOf = (slug: string) => `/p/${encodeURIComponent(slug)}`;

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { name: title, description, slug, media } = await find(props);
  return pageMeta({ title, description: description?.replace(/\s+/g, " "), path: addressOf(slug), images: media.map(({ url }) => url) });
}

export default async function ProductPage(props: Props) {
  const one = await find(props);
  const [{ word, ships, language }, { pick, money }, { policy }, all] = await Promise.all([texts(), prices(), store(), categories()]);
  const category = all.find(({ id }) => id === one.category_ids[0]);
  const crumbs = category ? (await pathTo(category)).map(({ name, slug }) => ({ name, at: `/c/${encodeURIComponent(slug)}` })) : [];
  const pictures = [...one.media, ...one.variants.flatMap(({ media }) => media)];
  const unique = pictures.filter(({ url }, i) => pictures.findIndex((other) => other.url === url) === i);
  const placed = one.variants.flatMap(({ id, media }) => (media[0] ? [[id, unique.findIndex(({ url }) => url === media[0]!.url)] as const] : []));
  // A variant is shown with the members of its product that count for its price.
  const ofVariants = one.variants.map(
    (variant) => [variant.id, <Price key={variant.id} product={{ ...one, ...variant, variants_count: 0 }} />] as const,
  );
  const tiers = policy.pricing.show_tier_table ? one.tier_prices : [];
  return (
    <>
      {crumbs.length > 0 && <Crumbs of={crumbs} />}
      <Choosing>
        <article className="product">
          <Gallery pictures={unique} places={Object.fromEntries(placed)} language={language} />
          <div>
            <h1>{one.name}</h1>
            <ChosenPrice of={Object.fromEntries(ofVariants)}>
              <Price product={one} />
            </ChosenPrice>
            {one.stock_status === "backorder" ? (
              <p className="badge">{ships(one.available_from)}</p>
            ) : (
              one.stock_status !== "untracked" && <p className="badge">{word(one.stock_status)}</p>
            )}
            {one.description && <p className="text">{one.description}</p>}
            {tiers.length > 0 && (
              <ul className="tiers">
                {tiers.map((tier) => (
                  <li key={tier.min_quantity}>{word("tier", { n: tier.min_quantity, price: money(pick(tier, "unit_price")) })}</li>
                ))}
              </ul>
            )}
            <Form of={one} />
          </div>
        </article>
      </Choosing>
      <JSONLD
        data={{
          "@type": "Product",
          name: one.name,
          sku: one.sku,
          description: one.description,
          image: unique.map(({ url }) => settled(url)),
          offers: offersOf(one),
        }}
      />
      {crumbs.length > 0 && <JSONLD data={crumbsOf([...crumbs, { name: one.name, at: addressOf(one.slug) }])} />}
    </>
  );
}

/** What can be done with the product: it is added to the cart, unless this store does not sell it now. */
async function Form({ of }: { of: Schemas["Product"] }): Promise<ReactNode> {
  const [{ word, language }, { pick, money, hidden, vat }, { modules }] = await Promise.all([texts(), prices(), store()]);
  const priced = of.price !== null || of.price_from !== null || of.variants.some(({ price }) => price !== null);
  const byQuote = of.purchasability === "quote";
  if (!priced && !byQuote && hidden) return <Link href="/account">{word("no_price")}</Link>;
  const form = of.capability === "made_to_measure" ? await schema(of.id) : null;
  const sold = of.capability_active && (byQuote ? modules.includes("sales") : priced) && (of.capability === "standard" || form !== null);
  if (!sold) return <p>{word("not_sold")}</p>;
  const { id, options, text_fields, unit, min_quantity, max_quantity, quantity_step } = of;
  const goods = { id, options, text_fields, unit, min_quantity, max_quantity, quantity_step };
  if (form) return <Configure product={goods} schema={form} language={language} vat={vat} country={(await taxed()).country} />;
  const variants = of.variants.map((variant) => {
    const price = pick(variant, "price");
    const { id, name, attributes, stock_status, available_from } = variant;
    return { id, name, attributes, stock_status, available_from, shown: price && money(price) };
  });
  return (
    <>
      {byQuote && <p>{word("ask_us")}</p>}
      <Buy product={goods} variants={variants} soldOut={of.stock_status === "out_of_stock"} language={language} />
    </>
  );
}

const settled = (url: string) => new URL(url, settings.shop).href;

const availabilities = { out_of_stock: "OutOfStock", backorder: "BackOrder", in_stock: "InStock", untracked: "InStock" };

/** The offers as search engines read them: one price, or the lowest and the highest of several. */
function offersOf(one: Schemas["Product"]): object | undefined {
  const all =
    one.variants.length > 0 ? one.variants.flatMap(({ price }) => price ?? []) : [one.price ?? one.price_from].flatMap((price) => price ?? []);
  if (all.length === 0) return undefined;
  const text = (money: Money) => (money.amount / 100).toFixed(2);
  const sorted = all.toSorted((a, b) => a.amount - b.amount);
  const several = one.variants.length > 1 || one.price === null;
  return {
    "@type": several ? "AggregateOffer" : "Offer",
    priceCurrency: sorted[0]!.currency,
    availability: `https://schema.org/${availabilities[one.stock_status]}`,
    url: settled(addressOf(one.slug)),
    ...(several ? { lowPrice: text(sorted[0]!), offerCount: Math.max(1, one.variants.length) } : { price: text(sorted[0]!) }),
    ...(one.variants.length > 1 && { highPrice: text(sorted.at(-1)!) }),
    ...(one.price_until && { priceValidUntil: one.price_until }),
  };
}
