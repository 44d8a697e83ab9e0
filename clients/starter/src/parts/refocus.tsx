"use client";
import { useEffect, useRef } from "react";

/** After a change that has taken the focused element away, the focus is at the page's heading, and not lost at its beginning. */
export function Refocus({ after }: { after: string }) {
  const seen = useRef(after);
  useEffect(() => {
    if (seen.current === after) return;
    seen.current = after;
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const heading = document.querySelector<HTMLElement>("h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }, [after]);
  return null;
}
