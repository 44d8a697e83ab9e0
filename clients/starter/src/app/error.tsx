"use client";
import { textsIn } from "@/texts/language";

export default function Broken({ reset }: { reset: () => void }) {
  const { word } = textsIn(globalThis.document?.documentElement.lang === "nl" ? "nl" : "en");
  return (
    <>
      <h1>{word("broken")}</h1>
      <button onClick={() => reset()}>{word("again")}</button>
    </>
  );
}
