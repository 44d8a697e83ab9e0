import type { Metadata } from "next";
import { JSONLD } from "@/parts/json";
import { Link } from "@/parts/link";
import { List } from "@/parts/list";
import { crumbsOf, Crumbs } from "@/parts/crumbs";
import { categories, decoded, goElsewhere, pageOf, pathTo, type Filters } from "@/server/catalogue";
import { pageMeta } from "@/server/meta";
import { texts } from "@/texts/texts";

interface Props {
  params: Promise<{ slug: string }>;
  searchParams: Promise<Filters>;
}

async function find(props: Props) {
  const { slug } = await props.params;
  return (await categories()).find((one) => one.slug === decoded(slug)) ?? goElsewhere(`/c/${slug}`);
}

const addressOf = (slug: string) => `/c/${encodeURIComponent(slug)}`;

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { name: title, slug, description, media } = await find(props);
  const page = pageOf((await props.searchParams).page);
  return pageMeta({ title, description, path: addressOf(slug) + (page > 1 ? `?page=${page}` : ""), images: media.map(({ url }) => url) });
}

export default async function CategoryPage(props: Props) {
  const category = await find(props);
  const crumbs = (await pathTo(category)).map(({ name, slug }) => ({ name, at: addressOf(slug) }));
  const below = (await categories()).filter((one) => one.parent_id === category.id && one.products_total > 0);
  const { word } = await texts();
  return (
    <>
      <Crumbs of={crumbs} />
      <h1>{category.name}</h1>
      {category.description && <p className="text">{category.description}</p>}
      {below.length > 0 && (
        <nav className="below" aria-label={word("below")}>
          {below.map((one) => (
            <Link key={one.id} href={addressOf(one.slug)}>
              {one.name} <small>{one.products_total}</small>
            </Link>
          ))}
        </nav>
      )}
      <List path={addressOf(category.slug)} filters={await props.searchParams} category={category.id} />
      <JSONLD data={crumbsOf(crumbs)} />
    </>
  );
}
