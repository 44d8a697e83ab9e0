"use client";
import { useEffect } from "react";
import { languageOf, textsIn } from "@/texts/language";

/** Where even the frame around the pages cannot be made. */
export default function Broken() {
  const language = languageOf(globalThis.navigator?.language ?? null);
  const { word } = textsIn(language);
  useEffect(() => {
    const timer = setTimeout(() => location.reload(), 10_000 * (1 + Math.random()));
    return () => clearTimeout(timer);
  }, []);
  return (
    <html lang={language}>
      <body>
        <title>{word("busy")}</title>
        <main>
          <h1>{word("broken")}</h1>
          <p>{word("retrying")}</p>
          <button onClick={() => location.reload()}>{word("again")}</button>
        </main>
      </body>
    </html>
  );
}
