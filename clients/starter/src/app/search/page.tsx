import type { Metadata } from "next";
import { List } from "@/parts/list";
import type { Filters } from "@/server/catalogue";
import { texts } from "@/texts/texts";

interface Props {
  searchParams: Promise<Filters>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await texts()).word("search"), robots: { index: false } };
}

export default async function Search({ searchParams }: Props) {
  const filters = await searchParams;
  const { word } = await texts();
  return (
    <>
      <h1>
        {word("search")}: {filters.q}
      </h1>
      <List path="/search" filters={filters} />
    </>
  );
}
