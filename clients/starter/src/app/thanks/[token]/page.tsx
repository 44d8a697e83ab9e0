import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cancelOrder, orderAgain, payOrder } from "./actions";
import { OrderView } from "@/parts/order";
import { ownPage } from "@/server/meta";
import { found, shopper } from "@/server/shop";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("orders"));
}

interface Props {
  params: Promise<{ token: string }>;
  searchParams: Promise<{ payment?: string }>;
}

/** The page of an order, for whoever has its link. */
export default async function Thanks({ params, searchParams }: Props) {
  const { token } = await params;
  const order = found(await (await shopper()).get("/v1/api/commerce/orders/by-token/{token}", { path: { token } }));
  if (order === null) notFound();
  const { word } = await texts();
  return (
    <>
      <h1>{word("thanks", { n: order.number })}</h1>
      <OrderView
        order={order}
        failed={(await searchParams).payment === "failed"}
        pay={payOrder.bind(null, token)}
        cancel={cancelOrder.bind(null, token)}
        again={orderAgain.bind(null, token)}
      />
    </>
  );
}
