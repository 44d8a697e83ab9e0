"use client";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";

/**
 * A bar while the next page is asked for: after a click on a link. Once the page is there, the focus is at its content, where a click on a
 * link would have left it in the old one. A page of the visitor's own that the Back button shows is asked for anew: the browser has it as it was.
 */
export function Progress({ label }: { label: string }) {
  const place = `${usePathname()}?${useSearchParams()}`;
  const path = place.split("?")[0];
  const [from, waitFrom] = useState<string | null>(null);
  const shown = useRef(path);
  const router = useRouter();
  const goneBack = useRef(false);
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element).closest?.("a[href]");
      if (!(link instanceof HTMLAnchorElement) || !event.defaultPrevented) return; // Next has not taken it
      if (link.origin === location.origin && link.pathname + link.search !== location.pathname + location.search) waitFrom(place);
    };
    const onBack = () => {
      goneBack.current = true;
    };
    document.addEventListener("click", onClick);
    addEventListener("popstate", onBack, true); // ahead of Next, which shows the page in its own
    return () => {
      document.removeEventListener("click", onClick);
      removeEventListener("popstate", onBack, true);
    };
  }, [place]);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    if (goneBack.current && /^\/(cart|checkout|thanks|account|quotes)\b/.test(path!)) router.refresh();
    goneBack.current = false;
    if (document.activeElement === null || document.activeElement === document.body)
      document.getElementById("content")?.focus({ preventScroll: true });
  }, [path, router]);
  const waiting = from === place;
  return (
    <div role="status" className={waiting ? "progress" : ""}>
      {waiting && <span className="unseen">{label}</span>}
    </div>
  );
}
