"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";

const longest = 30_000;

/**
 * Shows the page anew when the cart has changed elsewhere: in another tab, on another device. A stream that ends because a node stops is opened again, by
 * the browser after the pause that the stream asks for. While there is none, because cartd is away or has no room, it is tried again after pauses that grow
 * to 30 seconds, and the page is then shown anew each time. `version` is that of the cart that the page was made with: a change ahead of the stream counts too.
 */
export function Follow({ version }: { version: string | null }) {
  const router = useRouter();
  const [first] = useState(version); // the page's own refreshes bring others, and the stream goes on
  useEffect(() => {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shown = first; // of the cart that the page shows
    let pause = 1_000;
    const open = () => {
      source = new EventSource("/api/cart");
      source.addEventListener("cart", (event) => {
        if (shown !== null && shown !== event.lastEventId) router.refresh();
        shown = event.lastEventId;
        pause = 1_000;
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
            if (pause === longest) router.refresh();
            pause = Math.min(2 * pause, longest);
            open();
          },
          pause * (0.75 + Math.random() / 2),
        );
      });
    };
    open();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [router, first]);
  return null;
}
