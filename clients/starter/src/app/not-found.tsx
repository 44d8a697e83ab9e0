import type { Metadata } from "next";
import { Link } from "@/parts/link";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await texts()).word("not_found"), robots: { index: false } };
}

export default async function NotFound() {
  const { word } = await texts();
  return (
    <>
      <h1>{word("not_found")}</h1>
      <p>
        <Link href="/">{word("home")}</Link>
      </p>
    </>
  );
}
