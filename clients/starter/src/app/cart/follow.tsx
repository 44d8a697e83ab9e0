"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Shows the page anew when the cart has changed elsewhere: in another tab, on another device. */
export function Follow() {
  const router = useRouter();
  useEffect(() => {
    const source = new EventSource("/api/cart");
    let first = true; // the cart as the page shows it
    source.addEventListener("cart", () => {
      if (!first) router.refresh();
      first = false;
    });
    source.addEventListener("end", () => {
      source.close();
      router.refresh();
    });
    return () => source.close();
  }, [router]);
  return null;
}
