import { notFound, redirect } from "next/navigation";
import { found, shopper } from "@/server/shop";

/** A quote of the account has its page at its token, which only its customer gets. A request that is not answered has none. */
export async function GET(_: Request, { params }: { params: Promise<{ id: string }> }) {
  const quote = found(await (await shopper()).get("/v1/api/sales/quotes/{id}", { path: await params }));
  if (!quote) notFound();
  redirect(quote.token ? `/quotes/${quote.token}` : `/quotes/asked?id=${quote.id}`);
}
