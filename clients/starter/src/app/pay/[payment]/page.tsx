import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { formatMoney } from "cartd-client";
import { pay } from "./actions";
import { wantedAt } from "@/payment/stand-in";
import { ownPage } from "@/server/meta";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("pay"));
}

/** The page of the stand-in provider. With a provider of your own remove app/pay and payment/stand-in.ts. */
export default async function Pay({ params }: { params: Promise<{ payment: string }> }) {
  const { payment } = await params;
  const wanted = wantedAt(payment);
  if (wanted === null) notFound();
  const { word, language } = await texts();
  const total = formatMoney({ amount: wanted.amount, currency: wanted.currency as "EUR" }, language);
  return (
    <>
      <h1>{word("pay_at", { n: wanted.number, total })}</h1>
      <p>{word("pay_standin")}</p>
      <form action={pay.bind(null, payment)} className="inline">
        <button name="outcome" value="paid">
          {word("pay")}
        </button>
        <button name="outcome" value="failed">
          {word("pay_fails")}
        </button>
      </form>
    </>
  );
}
