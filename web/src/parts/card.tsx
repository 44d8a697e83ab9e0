import type { Product } from "../api.js";
import { href } from "../router.js";
import { Picture } from "./picture.js";
import { Price } from "./price.js";

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
  const tags = [
    of.stock_status === "out_of_stock" && "Sold out",
    of.purchasability === "quote" && "By quote",
    of.capability === "made_to_measure" && of.price_from && "Made to measure",
    of.variants_count > 1 && `${of.variants_count} variants`,
  ].filter((one): one is string => Boolean(one));
  return tags.length > 0 ? <span class="tags">{tags.join(" · ")}</span> : null;
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
