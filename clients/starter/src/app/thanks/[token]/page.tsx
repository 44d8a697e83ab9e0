import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cancelOrder, payOrder } from "./actions";
import { Form, Submit } from "@/parts/form";
import { OrderView } from "@/parts/order";
import { found, shopper } from "@/server/shop";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await texts()).word("orders"), robots: { index: false } };
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
  const { word, date } = await texts();
  const due = order.payment.status === "due" && order.status === "placed";
  return (
    <>
      <h1>{word("thanks", { n: order.number })}</h1>
      {due && (
        <section>
          {(await searchParams).payment === "failed" && <p className="fault">{word("pay_failed")}</p>}
          {order.payment.due_at && <p>{word("pay_before", { date: date(order.payment.due_at) })}</p>}
          <Form action={payOrder.bind(null, order.id, token)} className="inline">
            <Submit>{word("pay")}</Submit>
          </Form>
          <Form action={cancelOrder.bind(null, token)} className="inline">
            <Submit>{word("cancel")}</Submit>
          </Form>
        </section>
      )}
      <OrderView order={order} />
    </>
  );
}
