import { categories, prices } from "@/server/catalogue";
import type { Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";
import { Link } from "./link";
import { Picture } from "./picture";

/** How wide a card is, by the columns of .cards in globals.css. */
export const cardSizes = "(max-width: 26rem) 100vw, (max-width: 50rem) 45vw, 17rem";

/** A product in a list. The pictures of the first ones are loaded at once. */
export async function Card({ product, first }: { product: Schemas["Product"]; first?: boolean | undefined }) {
  const { word, ships } = await texts();
  return (
    <li className="card">
      <Link href={`/p/${encodeURIComponent(product.slug)}`}>
        <Picture media={product.media[0]} sizes={cardSizes} first={first} />
        <span className="name">{product.name}</span>
      </Link>
      <Price product={product} />
      {product.stock_status === "out_of_stock" && <span className="badge">{word("out_of_stock")}</span>}
      {product.stock_status === "backorder" && <span className="badge">{ships(product.available_from)}</span>}
    </li>
  );
}

/** The price of a product, as this visitor sees it. */
export async function Price({ product }: { product: Schemas["Product"] }) {
  const [{ word, date }, { pick, money, label, hidden }] = await Promise.all([texts(), prices()]);
  const price = pick(product, "price");
  const from = pick(product, "price_from");
  const before = pick(product, "original_price");
  if (price === null && from === null) {
    return <p className="price">{word(product.purchasability === "quote" ? "on_request" : hidden ? "no_price" : "not_sold")}</p>;
  }
  return (
    <p className="price">
      {price === null || product.variants_count > 1 ? word("from", { price: money((price ?? from)!) }) : money(price)}
      {before && (
        <>
          {" "}
          <s aria-label={`${word("instead_of")} ${money(before)}`}>{money(before)}</s>
        </>
      )}{" "}
      <small>{label}</small>
      {product.price_until && <small> {word("until", { date: date(product.price_until) })}</small>}
    </p>
  );
}

/** A category in a list. */
export async function CategoryCard({ category, first }: { category: Awaited<ReturnType<typeof categories>>[number]; first?: boolean | undefined }) {
  return (
    <li className="card">
      <Link href={`/c/${encodeURIComponent(category.slug)}`}>
        <Picture media={category.media[0]} sizes={cardSizes} first={first} />
        <span className="name">{category.name}</span>
      </Link>
      {category.description && <p>{category.description}</p>}
    </li>
  );
}
