import type { Metadata } from "next";
import Link from "next/link";
import { Card, Picture } from "@/parts/card";
import { categories, products } from "@/server/catalogue";
import { texts } from "@/texts/texts";

export const metadata: Metadata = { alternates: { canonical: "/" } };

export default async function Home() {
  const [{ word }, all, { data }] = await Promise.all([texts(), categories(), products({})]);
  return (
    <>
      <h1>{word("products")}</h1>
      <ul className="cards">
        {all
          .filter((one) => one.parent_id === null && one.products_total > 0)
          .map((one) => (
            <li key={one.id} className="card">
              <Link href={`/c/${encodeURIComponent(one.slug)}`}>
                <Picture media={one.media[0]} />
                <span className="name">{one.name}</span>
              </Link>
              {one.description && <p>{one.description}</p>}
            </li>
          ))}
      </ul>
      <h2>{word("sort_best")}</h2>
      <ul className="cards">
        {data.slice(0, 8).map((product) => (
          <Card key={product.id} product={product} />
        ))}
      </ul>
    </>
  );
}
