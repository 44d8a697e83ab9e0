"use client";
import { useRouter } from "next/navigation";
import { startTransition, useCallback, useEffect } from "react";
import { pageLanguage, textsIn } from "@/texts/language";

/** In place of a page that cannot be made now. It tries again by itself, less and less often. */
export default function Broken({ error, reset }: { error: Error; reset: () => void }) {
  const { word } = textsIn(pageLanguage());
  const router = useRouter();
  const again = useCallback(
    () =>
      startTransition(() => {
        router.refresh();
        reset();
      }),
    [router, reset],
  );
  useEffect(() => {
    const timer = setTimeout(again, pause());
    return () => clearTimeout(timer);
  }, [error, again]);
  return (
    <>
      <h1>{word("broken")}</h1>
      <p>{word("retrying")}</p>
      <button onClick={again}>{word("again")}</button>
    </>
  );
}

let tries = 0;

/** From three seconds to a minute, with chance in it: not all pages come back at once. */
function pause(): number {
  return Math.min(3_000 * 2 ** Math.min(tries++, 5), 60_000) * (0.75 + Math.random() / 2);
}
