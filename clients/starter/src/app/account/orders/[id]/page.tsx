import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cancelOrder, orderAgain, payOrder } from "./actions";
import { AccountMenu } from "@/parts/account";
import { OrderView } from "@/parts/order";
import { ownPage } from "@/server/meta";
import { found, shopper } from "@/server/shop";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("orders"));
}

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ payment?: string }>;
}

export default async function AccountOrder({ params, searchParams }: Props) {
  const { id } = await params;
  const order = found(await (await shopper()).get("/v1/api/commerce/orders/{id}", { path: { id } }));
  if (order === null) notFound();
  return (
    <>
      <h1>{(await texts()).word("order", { n: order.number })}</h1>
      <AccountMenu />
      <OrderView
        order={order}
        failed={(await searchParams).payment === "failed"}
        pay={payOrder.bind(null, id)}
        cancel={cancelOrder.bind(null, id)}
        again={orderAgain.bind(null, id)}
      />
    </>
  );
}
