"use server";
import { redirect } from "next/navigation";
import { notify, wantedAt } from "@/payment/stand-in";

export async function pay(payment: string, form: FormData) {
  const wanted = wantedAt(payment);
  if (wanted === null) redirect("/");
  const paid = form.get("outcome") === "paid";
  if (paid) await notify(wanted);
  redirect(paid ? wanted.back : `${wanted.back}?payment=failed`);
}
