import type { Metadata } from "next";
import { List } from "@/parts/list";
import type { Filters } from "@/server/catalogue";
import { ownPage } from "@/server/meta";
import { texts } from "@/texts/texts";

interface Props {
  searchParams: Promise<Filters>;
}

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("search"));
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
