import type { Metadata } from "next";
import Link from "next/link";
import { formatMoney } from "cartd-client";
import { Buy } from "./buy";
import { Configure } from "./configure";
import { Picture, Price } from "@/parts/card";
import { JSONLD } from "@/parts/json";
import { categories, goElsewhere, product, schema, shown, store } from "@/server/catalogue";
import { settings } from "@/server/settings";
import { texts } from "@/texts/texts";

interface Props {
  params: Promise<{ slug: string }>;
}

async function find({ params }: Props) {
  const slug = decodeURIComponent((await params).slug);
  return (await product(slug)) ?? (await goElsewhere(`/p/${slug}`));
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { name, description, slug, media } = await find(props);
  return {
    title: name,
    description,
    alternates: { canonical: `/p/${encodeURIComponent(slug)}` },
    openGraph: { title: name, ...(description && { description }), images: media.map(({ url }) => url) },
  };
}

export default async function ProductPage(props: Props) {
  const one = await find(props);
  const [{ word, language }, all, shop] = await Promise.all([texts(), categories(), store()]);
  const category = all.find(({ id }) => id === one.category_ids[0]);
  const withoutTax = shop.policy.pricing.vat_display === "ex";
  const offer = one.price && {
    "@type": "Offer",
    price: (one.price.amount / 100).toFixed(2),
    priceCurrency: one.price.currency,
    availability: `https://schema.org/${one.stock_status === "out_of_stock" ? "OutOfStock" : "InStock"}`,
    url: `${settings.shop}/p/${encodeURIComponent(one.slug)}`,
  };
  return (
    <>
      {category && (
        <nav className="crumbs" aria-label={word("path")}>
          <Link href="/">{word("home")}</Link>
          <Link href={`/c/${encodeURIComponent(category.slug)}`}>{category.name}</Link>
        </nav>
      )}
      <article className="product">
        <Picture media={one.media[0]} eager />
        <div>
          <h1>{one.name}</h1>
          <Price product={one} />
          {one.stock_status !== "untracked" && <p className="badge">{word(one.stock_status)}</p>}
          {one.description && <p>{one.description}</p>}
          {shop.policy.pricing.show_tier_table && one.tier_prices.length > 0 && (
            <ul className="tiers">
              {one.tier_prices.map((tier) => (
                <li key={tier.min_quantity}>{word("tier", { n: tier.min_quantity, price: formatMoney(tier.unit_price, language) })}</li>
              ))}
            </ul>
          )}
          {one.capability === "made_to_measure" ? (
            <Configure product={{ id: one.id, text_fields: one.text_fields }} schema={await schema(one.id)} language={language} />
          ) : (
            <Buy
              product={{ id: one.id, options: one.options, text_fields: one.text_fields, unit: one.unit }}
              variants={one.variants.map((v) => ({ id: v.id, name: v.name, attributes: v.attributes, stock_status: v.stock_status, shown: shown(v, withoutTax) }))}
              language={language}
            />
          )}
        </div>
      </article>
      <JSONLD data={{ "@type": "Product", name: one.name, sku: one.sku, description: one.description, image: one.media.map(({ url }) => new URL(url, settings.shop)), offers: offer ?? undefined }} />
    </>
  );
}
