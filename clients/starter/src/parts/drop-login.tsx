"use client";
import { useEffect } from "react";

/** Forgets the login that has ended, once the page says so. */
export function DropLogin({ drop }: { drop: () => Promise<void> }) {
  useEffect(() => {
    drop().catch(() => {}); // the next page tries again
  }, [drop]);
  return null;
}
