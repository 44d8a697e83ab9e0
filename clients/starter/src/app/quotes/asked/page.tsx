import type { Metadata } from "next";
import { Record } from "@/parts/record";
import { ownPage } from "@/server/meta";
import { found, shopper } from "@/server/shop";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("quote_asked"));
}

/** A request for a quote that the merchant has not answered: its link comes with the offer. An account sees what it asked for. */
export default async function AskedPage({ searchParams }: { searchParams: Promise<{ id?: string }> }) {
  const { id } = await searchParams;
  const { word } = await texts();
  const shop = await shopper();
  const quote = id === undefined ? null : found(await shop.get("/v1/api/sales/quotes/{id}", { path: { id } }));
  return (
    <>
      <h1>{word("quote_asked")}</h1>
      <p>{word("quote_comes")}</p>
      {quote && <Record record={quote} delivery={null} />}
    </>
  );
}
