import Link from "next/link";
import { formatMoney } from "cartd-client";
import { shown, store } from "@/server/catalogue";
import type { Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";

/** A product in a list. */
export async function Card({ product }: { product: Schemas["Product"] }) {
  const { word } = await texts();
  return (
    <li className="card">
      <Link href={`/p/${encodeURIComponent(product.slug)}`}>
        <Picture media={product.media[0]} />
        <span className="name">{product.name}</span>
      </Link>
      <Price product={product} />
      {product.stock_status === "out_of_stock" && <span className="badge">{word("out_of_stock")}</span>}
    </li>
  );
}

/** The price of a product, as this visitor sees it. */
export async function Price({ product }: { product: Schemas["Product"] }) {
  const { word, language, date } = await texts();
  const withoutTax = (await store()).policy.pricing.vat_display === "ex";
  const price = shown(product, withoutTax);
  if (price === null) {
    const from = product.price_from;
    return <p className="price">{from ? word("from", { price: formatMoney(from, language) }) : word(product.purchasability === "quote" ? "on_request" : "no_price")}</p>;
  }
  return (
    <p className="price">
      {product.variants_count > 1 ? word("from", { price: formatMoney(price, language) }) : formatMoney(price, language)}
      {product.original_price && !withoutTax && (
        <>
          {" "}
          <s aria-label={`${word("instead_of")} ${formatMoney(product.original_price, language)}`}>{formatMoney(product.original_price, language)}</s>
        </>
      )}{" "}
      <small>{word(withoutTax || !product.price_includes_tax ? "without_tax" : "with_tax")}</small>
      {product.price_until && <small> {word("until", { date: date(product.price_until) })}</small>}
    </p>
  );
}

export function Picture({ media, eager }: { media: Schemas["Media"] | null | undefined; eager?: boolean }) {
  return (
    <span className="picture">
      {media && <img src={media.url} alt={media.alt ?? ""} width={400} height={400} loading={eager ? "eager" : "lazy"} />}
    </span>
  );
}
