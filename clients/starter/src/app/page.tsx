import type { Metadata } from "next";
import { Card, CategoryCard } from "@/parts/card";
import { categories, products, shared } from "@/server/catalogue";
import { pageMeta } from "@/server/meta";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  const { word } = await texts();
  const { store } = await shared();
  return pageMeta({ path: "/", description: word("description", { shop: store.name }) });
}

export default async function Home() {
  const { word } = await texts();
  const [all, { data }] = await Promise.all([categories(), products({})]);
  return (
    <>
      <h1>{word("products")}</h1>
      <ul className="cards">
        {all
          .filter((one) => one.parent_id === null && one.products_total > 0)
          .map((one, i) => (
            <CategoryCard key={one.id} category={one} first={i < 4} />
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
