import type { Product } from "../api.js";
import { href } from "../shared/router.js";
import { Picture } from "./picture.js";
import { Price, saleOf } from "./price.js";
import { shipsFrom } from "../stock.js";
import { t } from "../shared/t.js";

/** A product in a list. */
export function Card({ of, eager }: { of: Product; eager?: boolean }) {
  return (
    <li class="card">
      <a href={href(["product", of.slug])}>
        <Picture of={of.media[0]} eager={eager} />
        <span class="card-name">{of.name}</span>
        <Price of={of} />
        <Tags of={of} />
      </a>
    </li>
  );
}

function Tags({ of }: { of: Product }) {
  const sale = saleOf(of);
  const tags = [
    of.stock_status === "out_of_stock" && t.product.soldOut,
    of.stock_status === "backorder" && shipsFrom(of.available_from),
    of.purchasability === "quote" && t.product.byQuote,
    of.capability === "made_to_measure" && of.price_from && t.product.made,
    of.variants_count > 1 && t.product.variants(of.variants_count),
  ].filter((one): one is string => Boolean(one));
  if (tags.length === 0 && sale === null) return null;
  return (
    <span class="tags">
      {sale && <b class="sale">{sale}</b>}
      {sale && tags.length > 0 && " · "}
      {tags.join(" · ")}
    </span>
  );
}

/** The outline of a list that is loading. */
export function CardOutlines({ count }: { count: number }) {
  return (
    <ul class="cards">
      {Array.from({ length: count }, () => (
        <li class="card outline">
          <div class="picture" />
          <span class="line" />
          <span class="line short" />
        </li>
      ))}
    </ul>
  );
}
