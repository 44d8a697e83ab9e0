import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { OrderView } from "@/parts/order";
import { found, shopper } from "@/server/shop";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await texts()).word("orders"), robots: { index: false } };
}

export default async function AccountOrder({ params }: { params: Promise<{ id: string }> }) {
  const order = found(await (await shopper()).get("/v1/api/commerce/orders/{id}", { path: await params }));
  if (order === null) notFound();
  return (
    <>
      <h1>{(await texts()).word("order", { n: order.number })}</h1>
      <OrderView order={order} />
    </>
  );
}
