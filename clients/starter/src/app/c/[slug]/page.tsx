import type { Metadata } from "next";
import Link from "next/link";
import { JSONLD } from "@/parts/json";
import { List } from "@/parts/list";
import { categories, goElsewhere, type Filters } from "@/server/catalogue";
import { settings } from "@/server/settings";
import { texts } from "@/texts/texts";

interface Props {
  params: Promise<{ slug: string }>;
  searchParams: Promise<Filters>;
}

/** The category with the ones above it, from the root on. */
async function find(props: Props) {
  const slug = decodeURIComponent((await props.params).slug);
  const all = await categories();
  const category = all.find((one) => one.slug === slug) ?? (await goElsewhere(`/c/${slug}`));
  const path = [category];
  for (let above = category; above.parent_id !== null; path.unshift(above)) above = all.find((one) => one.id === above.parent_id)!;
  return { category, path, slug };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { category } = await find(props);
  return {
    title: category.name,
    description: category.description,
    alternates: { canonical: `/c/${encodeURIComponent(category.slug)}` },
    openGraph: { title: category.name, images: category.media.map(({ url }) => url) },
  };
}

export default async function CategoryPage(props: Props) {
  const { category, path, slug } = await find(props);
  const { word } = await texts();
  const links = path.map(({ name, slug: at }) => ({ name, at: `/c/${encodeURIComponent(at)}` }));
  return (
    <>
      <nav className="crumbs" aria-label={word("path")}>
        <Link href="/">{word("home")}</Link>
        {links.map(({ name, at }) => (
          <Link key={at} href={at}>
            {name}
          </Link>
        ))}
      </nav>
      <h1>{category.name}</h1>
      {category.description && <p>{category.description}</p>}
      <List path={`/c/${encodeURIComponent(slug)}`} filters={await props.searchParams} category={category.id} />
      <JSONLD
        data={{
          "@type": "BreadcrumbList",
          itemListElement: links.map(({ name, at }, i) => ({ "@type": "ListItem", position: i + 1, name, item: settings.shop + at })),
        }}
      />
    </>
  );
}
