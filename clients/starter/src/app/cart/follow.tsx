"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

const retry = 30_000;

/**
 * Shows the page anew when the cart has changed elsewhere: in another tab, on another device. A stream that ends because a node stops is opened again, by
 * the browser after the pause that the stream asks for. While there is none, because cartd is away or has no room, the page is shown anew every 30 seconds.
 */
export function Follow() {
  const router = useRouter();
  useEffect(() => {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shown: string | null = null; // the version of the cart that the page shows
    const open = () => {
      source = new EventSource("/api/cart");
      source.addEventListener("cart", (event) => {
        if (shown !== null && shown !== event.lastEventId) router.refresh();
        shown = event.lastEventId;
      });
      source.addEventListener("end", (event) => {
        const { reason } = JSON.parse((event as MessageEvent<string>).data) as { reason?: string };
        if (reason === "drain" || reason === "fault") return; // the browser opens the stream again
        source.close();
        router.refresh();
      });
      source.addEventListener("error", () => {
        if (source.readyState !== EventSource.CLOSED) return; // the browser opens it again
        timer = setTimeout(
          () => {
            router.refresh();
            open();
          },
          retry * (0.9 + Math.random() / 5),
        );
      });
    };
    open();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [router]);
  return null;
}
